/** Prepared statements on a PostgreSQL server: same results as without them, limited in number, and safe during a migration. */

import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ArtistListInput } from "#artists/api.ts";
import { searchArtists } from "#artists/index.ts";
import { artistSorts, genres } from "#artists/rules.ts";
import {
  violatedConstraint,
  type Database,
  openDatabase,
  type Reader,
  sentWithNext,
  type Tx,
} from "#platform/db/index.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";

let place: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  place = await freshDatabase("postgres");
  await place.database.exec(loadTestArtistsSql(300));
  await place.database.exec("analyze artists");
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await place.drop();
});

/** Opens a separate pool on the same database, by default with one connection, so every query uses the same one. */
async function pool(options: { prepare?: boolean; poolSize?: number } = {}): Promise<Database> {
  const database = await openDatabase({ url: place.url, poolSize: 1, ...options });
  opened.push(database);
  return database;
}

/** Returns the number of prepared statements of a pool's only connection, and its server process. */
async function held(database: Database): Promise<{ statements: number; pid: number }> {
  const { rows } = await sql<{ statements: number; pid: number }>`
    /* not a select at the start: this question itself is never prepared */
    select count(*)::int as statements, pg_backend_pid() as pid from pg_prepared_statements`.execute(database.db);
  return rows[0] ?? { statements: Number.NaN, pid: 0 };
}

const now = new Date("2031-01-01T12:00:00Z");
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
const inputs: fc.Arbitrary<ArtistListInput> = fc.record({
  search: maybe(fc.constantFrom("velvet", "jazz", "a", "zz", "no such name", "%")),
  genre: maybe(fc.constantFrom(...genres)),
  minPrice: maybe(fc.integer({ min: 0, max: 300_000 })),
  maxPrice: maybe(fc.integer({ min: 0, max: 300_000 })),
  freeOn: maybe(fc.constantFrom("2031-05-16", "2031-05-18")),
  night: maybe(fc.constantFrom("2031-05-16", "2031-05-18")),
  town: maybe(fc.constantFrom("Austin, Texas", "Nowhere at all")),
  available: maybe(fc.constant(true)),
  sort: maybe(fc.constantFrom(...artistSorts)),
  limit: fc.constantFrom(1, 24),
});

test("returns the same search results with and without prepared statements", async () => {
  const [on, off] = [await pool(), await pool({ prepare: false })];
  const query = fc.asyncProperty(inputs, async (input) => {
    expect(await searchArtists(on.db, input, now)).toEqual(await searchArtists(off.db, input, now));
  });
  await fc.assert(query, { numRuns: 150 });
  // Searches whose plan depends on their words are planned each time. The others are prepared when they are repeated.
  for (const database of [on, on, on, off, off, off]) await searchArtists(database.db, { limit: 24 }, now);
  expect((await held(on)).statements).toBeGreaterThan(0);
  expect((await held(off)).statements).toBe(0);
});

