/**
 * Runs the commands of the operator's guide (docs/operate) as written: in a shell, page by page, in a temporary folder. The
 * test's `npm` starts the program of package.json's script without checking the installed packages.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { compileCache } from "../compile-cache.ts";
import { s3Keys, s3Server, type S3Server } from "../harness/servers/s3-server.ts";
import { dropDatabase, databaseUrl } from "../served-databases.ts";
import { isThorough } from "../tier.ts";
import { openAccount } from "./accounts.ts";
import { endAll, freePort, freshFolder, root } from "./server.ts";

/** The pages in the order of use. Pages that change the market or the key are late. */
const pages = [
  "install accounts upgrade watch commands database backup files keys",
  "configure containers scale trouble payments signing calendars move",
].flatMap((names) => names.split(" "));

/** Commands that cannot run here, by their first words, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  "sudo ": "changes the machine: users, units and services of systemd",
  "createuser ": "prompts for a password",
  "npm run admin -- verify-contract":
    "needs a signed contract; src/bookings/contract/stored-documents.test.ts verifies one",
  "podman ": "needs base images from a registry; test/process/image.test.ts builds and runs the image in the deep tier",
  "docker ": "needs images from a registry; docker-compose config reads the file",
  "kubectl ": "needs a cluster; test/architecture/deployment.test.ts checks the manifests",
};

/** Pages whose commands each start a process. Other tests of this folder run these commands too. */
const daily = ["backup", "files", "keys"];

const served = process.env["DATABASE_URL_TEST"] ?? "";
const needsServed = /^createdb |DATABASE_URL=/;
const home = freshFolder();
const database = `guide_${randomBytes(6).toString("hex")}`;
let s3: S3Server;
let port = 0;
let server: { stop(): Promise<void> } | undefined;

type Block = { page: string; language: string; commands: string[] };

/** Returns the fenced blocks of a page. A backslash continues a command in the next line. */
function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, language = "", body = ""]) => ({
    page,
    language,
    commands: body
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter(Boolean),
  }));
}

const readPage = (page: string) => readFileSync(path.join(root, "docs/operate", `${page}.md`), "utf8");
const blocks = pages.flatMap((page) => blocksOf(page, readPage(page)));
const isLeftOut = (command: string) => Object.keys(notRun).some((start) => command.startsWith(start));

/** Replaces the guide's example values by those of this test. */
function adapt(command: string): string {
  const address = served && new URL(served);
  const owner = address ? decodeURIComponent(address.username) : "";
  return command
    .replaceAll("localhost:3000", `127.0.0.1:${port}`)
    .replaceAll("/srv/", `${home}/srv/`)
    .replace("-O stagedoor stagedoor", `-O "${owner}" ${database}`)
    .replace(/DATABASE_URL=\S+/, `DATABASE_URL='${address ? databaseUrl(served, database) : ""}'`);
}

function environment(): Record<string, string> {
  const address = new URL(served || "postgres://none");
  return {
    ...compileCache,
    PATH: `${path.join(home, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
    HOME: home,
    PORT: String(port),
    SEED: "none",
    LOG_LEVEL: "error",
    PGHOST: address.searchParams.get("host") ?? address.hostname,
    PGPORT: address.port || "5432",
    PGUSER: decodeURIComponent(address.username),
    PGPASSWORD: decodeURIComponent(address.password),
  };
}

/** Writes the test's `npm`: each script of package.json that runs one of our programs. */
function writeNpm(): void {
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const cases = Object.entries(scripts).flatMap(([name, script]) => {
    const [, file = "", words = ""] = /^node scripts\/run\.mjs (src\S+)(.*)$/.exec(script) ?? [];
    if (!file) return [];
    return [
      `"run ${name}") shift 2; [ "$1" = -- ] && shift; exec "${process.execPath}" "${root}/${file}"${words} "$@";;`,
    ];
  });
  const text = `#!/bin/sh\ncase "$*" in start) exec "${process.execPath}" "${root}/src/app/main.ts";; esac\ncase "$1 $2" in\n${cases.join("\n")}\n*) echo "npm $* is not a command of this test"; exit 2;;\nesac\n`;
  mkdirSync(path.join(home, "bin"));
  writeFileSync(path.join(home, "bin/npm"), text, { mode: 0o755 });
}

