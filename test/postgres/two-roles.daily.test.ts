/** The setup of docs/operate/database.md: one role owns the tables, the other works with them and cannot rewrite the ledger. */

import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, migrate, migrationsFolder, openDatabase, type Tx } from "#platform/db/index.ts";
import { compileCache } from "#test/compile-cache.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { makePayment } from "#test/factories/payments.ts";
import { freePort } from "#test/free-ports.ts";
import { createDatabase, dropDatabase } from "#test/served-databases.ts";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";

const server = process.env["DATABASE_URL_TEST"] ?? "";
const root = path.resolve(import.meta.dirname, "../..");
const role = `app_${randomBytes(6).toString("hex")}`;
const secretsKey = randomBytes(32).toString("base64");
const password = randomBytes(12).toString("hex");
let owner: TestDatabase;
let app: Database;
let appUrl: string;

/** Grants the role its rights by the statements of the guide, and opens the database as the role. */
async function openAsRole(database: Database, ownerUrl: string) {
  const url = new URL(ownerUrl);
  const block = /## Two roles[\s\S]*?```sql\n([\s\S]*?)```/.exec(
    readFileSync(path.join(root, "docs/operate/database.md"), "utf8"),
  )?.[1];
  expect(block).toContain("revoke update, delete on ledger_groups, ledger_entries");
  const grants = (block ?? "")
    .replaceAll("stagedoor_app", role)
    .replaceAll("database stagedoor", `database ${url.pathname.slice(1)}`);
  await database.exec(grants);
  url.username = role;
  url.password = password;
  return { url: url.href, database: await openDatabase({ url: url.href, poolSize: 2 }) };
}

const makeOne = (tx: Tx) => makePayment(tx, { bookingId: randomUUID(), kind: "deposit", amount: 1_000 });

beforeAll(async () => {
  owner = await freshDatabase("postgres");
  await owner.database.exec(`create role ${role} login password '${password}'`);
  ({ url: appUrl, database: app } = await openAsRole(owner.database, owner.url ?? ""));
});
afterAll(async () => {
  await app.close();
  await owner.database.exec(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
  await owner.drop();
});

test("posts as the working role, finds nothing to migrate, and cannot rewrite the ledger", async () => {
  expect(await migrate(app)).toEqual([]);
  await app.transaction(makeOne);
  const { rows } = await sql<{ n: string }>`select count(*) as n from ledger_entries`.execute(app.db);
  expect(Number(rows[0]?.n)).toBeGreaterThan(0);
  for (const statement of [
    "update ledger_entries set amount = 1",
    "delete from ledger_entries",
    "truncate ledger_entries",
    "update ledger_groups set kind = 'charge'",
    "delete from ledger_groups",
    "update activity set message = ''",
    "delete from activity",
    "insert into migrations (name) values ('9999')",
  ])
    await expect(
      app.transaction((tx) => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow(/permission denied/);
  for (const statement of [
    "alter table ledger_entries disable trigger all",
    "drop trigger ledger_entries_fixed on ledger_entries",
    "drop table ledger_entries",
  ])
    await expect(
      app.transaction((tx) => sql.raw(statement).execute(tx)),
      statement,
    ).rejects.toThrow(/must be owner/);
});

test("posts between the owner's upgrade and the repeated grants, as the processes of the earlier version do", async () => {
  const name = `roles_${randomBytes(6).toString("hex")}`;
  const ownerUrl = await createDatabase(server, name);
  const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-roles-"));
  for (const file of readdirSync(migrationsFolder))
    if (file < "1352") cpSync(path.join(migrationsFolder, file), path.join(folder, file));
  const database = await openDatabase({ url: ownerUrl, poolSize: 2 });
  await migrate(database, { folder });
  const earlier = await openAsRole(database, ownerUrl);
  try {
    await earlier.database.transaction(makeOne);
    expect(await migrate(database)).toContain("1410_daily_sums_of_the_ledger.sql");
    await earlier.database.transaction(makeOne);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ledger_unsummed`.execute(database.db);
    expect(rows[0]?.n).toBeGreaterThan(0);
  } finally {
    await earlier.database.close();
    await database.close();
    await dropDatabase(server, name);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Starts a server as this role. `stop` ends it and returns its log. */
async function startAs(url: string, processRole: "all" | "web") {
  const data = mkdtempSync(path.join(temporaryFolder, "stagedoor-roles-"));
  const port = await freePort();
  const child = spawn(process.execPath, ["src/app/main.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...compileCache,
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: url,
      DATA_DIR: data,
      PORT: String(port),
      PROCESS: processRole,
      DEMO: "1",
      SEED: "none",
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: "error",
    },
  });
  let output = "";
  child.stderr.on("data", (part) => (output += String(part)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
    return output;
  };
  try {
    const status = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(status).toBe(200);
  } catch (cause) {
    throw new Error(`the server does not serve: ${await stop()}`, { cause });
  }
  return { stop };
}

test("serves as the other role after the owner's start", async () => {
  await (await startAs(owner.url ?? "", "web")).stop();
  const server = await startAs(appUrl, "all");
  const jobRuns = async () => (await sql`select 1 from job_runs`.execute(app.db)).rows.length;
  // The jobs have started without a denied permission.
  await expect.poll(jobRuns).toBeGreaterThan(0);
  expect(await server.stop()).not.toMatch(/permission denied/);
});
