/** The parts of `npm test` and `npm run check`, and how their results are counted. Works on Node 20. */

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { environmentFor } from "./setup.mjs";
import { root, run } from "./steps.mjs";

const bin = (...parts) => path.join(root, "node_modules", ...parts);
const resultsFolder = path.join(root, "test-results");

export const nothing = { passed: 0, failed: 0, skipped: 0 };
const sum = (all) =>
  all.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    nothing,
  );

/** Programs that run in parallel and only succeed or fail. Together they count as one test. */
export const checkedBy = (title, ...commands) => ({
  title,
  run: async (node) => {
    const ended = await Promise.all(commands.map((args) => run(node, args, { env: environmentFor(node) })));
    return ended.every(({ code }) => code === 0) ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 };
  },
});

export const vitest = (title, projects, env = {}, files = [], more = []) => ({
  title,
  run: async (node) => {
    const report = path.join(
      resultsFolder,
      `${[...projects, ...files.map((file) => path.basename(file))].join("-")}.json`,
    );
    const names = projects.flatMap((name) => ["--project", name]);
    const args = [
      bin("vitest/vitest.mjs"),
      "run",
      ...names,
      ...files,
      ...more,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ];
    return counted(report, () => run(node, args, { env: environmentFor(node, env) }), countVitest);
  },
});

/** For two cores: the tests wait for other processes, and two workers leave a tenth of the processor unused. */
export const workersThatWait = "--maxWorkers=3";

export const e2eTests = (title, env) => ({
  title,
  run: async (node) => {
    const report = path.join(resultsFolder, "e2e.json");
    const args = [bin("@playwright/test/cli.js"), "test"];
    return counted(report, () => run(node, args, { env: environmentFor(node, env) }), countPlaywright);
  },
});

/** A part that cannot run here: skipped by name, or failed if it is required. */
export const impossible = (title, reason, mustRun) => ({
  title,
  run: async () => {
    process.stdout.write(`  ${mustRun ? "FAILED" : "skipped"}: ${reason}\n`);
    return mustRun ? { ...nothing, failed: 1 } : { ...nothing, skipped: 1 };
  },
});

/** Counts one failure for a program that failed without a failed test, or ran no test at all. */
async function counted(report, work, count) {
  mkdirSync(resultsFolder, { recursive: true });
  rmSync(report, { force: true });
  const { code } = await work();
  const result = existsSync(report) ? count(JSON.parse(readFileSync(report, "utf8"))) : nothing;
  if (result.failed === 0 && (code !== 0 || result.passed === 0)) {
    process.stdout.write(
      code === 0 ? "  no test ran in this part\n" : `  the part ended with ${code} without naming a failed test\n`,
    );
    return { ...result, failed: 1 };
  }
  return result;
}

const beginningOf = (message = "") =>
  stripVTControlCharacters(message).trim().split("\n").slice(0, 12).join("\n      ");

/** Counts a file that could not be loaded, which has no tests, as one failure. */
const countVitest = (report) => ({
  passed: report.numPassedTests,
  failed:
    report.numFailedTests +
    report.testResults.filter((file) => file.status === "failed" && !file.assertionResults.length).length,
  skipped: report.numPendingTests + report.numTodoTests,
  failures: report.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `${fullName}\n      ${beginningOf(failureMessages[0])}`),
});

/** Returns the failed attempts of all tests, including those that passed at their second one. */
const failedAttempts = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ title, tests }) =>
    tests
      .flatMap(({ results }) => results.flatMap(({ errors }) => errors ?? []))
      .map(({ message, location }) => `${title}, line ${location?.line ?? "unknown"}\n      ${beginningOf(message)}`),
  ),
  ...suites.flatMap(failedAttempts),
];

const countPlaywright = (report) => ({
  passed: report.stats.expected + report.stats.flaky,
  failed: report.stats.unexpected + (report.errors?.length ?? 0),
  skipped: report.stats.skipped,
  failures: failedAttempts(report),
});

/** The parts of `npm run check`, the fastest first. */
export const quickParts = [
  checkedBy("Format", [bin("oxfmt/bin/oxfmt"), "--check", "."]),
  checkedBy("Types of the routes", [bin("@react-router/dev/bin.cjs"), "typegen"]),
  checkedBy(
    "Types",
    ...["tsconfig.json", "tsconfig.web.json", "tsconfig.e2e.json"].map((of) => [bin("typescript/bin/tsc"), "-p", of]),
  ),
  checkedBy("Lint", [bin("oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"]),
  checkedBy("Unused files, exports and packages", [
    bin("knip/bin/knip.js"),
    "--no-progress",
    "--include",
    "files,dependencies,unlisted,unresolved,exports",
  ]),
  vitest("Pure rules and architecture", ["pure", "architecture"]),
];

/** Runs the parts one after the other, prints the failures, the table and the last line. Returns true if all passed. */
export async function runParts(node, parts) {
  const rows = [];
  for (const [index, part] of parts.entries()) {
    process.stdout.write(`\n[${index + 1}/${parts.length}] ${part.title}\n`);
    const since = performance.now();
    const result = await part.run(node);
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    rows.push({ ...result, seconds });
    process.stdout.write(`[${index + 1}/${parts.length}] ${part.title}: ${lineOf(result)} (${seconds} s)\n`);
  }
  const total = sum(rows);
  for (const failure of rows.flatMap(({ failures = [] }) => failures)) process.stdout.write(`\n  x ${failure}\n`);
  const line = (part, { failed, seconds, ...row }) =>
    `  ${failed ? "FAILED" : "ok    "}  ${part.title}: ${lineOf({ ...row, failed })} (${seconds} s)`;
  process.stdout.write(`\n${parts.map((part, index) => line(part, rows[index])).join("\n")}\n`);
  return { ok: total.failed === 0 && total.passed > 0, line: lineOf(total) };
}

const lineOf = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
