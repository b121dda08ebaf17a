/**
 * An upgrade killed by SIGKILL at any moment leaves the schema of the last complete migration. The next start migrates to
 * the newest one with every row. TEST_DEEP=1 kills fifty times.
 */

import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { type Database, migrate, openDatabase, pendingMigrations } from "#platform/db/index.ts";
import { oldMarket, oldMarketKey } from "#test/harness/old-market.ts";
import { createDatabase, dropDatabase, withClient } from "#test/served-databases.ts";
import { endAll, freshFolder, launch } from "../process/server.ts";

const kills = process.env["TEST_DEEP"] === "1" ? 50 : 2;
const server = process.env["DATABASE_URL_TEST"] ?? "";
const name = (what: string) => `${what}_${randomBytes(6).toString("hex")}`;
const old = name("old");
const migrations = path.resolve(import.meta.dirname, "../../migrations");

/** The migrations that the old market lacks, in order. */
let pending: string[];
/** The schema before the first of them, and after each. */
const schemas: string[] = [];

beforeAll(async () => {
  const market = await openDatabase({ url: await createDatabase(server, old) });
  await market.exec(oldMarket());
  ({ pending } = await pendingMigrations(market));
  await market.close();
  const copy = name("reference");
  const database = await openDatabase({ url: await createDatabase(server, copy, old) });
  const folder = freshFolder();
  schemas.push(await schemaOf(database));
  for (const file of pending) {
    cpSync(path.join(migrations, file), path.join(folder, file));
    expect(await migrate(database, { folder })).toEqual([file]);
    schemas.push(await schemaOf(database));
  }
  await database.close();
  await dropDatabase(server, copy);
});
afterAll(async () => {
  await endAll();
  await dropDatabase(server, old);
});

/** Returns tables, columns, indexes, constraints and functions as one text. */
async function schemaOf({ db }: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, generation_expression) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', p.oid::regprocedure, p.prosrc) from pg_proc p
      where pronamespace = 'public'::regnamespace and prokind = 'f'
    order by 1`.execute(db);
  return rows.map(({ line }) => line).join("\n");
}

const appliedIn = async (url: string) =>
  withClient(url, async (client) => (await client.query("select count(*)::int as n from migrations")).rows[0].n);

/** Starts the new version on the database and kills it after `after` migrations. */
async function killDuringUpgrade(url: string, after: number): Promise<void> {
  const before = await appliedIn(url);
  const env = { DATABASE_URL: url, DATA_DIR: freshFolder(), SECRETS_KEY: oldMarketKey, DEMO: "1", PORT: "0" };
  const { child, ended, output } = launch("src/app/main.ts", [], env);
  await withClient(url, async (client) => {
    const enough = "select count(*) >= $1 as enough from migrations";
    while (child.exitCode === null && !(await client.query(enough, [before + after])).rows[0].enough) await pause(1);
  });
  child.kill("SIGKILL");
  expect((await ended).signal, output()).toBe("SIGKILL");
  // PostgreSQL rolls back when it notices the lost connection.
  await expect
    .poll(() =>
      withClient(server, async (client) => {
        const others = "select count(*)::int as n from pg_stat_activity where datname = $1";
        return (await client.query(others, [new URL(url).pathname.slice(1)])).rows[0].n;
      }),
    )
    .toBe(0);
}

test(
  `leaves ${kills} killed upgrades between two migrations, and migrates each at the next start`,
  { timeout: 120_000 + kills * 30_000 },
  async () => {
    expect(pending.length).toBeGreaterThan(20);
    const kept = new Set<number>();
    for (let kill = 0; kill < kills; kill++) {
      const copy = name("killed");
      const url = await createDatabase(server, copy, old);
      await killDuringUpgrade(url, Math.floor(((kill + 1) * pending.length) / (kills + 1)));
      const database = await openDatabase({ url });
      try {
        const left = (await pendingMigrations(database)).pending;
        expect(pending.slice(pending.length - left.length)).toEqual(left);
        expect(await schemaOf(database)).toBe(schemas[pending.length - left.length]);
        kept.add(left.length);
        expect(await migrate(database)).toEqual(left);
        expect(await schemaOf(database)).toBe(schemas.at(-1));
        expect((await verify(database.db)).filter(({ count }) => count > 0)).toEqual([]);
      } finally {
        await database.close();
        await dropDatabase(server, copy);
      }
    }
    // The kills interrupted different migrations.
    expect(kept.size).toBeGreaterThan(kills / 4);
  },
);
