/**
 * Databases of twelve earlier versions (test/upgrades) are migrated to the newest schema in one step: no row is lost, and
 * every rule holds. TEST_DEEP=1 runs all of them on both engines, otherwise a sample.
 */

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { type Database, migrate, newestMigration, openDatabase } from "#platform/db/index.ts";
import { oldRowCounts } from "#test/harness/old-market.ts";
import { createDatabase, dropDatabase } from "#test/served-databases.ts";

const folder = path.join(import.meta.dirname, "../upgrades");
const dumps = readdirSync(folder).filter((file) => file.endsWith(".sql.gz"));
const deep = process.env["TEST_DEEP"] === "1";
const onPostgres = deep ? dumps : dumps.filter((_file, at) => at % 2 === 0);
const embedded = deep ? dumps : dumps.slice(-1);
const server = process.env["DATABASE_URL_TEST"] ?? "";

/** Restores the dump into the empty database, migrates it and compares. Returns the violated rules. */
async function upgrade(database: Database, file: string) {
  const script = gunzipSync(readFileSync(path.join(folder, file))).toString("utf8");
  const before = oldRowCounts(script);
  expect(before["bookings"]).toBeGreaterThan(20);
  await database.exec(script);
  const ledger = await sumsOf(database);
  const applied = await migrate(database);
  expect(applied.at(-1)).toBe(`${newestMigration()}.sql`);
  const after: Record<string, number> = {};
  for (const table of Object.keys(before)) after[table] = await count(database, table);
  // New versions of the standard agreement are additional rows.
  expect(after["contract_templates"] ?? 0).toBeGreaterThanOrEqual(before["contract_templates"] ?? 0);
  expect({ ...after, contract_templates: 0 }).toEqual({ ...before, contract_templates: 0 });
  expect(await sumsOf(database)).toEqual(ledger);
  expect(ledger.length).toBeGreaterThan(3);
  expect(await migrate(database)).toEqual([]);
  return (await verify(database.db)).filter(({ count: found }) => found > 0);
}

async function count({ db }: Database, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? -1;
}

/** Returns the balance of each kind of account, in cents. */
const sumsOf = async ({ db }: Database) =>
  (
    await sql`select split_part(account, ':', 1) as kind, currency, sum(amount)::int as sum from ledger_entries
      group by 1, 2 order by 1, 2`.execute(db)
  ).rows;

test("finds twelve stored versions, one for each part of the history", () => expect(dumps).toHaveLength(12));

test.each(onPostgres)("migrates %s to the newest version in one step on PostgreSQL", async (file) => {
  const name = `stored_${randomBytes(6).toString("hex")}`;
  const database = await openDatabase({ url: await createDatabase(server, name) });
  try {
    expect(await upgrade(database, file)).toEqual([]);
  } finally {
    await database.close();
    await dropDatabase(server, name);
  }
});

test.each(embedded)("migrates %s to the newest version in one step on the embedded engine", async (file) => {
  const database = await openDatabase({});
  try {
    expect(await upgrade(database, file)).toEqual([]);
  } finally {
    await database.close();
  }
});
