/**
 * npm test: all tests, on both engines and in a real browser. Ends with one line, "N passed, N failed". With --deep the same tests run with
 * their full numbers. TEST_DAILY=1 adds one of these, another one every day, because some take minutes.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { findBrowser } from "./browser.mjs";
import { checkedBy, impossible, quickParts, runParts, e2eTests, vitest, workersThatWait } from "./parts.mjs";
import { openPostgres } from "./postgres/postgres.mjs";
import { prepare } from "./setup.mjs";
import { command, root, step, stopRunning } from "./steps.mjs";

const inCi = Boolean(process.env.CI);
const daily = process.env.TEST_DAILY === "1";
const deep = process.argv.includes("--deep") ? { TEST_DEEP: "1" } : {};
let interrupted = false;

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    interrupted = true;
    stopRunning();
  });
}

const deepFiles = () =>
  ["src", "sandbox", "test"]
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(folder, file)),
    )
    .filter((file) => file.endsWith(".test.ts") && readFileSync(path.join(root, file), "utf8").includes("TEST_DEEP"))
    .sort();

/** Returns the project of vitest.config.ts that has a file. The data tests run on PostgreSQL. */
const projectOf = (file) =>
  file.startsWith(path.join("test", "process"))
    ? "process"
    : /(^|[./])(rules|pure)\.test\.ts$/.test(file)
      ? "pure"
      : "postgres";

/** Returns one test with its full numbers and a fourteenth of the data tests on the embedded engine. Over the days all of them run. */
function slicesOfToday(served) {
  const day = Math.floor(Date.now() / 86_400_000);
  const files = deepFiles();
  const file = files[day % files.length];
  const shard = `${(day % 14) + 1}/14`;
  return [
    vitest(`The deep tier's slice of today: ${file}`, [projectOf(file)], { ...served, TEST_DEEP: "1" }, [file]),
    vitest(
      `Data on the embedded engine, slice ${shard}`,
      ["embedded"],
      { TEST_EMBEDDED: "all" },
      [],
      [`--shard=${shard}`],
    ),
  ];
}

function partsWith(postgres, browser) {
  const served = postgres ? { DATABASE_URL_TEST: postgres.url } : {};
  return [
    ...quickParts,
    ...(deep.TEST_DEEP ? [vitest("Generated cases of the rules, in full", ["pure"], deep)] : []),
    vitest("Data on the embedded engine", ["embedded"], postgres ? deep : { ...deep, TEST_EMBEDDED: "all" }),
    postgres
      ? vitest("Data on PostgreSQL", ["postgres"], { ...served, ...deep }, [], [workersThatWait])
      : impossible("Data on PostgreSQL", "no PostgreSQL 15 or later; install it or set DATABASE_URL_TEST", inCi),
    ...(postgres && daily ? slicesOfToday(served) : []),
    vitest("Screens", ["web"]),
    vitest("Processes and commands", ["process"], { ...served, ...deep }, [], [workersThatWait]),
    browser
      ? e2eTests("E2E tests in the browser", { ...served, ...deep, CHROMIUM: browser })
      : impossible("E2E tests in the browser", "no Chromium; install it or set CHROMIUM", inCi),
    ...(deep.TEST_DEEP ? [checkedBy("Mutation of the money rules", [path.join(root, "scripts/mutation.mjs")])] : []),
  ];
}

await command(async () => {
  const node = await prepare({ web: true });
  const browser = await findBrowser();
  const postgres = await step("Starting PostgreSQL for the tests", openPostgres);
  try {
    const parts = partsWith(postgres, browser);
    const stoppable = parts.map((part) => ({
      ...part,
      run: (node) => (interrupted ? { passed: 0, failed: 1, skipped: 0 } : part.run(node)),
    }));
    const { ok, line } = await runParts(node, stoppable);
    process.exitCode = ok ? 0 : 1;
    await postgres?.stop();
    process.stdout.write(`\n${line}\n`);
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
});