test("returns the same values of every kind, even with a generic plan", async () => {
  const [on, off] = [await pool(), await pool({ prepare: false })];
  const kinds = fc.record({
    number: fc.option(fc.maxSafeInteger()),
    day: fc.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
    text: fc.option(fc.string({ unit: "grapheme" }).filter((one) => !one.includes("\0") && one.isWellFormed())),
    list: fc.array(fc.stringMatching(/^[a-z" \\,{}']*$/)),
    flag: fc.option(fc.boolean()),
    bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  });
  const read = async (database: Database, given: typeof kinds extends fc.Arbitrary<infer T> ? T : never) => {
    const { rows } = await sql`
      select ${given.number}::int8 as number, ${given.day}::timestamptz as time, ${given.day.toISOString().slice(0, 10)}::date as day,
        ${given.text}::text as text, ${given.list}::text[] as list, ${given.flag}::boolean as flag, ${given.bytes}::bytea as bytes,
        ${JSON.stringify(given.list)}::jsonb as document`.execute(database.db);
    return rows;
  };
  await fc.assert(
    fc.asyncProperty(kinds, async (given) => {
      expect(await read(on, given)).toEqual(await read(off, given));
    }),
    { numRuns: 60 },
  );
});

test("limits the statements of a connection, and replaces a full one", async () => {
  const database = await pool();
  const before = await held(database);
  for (let number = 0; number < 700; number++) {
    const query = () => sql<{ n: number }>`select ${sql.lit(number)}::int + ${1}::int as n`.execute(database.db);
    await query();
    expect((await query()).rows).toEqual([{ n: number + 1 }]);
  }
  const after = await held(database);
  expect(after.pid).not.toBe(before.pid);
  expect(after.statements).toBeGreaterThan(0);
  expect(after.statements).toBeLessThanOrEqual(600);
});

test("runs queries and transactions during a migration by another process", async () => {
  const database = await pool();
  await place.database.exec("create table prepared_probe (a int); insert into prepared_probe values (1)");
  const query = async (reader: Reader) =>
    (await sql<object>`select * from prepared_probe where a = ${1}`.execute(reader)).rows;
  for (let time = 0; time < 3; time++) expect(await query(database.db)).toEqual([{ a: 1 }]);
  await place.database.exec("alter table prepared_probe add column b int not null default 2");
  expect(await query(database.db)).toEqual([{ a: 1, b: 2 }]);
  for (let time = 0; time < 3; time++) expect(await query(database.db)).toEqual([{ a: 1, b: 2 }]);
  await place.database.exec("alter table prepared_probe add column c int not null default 3");
  expect(await database.transaction((tx) => query(tx))).toEqual([{ a: 1, b: 2, c: 3 }]);
});

describe("statements sent with the next one", () => {
  let database: Database;
  beforeAll(async () => {
    database = await pool();
    await place.database.exec("create table travel_probe (a int primary key check (a < 100))");
  });
  const write = (tx: Tx, a: number) => sql`insert into travel_probe (a) values (${a}) ${sentWithNext}`.execute(tx);
  const stored = async (reader: Reader) =>
    (await sql<{ a: number }>`select a from travel_probe order by a`.execute(reader)).rows.map(({ a }) => a);

  test("run before it in order, and at the latest before the commit", async () => {
    await database.transaction(async (tx) => {
      await write(tx, 1);
      await write(tx, 2);
      expect(await stored(tx)).toEqual([1, 2]);
      await write(tx, 3);
    });
    expect(await stored(place.database.db)).toEqual([1, 2, 3]);
    await database.transaction((tx) => write(tx, 4));
    expect(await stored(place.database.db)).toEqual([1, 2, 3, 4]);
  });

  test("are rolled back with their transaction, sent or not", async () => {
    const before = await stored(place.database.db);
    const undo = new Error("undone");
    for (const isRead of [false, true]) {
      const work = database.transaction(async (tx) => {
        await write(tx, 50);
        if (isRead) expect(await stored(tx)).toContain(50);
        await write(tx, 51);
        throw undo;
      });
      await expect(work).rejects.toBe(undo);
    }
    expect(await stored(database.db)).toEqual(before);
  });

  test("fail the next statement or the commit with their own error, without personal data, and store nothing", async () => {
    const before = await stored(place.database.db);
    const failures = [
      database.transaction(async (tx) => {
        await write(tx, 60);
        await write(tx, 777);
        await stored(tx);
      }),
      database.transaction(async (tx) => {
        await write(tx, 61);
        await write(tx, 777);
      }),
    ];
    for (const failure of failures) {
      const error: unknown = await failure.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(violatedConstraint(error)).toBe("travel_probe_a_check");
      expect(error).toMatchObject({ statement: "insert travel_probe" });
      expect(JSON.stringify(error)).not.toContain("777");
      expect(error).not.toHaveProperty("detail");
    }
    expect(await stored(database.db)).toEqual(before);
  });

  test("acquire a lock before the next statement reads", async () => {
    const two = await pool({ poolSize: 2 });
    const next = () =>
      two.transaction(async (tx) => {
        await sql`select pg_advisory_xact_lock(4711) ${sentWithNext}`.execute(tx);
        const { rows } = await sql<{ top: number }>`select max(a) as top from travel_probe`.execute(tx);
        await write(tx, (rows[0]?.top ?? 0) + 1);
      });
    const [top = 0] = (await stored(two.db)).slice(-1);
    await Promise.all(Array.from({ length: 20 }, next));
    expect((await stored(two.db)).slice(-1)).toEqual([top + 20]);
  });
});
