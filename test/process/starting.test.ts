/** What an operator meets at the start: a one-line error message and a non-zero exit, and nothing damaged. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, expect, inject, test } from "vitest";
import { openDatabase } from "#platform/db/index.ts";
import { admin, emptyMarketFolder, endAll, freePort, freshFolder, refused, startServer } from "./server.ts";

afterAll(endAll);

const oneLineError = /^Stagedoor cannot start\. [^\n]+\n$/;

test("a second process on the same data folder is refused with the number of the first", async () => {
  const DATA_DIR = emptyMarketFolder();
  const first = await startServer({ DATA_DIR });
  const second = await refused({ DATA_DIR });
  expect(second.code).toBe(1);
  expect(second.output).toMatch(oneLineError);
  expect(second.output).toContain(`in use by process ${first.pid}`);
  expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
});

test("a used port is refused before the data folder is touched", async () => {
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

test("a data folder that is a file is refused", async () => {
  const file = path.join(freshFolder(), "data");
  writeFileSync(file, "");
  const { code, output } = await refused({ DATA_DIR: file });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATA_DIR");
});

test("a database that does not answer is refused, without its password", async () => {
  const url = `postgres://someone:hunter2@127.0.0.1:${await freePort()}/none`;
  const { code, output } = await refused({ DATABASE_URL: url, DATA_DIR: freshFolder() });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATABASE_URL");
  expect(output).not.toContain("hunter2");
});

// Which settings cannot work is tested in src/platform/config.pure.test.ts; these two show that the program says so and ends.
test.each([
  [{ PORT: "eighty" }, "PORT"],
  [{ HOST: "192.0.2.1", DEMO: "0" }, "HOST"],
])("a setting that cannot work is refused by its name: %o", async (env, name) => {
  const { code, output } = await refused({ DATA_DIR: freshFolder(), ...env });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain(name);
});

test("a database whose secrets are encrypted with another key is rejected with a one-line error message", async () => {
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

test("tells the operator in one line which migration failed, at a start and at a command", async () => {
  const DATA_DIR = emptyMarketFolder();
  const database = await openDatabase({ dataDir: DATA_DIR });
  // To be applied a second time, which cannot work.
  const { rows } = await sql<{ name: string }>`
    delete from migrations where name = '0005_payments.sql' returning name`.execute(database.db);
  await database.close();
  const toldInOneLine =
    /The database was not changed by the migration 0005_payments\.sql, because its statement "[^\n]+" failed \([^\n]+\)\.\n$/;
  expect(rows).toHaveLength(1);
  for (const { code, output } of [await refused({ DATA_DIR }), await admin(["verify"], { DATA_DIR })]) {
    expect(code).toBe(1);
    expect(output).toMatch(toldInOneLine);
    expect(output.trim()).not.toContain("\n");
  }
});

test.each([
  ["without PG_VERSION", (pg: string) => rmSync(path.join(pg, "PG_VERSION"))],
  ["with an empty control file", (pg: string) => writeFileSync(path.join(pg, "global/pg_control"), "")],
  ["without its log", (pg: string) => rmSync(path.join(pg, "pg_wal"), { recursive: true })],
])("a database folder %s is rejected with a one-line error message and left as it is", async (_what, damage) => {
  const DATA_DIR = emptyMarketFolder();
  damage(path.join(DATA_DIR, "pg"));
  const { code, output } = await refused({ DATA_DIR });
  expect(code).toBe(1);
  expect(output).toMatch(oneLineError);
  expect(output).toContain("DATA_DIR");
  expect(output).not.toMatch(/Aborted|RuntimeError/);
});

test("a data folder that everybody may enter is closed, with all that is in it", async () => {
  const openToOthers = (file: string) => statSync(file).mode & 0o077;
  // The prepared folder was open to everybody when its first server started, and that server made what is in it.
  for (const name of ["", "pg", "secrets.key"])
    expect(openToOthers(path.join(inject("emptyMarket"), name)), `made in it: ${name}`).toBe(0);
  const DATA_DIR = emptyMarketFolder();
  for (const name of ["", "pg"]) chmodSync(path.join(DATA_DIR, name), 0o777);
  await startServer({ DATA_DIR });
  for (const name of ["", "pg", "secrets.key", "lock"]) expect(openToOthers(path.join(DATA_DIR, name)), name).toBe(0);
});
