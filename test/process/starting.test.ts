/** Failed starts: a one-line error message, a non-zero exit code, and no damage. */

import { randomBytes } from "node:crypto";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, expect, inject, test } from "vitest";
import { openDatabase } from "#platform/db/index.ts";
import {
  admin,
  emptyMarketFolder,
  endAll,
  freePort,
  freshFolder,
  launch,
  refused,
  root,
  startServer,
} from "./server.ts";

afterAll(endAll);

const oneLineError = /^Stagedoor cannot start\. [^\n]+\n$/;

test("refuses a second process on the same data folder with the first one's number", async () => {
  const DATA_DIR = emptyMarketFolder();
  const first = await startServer({ DATA_DIR });
  const second = await refused({ DATA_DIR });
  expect(second.code).toBe(1);
  expect(second.output).toMatch(oneLineError);
  expect(second.output).toContain(`in use by process ${first.pid}`);
  expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
});

test("reports the first process before it installs or builds anything below it", async () => {
  const DATA_DIR = emptyMarketFolder();
  const first = await startServer({ DATA_DIR });
  const clone = freshFolder();
  const has = (name: string) => existsSync(path.join(clone, name));
  const addToClone = (name: string) => cpSync(path.join(root, name), path.join(clone, name), { recursive: true });
  ["scripts", "package-lock.json"].forEach(addToClone);
  symlinkSync(path.join(root, "src"), path.join(clone, "src"));
  const secondStart = async () => {
    const start = path.relative(root, path.join(clone, "scripts/start.mjs"));
    const { ended, output } = launch(start, [], { DATA_DIR, PORT: "0" }, clone);
    expect((await ended).code).toBe(1);
    expect(output().trim()).toMatch(/^Stagedoor cannot start\. [^\n]+$/);
    expect(output()).toContain(`in use by process ${first.pid}`);
  };
  await secondStart();
  expect(has("node_modules")).toBe(false);
  addToClone("node_modules/.complete");
  await secondStart();
  expect(has("build")).toBe(false);
});

test("refuses a used port before it opens the data folder", async () => {
  const DATA_DIR = path.join(freshFolder(), "data");
  const port = await freePort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  const { code, output } = await refused({ DATA_DIR, PORT: String(port) });
  await new Promise((resolve) => other.close(resolve));
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain(`${port} on 127.0.0.1 is in use`);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("refuses a data folder that is a file", async () => {
  const file = path.join(freshFolder(), "data");
  writeFileSync(file, "");
  const { code, output } = await refused({ DATA_DIR: file });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATA_DIR");
});

test("refuses a database that does not respond, without its password", async () => {
  const url = `postgres://someone:hunter2@127.0.0.1:${await freePort()}/none`;
  const { code, output } = await refused({ DATABASE_URL: url, DATA_DIR: freshFolder() });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATABASE_URL");
  expect(output).not.toContain("hunter2");
});

test("names the full disk of a database that accepts no connection on it", async () => {
  const fields = Buffer.from("SFATAL\0CXX000\0Mcould not write init file\0\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  const full = createServer((socket) => socket.once("data", () => socket.end(Buffer.concat([head, fields]))));
  const port = await freePort();
  await new Promise<void>((resolve) => full.listen(port, "127.0.0.1", resolve));
  const { code, output } = await refused({
    DATABASE_URL: `postgres://someone:hunter2@127.0.0.1:${port}/none`,
    DATA_DIR: freshFolder(),
  });
  await new Promise((resolve) => full.close(resolve));
  expect(code).toBe(1);
  expect(output).toBe(
    `Stagedoor cannot start. DATABASE_URL: the disk of the database at 127.0.0.1:${port}/none is full. Free some space and start again.\n`,
  );
});

// src/platform/config.pure.test.ts tests the invalid settings. These prove that the program reports them and ends.
test.each([
  [{ PORT: "eighty" }, "PORT"],
  [{ HOST: "192.0.2.1", DEMO: "0" }, "HOST"],
  [{ HOST: "no-host.invalid", DEMO: "0" }, "HOST"],
  [{ SANDBOX_CURRENCIES: "usd,jpy" }, "SANDBOX_CURRENCIES"],
  [{ SMTP_URL: "smtp://" }, "SMTP_URL"],
])("refuses an invalid setting by name, before it opens the data folder: %o", async (env, name) => {
  const DATA_DIR = path.join(freshFolder(), "data");
  const { code, output } = await refused({ DATA_DIR, ...env });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain(name);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("refuses a database encrypted with another key in a one-line error message", async () => {
  const DATA_DIR = emptyMarketFolder();
  const keyFile = path.join(DATA_DIR, "secrets.key");
  const SECRETS_KEY = readFileSync(keyFile, "utf8").trim();
  rmSync(keyFile);
  const first = await startServer({ DATA_DIR, SECRETS_KEY });
  first.kill("SIGTERM");
  await first.ended;
  const other = randomBytes(32).toString("base64");
  for (const env of [[], [["SECRETS_KEY", other]]]) {
    const { code, output } = await refused({ DATA_DIR, ...Object.fromEntries(env) });
    expect(code).toBe(1);
    expect(output).toMatch(oneLineError);
    expect(output).toContain("SECRETS_KEY");
    expect(output).not.toContain(other);
  }
  expect(existsSync(keyFile)).toBe(false);
});

test("reports a failed migration in one line, at a start and for a command", async () => {
  const DATA_DIR = emptyMarketFolder();
  const database = await openDatabase({ dataDir: DATA_DIR });
  // Applied a second time, which fails.
  const { rows } = await sql<{ name: string }>`
    delete from migrations where name = '0005_payments.sql' returning name`.execute(database.db);
  await database.close();
  const hasReasonInOneLine =
    /The database was not changed by the migration 0005_payments\.sql, because its statement "[^\n]+" failed \([^\n]+\)\.\n$/;
  expect(rows).toHaveLength(1);
  for (const { code, output } of [await refused({ DATA_DIR }), await admin(["verify"], { DATA_DIR })]) {
    expect(code).toBe(1);
    expect(output).toMatch(hasReasonInOneLine);
    expect(output.trim()).not.toContain("\n");
  }
});

test.each([
  ["without PG_VERSION", (pg: string) => rmSync(path.join(pg, "PG_VERSION"))],
  ["with an empty control file", (pg: string) => writeFileSync(path.join(pg, "global/pg_control"), "")],
  ["without its log", (pg: string) => rmSync(path.join(pg, "pg_wal"), { recursive: true })],
])("refuses a database folder %s in a one-line error message, and does not change it", async (_what, damage) => {
  const DATA_DIR = emptyMarketFolder();
  damage(path.join(DATA_DIR, "pg"));
  const { code, output } = await refused({ DATA_DIR });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATA_DIR");
  expect(output).not.toMatch(/Aborted|RuntimeError/);
});

test("restricts a data folder that is open to all users, with its contents", async () => {
  const openToOthers = (file: string) => statSync(file).mode & 0o077;
  // The prepared folder was open to all users when its first server started and created its contents.
  for (const name of ["", "pg", "secrets.key"])
    expect(openToOthers(path.join(inject("emptyMarket"), name)), `made in it: ${name}`).toBe(0);
  const DATA_DIR = emptyMarketFolder();
  for (const name of ["", "pg"]) chmodSync(path.join(DATA_DIR, name), 0o777);
  await startServer({ DATA_DIR });
  for (const name of ["", "pg", "secrets.key", "lock"]) expect(openToOthers(path.join(DATA_DIR, name)), name).toBe(0);
});
