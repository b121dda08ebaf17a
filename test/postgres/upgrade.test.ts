/** A database of an earlier version is migrated without losing a row. For the embedded engine see test/process/upgrade.test.ts. */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { openServices } from "#app/services.ts";
import { readConfig } from "#platform/config.ts";
import { type Database, migrate, migrationsFolder, openDatabase } from "#platform/db/index.ts";
import { oldBookings, oldMarket, oldRowCounts } from "#test/harness/old-market.ts";
import { createDatabase, dropDatabase, withClient } from "#test/served-databases.ts";

const script = oldMarket();
let database: Database;
let applied: string[];

const server = process.env["DATABASE_URL_TEST"] ?? "";
const name = `upgrade_${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  database = await openDatabase({ url: await createDatabase(server, name) });
  await database.exec(script);
  applied = await migrate(database);
});
afterAll(async () => {
  await database.close();
  await dropDatabase(server, name);
});

async function count(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(database.db);
  return rows[0]?.n ?? -1;
}

test("retains the rows of every table under its current name", async () => {
  const before = oldRowCounts(script);
  expect(before).toMatchObject({ artists: 127, bookings: 637, payments: 1099, ledger_entries: 5630, users: 49 });
  const after: Record<string, number> = {};
  for (const table of Object.keys(before)) after[table] = await count(table);
  expect(after).toEqual(before);
});

test("applies only later migrations, and none in a second run", async () => {
  expect(applied).toContain("0080_standard_names.sql");
  expect(applied).not.toContain("0050_message_delivery.sql");
  expect(await migrate(database)).toEqual([]);
});

test("builds the indexes of the searches while others read the tables", async () => {
  const scriptOf = (name: string) => readFileSync(path.join(migrationsFolder, name), "utf8");
  await database.transaction(async (tx) => {
    await sql.raw(scriptOf("1411_searches_without_accents.sql")).execute(tx);
    const { rows } = await sql`
      select relation::regclass::text as blocked from pg_locks
      where pid = pg_backend_pid() and mode = 'AccessExclusiveLock'
        and relation in ('bookings'::regclass, 'profiles'::regclass, 'activity'::regclass)`.execute(tx);
    expect(rows).toEqual([]);
  });
  await database.exec(scriptOf("1412_former_indexes_of_searches.sql"));
});

test("satisfies the rules of ledger, dates and users", async () => {
  expect((await verify(database.db)).filter(({ count: found }) => found > 0)).toEqual([]);
});

test("retains amounts, states and holds", async () => {
  const { rows } = await sql<{ currency: string; sum: number }>`
    select currency, sum(amount)::int as sum from ledger_entries where account = 'psp_clearing' group by currency`.execute(
    database.db,
  );
  expect(rows).toEqual([{ currency: "usd", sum: clearingOf(script) }]);
  const payments = await database.db
    .selectFrom("payments")
    .select(["booking_id", "kind", "amount", "status", "checkout_state"])
    .where("booking_id", "in", Object.values(oldBookings))
    .orderBy("created_at")
    .execute();
  expect(payments).toEqual([
    { booking_id: oldBookings.paid, kind: "deposit", amount: 37_500, status: "succeeded", checkout_state: "paid" },
    {
      booking_id: oldBookings.open,
      kind: "deposit",
      amount: 37_500,
      status: "requires_payment_method",
      checkout_state: "open",
    },
  ]);
  const reservations = await database.db
    .selectFrom("date_reservations")
    .select(["booking_id", "kind"])
    .where("booking_id", "in", Object.values(oldBookings))
    .orderBy("kind")
    .execute();
  expect(reservations).toEqual([
    { booking_id: oldBookings.paid, kind: "booked" },
    { booking_id: oldBookings.open, kind: "hold" },
  ]);
});

/** Sums psp_clearing from the script's text. */
const clearingOf = (text: string): number =>
  Array.from(text.matchAll(/^\('\d+', '[\w-]+', 'psp_clearing', '(-?\d+)', 'usd'\)/gm)).reduce(
    (sum, [, amount]) => sum + Number(amount),
    0,
  );

test("refuses a process with another key before it changes anything", async () => {
  const other = `${name}_key`;
  const url = await createDatabase(server, other);
  try {
    await withClient(url, (client) => client.query(script));
    const schema = () =>
      withClient(url, async (client) => {
        const migrations = await client.query("select name, at from migrations order by name");
        const columns = await client.query(
          "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2",
        );
        return { migrations: migrations.rows, columns: columns.rows as unknown[] };
      });
    const before = await schema();
    const config = readConfig({
      DATABASE_URL: url,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "silent",
    });
    await expect(openServices(config)).rejects.toThrow(/^SECRETS_KEY: .* encrypted with another key/);
    expect(await schema()).toEqual(before);
    expect(before.migrations).not.toEqual([]);
  } finally {
    await dropDatabase(server, other);
  }
});
