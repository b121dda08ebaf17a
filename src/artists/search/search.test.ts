import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "#platform/db/index.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";
import type { ArtistListInput } from "../api.ts";
import { matchPlace } from "../gazetteer/index.ts";
import { ownLimitsFor } from "../nights/night.views.ts";
import { milesBetween } from "../nights/travel.rules.ts";
import { artistSorts, withoutAccents, genres, searchTerm } from "../rules.ts";
import { insertArtist } from "../store.ts";
import { countArtists, searchArtists } from "./search.views.ts";

let place: TestDatabase;
let database: Database;
const takenNight = "2031-05-17";
const now = new Date("2030-06-01T12:00:00Z");

beforeAll(async () => {
  place = await freshDatabase();
  database = place.database;
  await database.exec(loadTestArtistsSql(250));
  await database.transaction(async (tx) => {
    const names =
      "100% Brass,under_score,back\\slash,ÅNGSTRÖM,Жар-птица,Ab,a,Jazz Hands,e'); drop table artists;--,The  Wide   Gap";
    for (const name of names.split(",")) await insertArtist(tx, { name, genre: "folk", baseRate: 90_000 });
    await insertArtist(tx, { name: "Hidden Foxes", isActive: false });
    await insertArtist(tx, { name: "Ask Foxes", baseRate: 0 });
  });
  await takeDates();
  // With the planner's statistics, rare characters use their index. Without them the list is scanned.
  await database.exec("analyze artists");
});
afterAll(() => place.drop());

/** Books the taken night for every seventh artist: until after midnight, but before six in the morning. */
async function takeDates(): Promise<void> {
  await database.exec(`
    insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type, duration_minutes,
      venue_name, venue_address, time_zone, starts_at, ends_at, status, fee_cents, currency, deposit_percent, deposit_cents, balance_cents,
      commission_bps, policy_name, policy)
    select id, 'P', 'p@example.test', '1', '${takenNight}', '22:00', 'Concert', 240, 'V', 'V', 'America/Chicago',
      timestamp '${takenNight} 22:00' at time zone 'America/Chicago', timestamp '2031-05-18 02:00' at time zone 'America/Chicago',
      'initiated', 100, 'usd', 0, 0, 100, 0, 'standard', '{}'
    from (select id, row_number() over (order by slug) n from artists) a where n % 7 = 0;
    insert into date_reservations (artist_id, booking_id, kind, during)
    select artist_id, id, 'booked', tstzrange(starts_at - interval '1 hour', ends_at + interval '1 hour') from bookings;`);
}

async function naive(input: ArtistListInput): Promise<string[]> {
  const { rows } = await sql<Row>`
    select a.*, extract(epoch from created_at) * 1000000 as born,
      exists (select 1 from bookings b join date_reservations c on c.booking_id = b.id where b.artist_id = a.id and b.event_date = ${input.freeOn ?? null}) as busy
    from artists a`.execute(database.db);
  const term = withoutAccents(searchTerm(input.search ?? ""));
  const has = (text: string) => withoutAccents(text).includes(term);
  const price = (row: Row) => row.base_rate || Number.POSITIVE_INFINITY;
  const kept = rows.filter(
    (row) =>
      row.is_active &&
      (has(row.name) || has(row.genre)) &&
      (!input.genre || row.genre === input.genre) &&
      (input.minPrice === undefined || (row.base_rate > 0 && row.base_rate >= input.minPrice)) &&
      (input.maxPrice === undefined || (row.base_rate > 0 && row.base_rate <= input.maxPrice)) &&
      (!input.freeOn || !row.busy),
  );
  const byId = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);
  const orders = {
    booked: (a: Row, b: Row) => b.booked_count - a.booked_count || byId(b, a),
    rating: (a: Row, b: Row) => b.rating_x10 - a.rating_x10 || byId(b, a),
    price: (a: Row, b: Row) => (price(a) === price(b) ? byId(a, b) : price(a) - price(b)),
    newest: (a: Row, b: Row) => Number(b.born) - Number(a.born) || byId(b, a),
  };
  const sort = input.sort === undefined || input.sort === "nearest" ? "booked" : input.sort;
  return kept.sort(orders[sort]).map((row) => row.slug);
}

type Row = {
  id: string;
  slug: string;
  name: string;
  genre: string;
  is_active: boolean;
  base_rate: number;
  booked_count: number;
  rating_x10: number;
  born: string;
  busy: boolean;
};