/** Runs commands in one shell with the variables of earlier lines. Returns the exit code and the output. */
async function shell(script: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn("sh", ["-ec", script], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

/** Starts the server by the lines of a block that ends with `npm start`, and waits until it serves. */
async function start(script: string): Promise<void> {
  const child = spawn("sh", ["-ec", script], {
    cwd: home,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  let isOver = false;
  const ended = new Promise<void>((resolve) => child.once("close", () => ((isOver = true), resolve())));
  const stop = async () => {
    server = undefined;
    if (!isOver) process.kill(-(child.pid ?? 0), "SIGTERM");
    await ended;
  };
  server = { stop };
  const status = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status: code }) => code,
      () => 0,
    );
  await expect.poll(async () => (isOver ? output : await status())).toBe(200);
}

/** Prepares a page's requirements. Returns the settings of its commands. */
const before: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  accounts: async () => {
    await openAccount({ address: `http://127.0.0.1:${port}` }, "you@example.com");
    return {};
  },
  /** The settings of the bucket, for commands only, with every process stopped. */
  files: async () => {
    await server?.stop();
    return {
      S3_BUCKET: s3.bucket,
      S3_REGION: s3.region,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    };
  },
  keys: async () => (await server?.stop(), {}),
};

beforeAll(async () => {
  port = await freePort();
  s3 = await s3Server();
  mkdirSync(path.join(home, "srv/safe"), { recursive: true });
  // A previously migrated market only saves time.
  cpSync(inject("emptyMarket"), path.join(home, ".data"), { recursive: true });
  mkdirSync(path.join(home, ".data/files/brand"), { recursive: true });
  writeFileSync(path.join(home, ".data/files/brand/logo.png"), "a picture");
  writeNpm();
});
afterAll(async () => {
  await server?.stop();
  await s3.close();
  if (served) await dropDatabase(served, database);
  await endAll();
});

test("finds the pages of the guide, each listed in its index", () => {
  const files = readdirSync(path.join(root, "docs/operate")).map((file) => path.basename(file, ".md"));
  expect(files.toSorted()).toEqual(pages.toSorted());
  const index = readFileSync(path.join(root, "docs/operate.md"), "utf8");
  expect(pages.filter((page) => !index.includes(`(operate/${page}.md)`))).toEqual([]);
  expect([...new Set(blocks.map(({ language }) => language))].toSorted()).toEqual(["ini", "sh", "sql"]);
});

test("runs each inline command of ours in full on some page", () => {
  const run = blocks.filter(({ language }) => language === "sh").flatMap(({ commands }) => commands);
  const named = pages.flatMap((page) =>
    [...readPage(page).matchAll(/`(npm (?:start|run (?:admin|backup|restore|db:dump) -- )[^`]*)`/g)].map(
      ([, command = ""]) => command,
    ),
  );
  const missing = (command: string) => {
    const words = command.replace(/ (?:…|FILE|\[FILE\]|EMAIL|\[LINK …\]|\[accept\])$/, "");
    return !run.some((one) => one.includes(words));
  };
  expect(missing("npm run admin -- dance FILE")).toBe(true);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(missing)).toEqual([]);
});

test("finds each excluded command in the guide", () => {
  const commands = blocks.flatMap((block) => block.commands);
  expect(Object.keys(notRun).filter((start) => !commands.some((one) => one.startsWith(start)))).toEqual([]);
});

test("runs the commands of the guide with the described results", async () => {
  let count = 0;
  for (const page of pages.filter((one) => isThorough || !daily.includes(one))) {
    const own = blocks.filter((block) => block.page === page && block.language === "sh");
    const extra = own.length ? await before[page]?.() : undefined;
    for (const { commands } of own) {
      const runnable = commands.filter((one) => !isLeftOut(one) && (served || !needsServed.test(one)));
      if (!runnable.length) continue;
      const script = runnable.map(adapt).join("\n");
      count += runnable.length;
      if (script.endsWith("npm start")) {
        await start(script);
        continue;
      }
      const { code, output } = await shell(script, { ...environment(), ...extra });
      expect({ page, script, code }, output).toEqual({ page, script, code: 0 });
    }
  }
  expect(count).toBeGreaterThan(8);
  if (isThorough) expect(s3.objects.has("brand/logo.png")).toBe(true);
});
