import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { ConfigError } from "../config.ts";
import { violatedConstraint, type Database, json, migrate, refuseNewerDatabase, sqlState } from "./index.ts";

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await freshDatabase();
  database = place.database;
});
afterAll(() => place.drop());

describe("the outer handle inside a transaction", () => {
  test("throws immediately, instead of waiting forever or reading outside", async () => {
    const work = database.transaction(async () => database.db.selectFrom("seed_markers").selectAll().execute());
    await expect(work).rejects.toThrow("the outer database handle was used inside a transaction");
  });

  test("refuses a transaction inside a transaction", async () => {
    const work = database.transaction(async () => database.transaction(async () => 1));
    await expect(work).rejects.toThrow("a transaction was opened inside a transaction");
  });

  test("works again afterwards, and beside a running transaction", async () => {
    expect(await database.db.selectFrom("seed_markers").selectAll().execute()).toEqual([]);
  });
});

test("isolates transactions from reads and from each other", async () => {
  const inside = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const first = database.transaction(async (tx) => {
    await tx.insertInto("seed_markers").values({ name: "beside" }).execute();
    inside.resolve();
    await goOn.promise;
    throw new Error("stop");
  });
  await inside.promise;
  const read = database.db.selectFrom("seed_markers").select("name").execute();
  const second = database.transaction((tx) => tx.insertInto("seed_markers").values({ name: "second" }).execute());
  goOn.resolve();
  await expect(first).rejects.toThrow("stop");
  expect((await read).map((row) => row.name)).not.toContain("beside");
  await second;
  expect(await database.db.selectFrom("seed_markers").select("name").execute()).toEqual([{ name: "second" }]);
});

test("rolls a failed transaction back", async () => {
  const work = database.transaction(async (tx) => {
    await tx.insertInto("seed_markers").values({ name: "half" }).execute();
    throw new Error("stop");
  });
  await expect(work).rejects.toThrow("stop");
  expect(await database.db.selectFrom("seed_markers").where("name", "=", "half").selectAll().execute()).toEqual([]);
});

test("returns the same values on both engines", async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select date '2026-03-29' as day, 9007199254740991::int8 as big, timestamptz '2026-03-29 01:30+00' as at,
           '{"a":[1]}'::jsonb as doc, array['x','y'] as list, '\\x00ff'::bytea as bytes`.execute(database.db);
  const row = rows[0] ?? {};
  expect(row["day"]).toBe("2026-03-29");
  expect(row["big"]).toBe(Number.MAX_SAFE_INTEGER);
  expect(row["at"]).toEqual(new Date("2026-03-29T01:30:00Z"));
  expect(row["doc"]).toEqual({ a: [1] });
  expect(row["list"]).toEqual(["x", "y"]);
  expect([...(row["bytes"] as Uint8Array)]).toEqual([0, 255]);
});

test("throws on an integer that a number cannot represent", async () => {
  await expect(sql`select 9007199254740993::int8 as big`.execute(database.db)).rejects.toThrow(
    "too large to be handled exactly",
  );
});

test("returns a JSON document unchanged", async () => {
  const value = { list: [1, "two", null], text: 'quote " and \\ back' };
  await database.transaction((tx) =>
    tx
      .insertInto("event_outbox")
      .values({ topic: "test", body: json(value), dead_at: new Date() })
      .execute(),
  );
  const row = await database.db
    .selectFrom("event_outbox")
    .select("body")
    .where("topic", "=", "test")
    .executeTakeFirstOrThrow();
  expect(row.body).toEqual(value);
});

test("reports a violated constraint by name", async () => {
  const twice = database.transaction(async (tx) => {
    await tx
      .insertInto("seed_markers")
      .values([{ name: "once" }, { name: "once" }])
      .execute();
  });
  const error: unknown = await twice.catch((caught: unknown) => caught);
  expect(sqlState(error)).toBe("23505");
  expect(violatedConstraint(error)).toBe("seed_markers_pkey");
});

test("applies no migration a second time", async () => {
  expect(await migrate(database)).toEqual([]);
});

test("refuses a database that a newer version has migrated, unless the operator allows it", async () => {
  await sql`insert into migrations (name) values ('0970_renamed_since.sql')`.execute(database.db);
  await refuseNewerDatabase(database, false);
  await sql`insert into migrations (name) values ('9999_future.sql')`.execute(database.db);
  await expect(refuseNewerDatabase(database, false)).rejects.toThrow(
    "The database belongs to a newer version of Stagedoor (9999_future.sql is unknown here).",
  );
  await refuseNewerDatabase(database, true);
  await sql`delete from migrations where name in ('0970_renamed_since.sql', '9999_future.sql')`.execute(database.db);
});

test("names the file and the statement of a failed migration, and undoes the whole file", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-migrations-"));
  try {
    writeFileSync(path.join(folder, "9001_good.sql"), "create table fine (id int); -- nothing; more\n");
    writeFileSync(
      path.join(folder, "9002_bad.sql"),
      `create table half (id int default 1, text text default 'a;b');
       /* not; a statement */
       create function answer() returns int language plpgsql as $body$ begin return 1; end; $body$;
       alter table half
         add column id text;
       drop table fine;`,
    );
    await expect(migrate(database, { folder })).rejects.toThrow(
      new ConfigError(
        'The database was not changed by the migration 9002_bad.sql, because its statement "alter table half add column id text" failed (column "id" of relation "half" already exists).',
      ),
    );
    const { rows } = await sql`select to_regclass('half') as half, to_regclass('fine')::text as fine,
      (select array_agg(name) from migrations where name like '9%') as applied`.execute(database.db);
    expect(rows).toEqual([{ half: null, fine: "fine", applied: ["9001_good.sql"] }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rejects overlapping reservations of one artist", async () => {
  const error: unknown = await database
    .transaction(async (tx) => {
      const artist = await tx
        .insertInto("artists")
        .values({ slug: "overlap", name: "Overlap", genre: "jazz" })
        .returning("id")
        .executeTakeFirstOrThrow();
      for (const minute of ["00", "30"]) {
        const booking = await sql<{ id: string }>`
          insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type, duration_minutes,
            venue_name, venue_address, time_zone, starts_at, ends_at, fee_cents, currency, deposit_percent, deposit_cents, balance_cents,
            commission_bps, policy_name, policy)
          values (${artist.id}, 'R', 'r@example.test', '1', '2030-05-01', '20:00', 'Concert', 60, 'V', 'V', 'UTC',
            '2030-05-01 20:00+00', '2030-05-01 21:00+00', 0, 'usd', 0, 0, 0, 0, 'standard', '{}') returning id`.execute(
          tx,
        );
        await sql`insert into date_reservations (artist_id, booking_id, kind, during)
          values (${artist.id}, ${booking.rows[0]?.id}, 'booked', tstzrange(${`2030-05-01 20:${minute}+00`}::timestamptz, '2030-05-01 23:00+00'))`.execute(
          tx,
        );
      }
    })
    .catch((caught: unknown) => caught);
  expect(sqlState(error)).toBe("23P01");
  expect(violatedConstraint(error)).toBe("one_reservation_per_date");
});

test("names the failed statement in its error, without its values", async () => {
  const secret = `secret-${randomUUID()}`;
  const insert = () => place.database.db.insertInto("seed_markers").values({ name: secret }).execute();
  await insert();
  const error = await insert().catch((thrown: unknown) => thrown);
  expect(sqlState(error)).toBe("23505");
  expect(error).toMatchObject({ statement: "insert seed_markers", constraint: expect.any(String) });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
});