/** Returns the artists within and beyond their travel radius to a town, by settings and positions alone: distances in miles by slug. */
async function naiveByDistance(town: string): Promise<{ comes: Map<string, number>; away: Map<string, number> }> {
  const place = matchPlace(town);
  if (!place) throw new Error(`${town} is not known`);
  const { rows } = await sql<{ slug: string; lat: number | null; lon: number | null; radius: unknown }>`
    select slug, lat, lon, (select value->'travelRadius' from settings where scope = 'artist' and owner_id = a.id) as radius
    from artists a where is_active`.execute(database.db);
  const found = { comes: new Map<string, number>(), away: new Map<string, number>() };
  for (const { slug, lat, lon, radius } of rows) {
    const miles = lat === null || lon === null ? Infinity : milesBetween(place, { lat, lon });
    const max = typeof radius === "number" && radius <= 1_000 ? radius : artistDefaults.travelRadius;
    found[miles === Infinity || miles <= max ? "comes" : "away"].set(slug, miles);
  }
  return found;
}

async function walk(input: ArtistListInput): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchArtists(database.db, { ...input, cursor }, now);
    found.push(...page.rows.map((row) => row.slug));
    cursor = page.nextCursor ?? undefined;
  } while (cursor && found.length < 3_000);
  return found;
}

const words = fc.oneof(
  fc.constantFrom(..."velvet,FOX,jazz,a,E,an,%,_,\\,0%,r_s,ström,ЖАР,jar,zq,é,  ,wide gap,e\nf,','); drop".split(",")),
  fc.string({ maxLength: 4 }).filter((text) => !text.includes("\0")),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const inputs: fc.Arbitrary<ArtistListInput> = fc.record({
  search: maybe(words),
  genre: maybe(fc.constantFrom(...genres)),
  minPrice: maybe(fc.integer({ min: 0, max: 300_000 })),
  maxPrice: maybe(fc.integer({ min: 0, max: 300_000 })),
  freeOn: maybe(fc.constantFrom(takenNight, "2031-05-16", "2031-05-18")),
  sort: maybe(fc.constantFrom(...artistSorts)),
  limit: fc.constantFrom(1, 7, 24, 100),
});

it("finds what the naive rule finds, in the same order, for all filters", async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const expected = await naive(input);
      const limit = Math.max(input.limit ?? 24, 24);
      expect(await walk({ ...input, limit })).toEqual(expected);
      const { sort: _sort, limit: _limit, ...filters } = input;
      expect(await countArtists(database.db, filters, now)).toEqual({ total: expected.length, capped: false });
    }),
    { numRuns: 40 },
  );
});

it("lists artists who come to a town and those who live farther away, nearest first, for few and for many", async () => {
  await database.exec(`
    insert into settings (scope, owner_id, value)
      select 'artist', id, jsonb_build_object('travelRadius', case n % 4 when 0 then '1000' when 1 then '400' when 2 then '0' else '5000' end::jsonb)
      from (select id, row_number() over (order by slug) n from artists where lat is not null) a where n % 3 = 0;
    update settings set value = '{"travelRadius": 700}' where scope = 'artist' and (value->>'travelRadius')::int = 400;`);
  const night = "2030-09-10";
  for (const town of ["Denver, Colorado", "Austin, Texas"]) {
    const { comes, away } = await naiveByDistance(town);
    expect(Math.min(comes.size, away.size)).toBeGreaterThan(20);
    for (const [expected, filter] of [
      [comes, { available: true }],
      [away, { farther: true }],
      [new Map([...comes, ...away]), {}],
    ] as const)
      for (const sort of [undefined, "price"] as const) {
        const slugs = await walk({ night, town, ...filter, sort, limit: 24 });
        expect([...slugs].sort()).toEqual([...expected.keys()].sort());
        const miles = slugs.map((slug) => expected.get(slug) ?? NaN);
        if (!sort) expect(miles).toEqual(miles.toSorted((a, b) => a - b));
      }
    expect(await countArtists(database.db, { night, town, available: true }, now)).toMatchObject({
      total: Math.min(comes.size, 1_000),
      away: away.size,
    });
    // In the second town many artists come, and another plan finds them.
    await database.exec(`
      insert into artists (slug, name, genre, base_rate, lat, lon, time_zone)
      select 'local-' || n, 'Local ' || n, 'pop', 50000, 30.2672, -97.7431, 'America/Chicago' from generate_series(1, 1100) n
      where not exists (select from artists where slug = 'local-1')`);
  }
  await database.exec("delete from artists where slug like 'local-%'");
});

it("names the two nearest nights with more free artists when few are free", async () => {
  await database.transaction(async (tx) => {
    for (let number = 1; number <= 7; number++) await insertArtist(tx, { name: `Nearby Trio ${number}` });
  });
  const block = (night: string, max: number) => `
    insert into date_reservations (artist_id, kind, during)
    select id, 'blocked', tstzrange('${night}T10:00Z', '${night}T10:00Z'::timestamptz + interval '20 hours')
    from artists where name like 'Nearby Trio%' order by name limit ${max};`;
  await database.exec(block("2030-09-10", 5) + block("2030-09-11", 6));
  const count = (night: string) => countArtists(database.db, { night, search: "nearby trio", available: true }, now);
  expect(await count("2030-09-10")).toMatchObject({
    total: 2,
    nearby: [
      { night: "2030-09-09", total: 7 },
      { night: "2030-09-12", total: 7 },
    ],
  });
  const genres = [{ genre: "other", count: 7 }];
  expect(await count("2030-09-20")).toEqual({ total: 7, capped: false, genres });
  expect(await count("9999-12-31")).toMatchObject({ total: 0, nearby: [] });
});

it.each(artistSorts)("lists every artist once in pages of one, in the order %s", async (sort) => {
  const everybody = await naive({ search: "fox", sort });
  expect(everybody.length).toBeGreaterThan(5);
  expect(await walk({ search: "fox", sort, limit: 1 })).toEqual(everybody);
});

it("lists all artists who joined in the same instant", async () => {
  await sql`update artists set created_at = '2030-01-01 00:00:00.123456Z' where name like '%Foxes%'`.execute(
    database.db,
  );
  expect(await walk({ sort: "newest", limit: 2 })).toEqual(await naive({ sort: "newest" }));
});

it.each([
  ["angstrom", "ÅNGSTRÖM"],
  ["ANGSTRÖM", "ÅNGSTRÖM"],
  ["électric föxes", "Electric Foxes"],
])("finds by %s the name %s", async (search, name) => {
  await database.transaction((tx) => insertArtist(tx, { name: "Electric Foxes" }));
  const { rows } = await searchArtists(database.db, { search }, now);
  expect(rows.map((row) => row.name)).toContain(name);
  const plan = await database.transaction(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql<{ "QUERY PLAN": string }>`explain select from artists
      where is_active and name_text like without_accents(${sql.lit(`%${search}%`)})`.execute(tx);
  });
  expect(plan.rows.map((row) => row["QUERY PLAN"]).join()).toContain("artists_name");
});

it("neither repeats nor omits artists if one joins between two pages", async () => {
  const before = await naive({ sort: "newest" });
  const first = await searchArtists(database.db, { sort: "newest", limit: 10 }, now);
  await database.transaction((tx) => insertArtist(tx, { name: "Late Arrival", createdAt: new Date("2030-06-01") }));
  const next = { sort: "newest", limit: 10, cursor: first.nextCursor ?? undefined } as const;
  const second = await searchArtists(database.db, next, now);
  expect([...first.rows, ...second.rows].map((row) => row.slug)).toEqual(before.slice(0, 20));
});

it("refuses a forged cursor and one of another order", async () => {
  const { nextCursor } = await searchArtists(database.db, { sort: "price", limit: 1 }, now);
  for (const cursor of ["x", "bnVsbA", nextCursor ?? "", Buffer.from('["booked","1",2]').toString("base64url")]) {
    const refused = searchArtists(database.db, { sort: "booked", cursor }, now);
    await expect(refused).rejects.toMatchObject({ code: "invalid" });
  }
});

it("leaves only artists with wider limits than the defaults for a night outside the default notice and advance", async () => {
  const [plain, wide] = await database.transaction(async (tx) => {
    const ids = [];
    const { minimumNotice, maximumBookingDays } = artistDefaults;
    for (const limits of [
      { minimumNotice, maximumBookingDays },
      { minimumNotice: 0, maximumBookingDays: maximumBookingDays + 90 },
    ]) {
      const { id } = await insertArtist(tx, { name: `Limits ${ids.length}` });
      await changeArtistSettings(tx, id, limits, id);
      ids.push(id);
    }
    return ids;
  });
  for (const night of ["2030-06-02", "2031-08-01"]) {
    const condition = ownLimitsFor(night, sql`a.id`, now) ?? sql<boolean>`true`;
    const { rows } = await sql<{ id: string }>`
      select a.id from artists a where ${condition} and a.id in (${plain}::uuid, ${wide}::uuid)`.execute(database.db);
    expect(rows, night).toEqual([{ id: wide }]);
  }
});
