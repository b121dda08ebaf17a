import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { activityTypes } from "#activity/rules.ts";
import { posterSignature } from "#artists/index.ts";
import { type Genre } from "#artists/rules.ts";
import { readConfig } from "#platform/config.ts";
import type { Database } from "#platform/db/index.ts";
import { movableClock } from "#platform/time/clock.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { quickAuthTiming } from "#test/quick-auth-timing.ts";
import { seedDemo } from "./index.ts";

const now = new Date("2026-11-21T05:00:00Z");
const opened: TestDatabase[] = [];
let database: Database;

const market = async (seed: "demo" | "none" = "demo") => {
  const place = await freshDatabase();
  opened.push(place);
  return {
    database: place.database,
    clock: movableClock(now),
    config: readConfig({ SEED: seed }),
    authTiming: quickAuthTiming,
  };
};
const rowsOf = async <T>(text: string, where = database): Promise<T[]> =>
  (await sql.raw<T>(text).execute(where.db)).rows;
const one = async (text: string): Promise<unknown> =>
  Object.values((await rowsOf<Record<string, unknown>>(text))[0] ?? {})[0];

beforeAll(async () => {
  const services = await market();
  database = services.database;
  expect(await seedDemo(services)).toBe(true);
  expect(await seedDemo(services)).toBe(false);
});
afterAll(async () => {
  for (const place of opened) await place.drop();
});

it("has at least 120 artists over all eleven genres, each with town, texts and pictures", async () => {
  expect(await one("select count(*)::int from artists")).toBeGreaterThanOrEqual(120);
  expect(await one("select count(distinct genre)::int from artists")).toBe(11);
  expect(
    await one(
      "select count(*)::int from artists where lat is null or time_zone = 'UTC' or length(bio) < 60 or specialties = '{}' or equipment = '{}'",
    ),
  ).toBe(0);
  expect(
    await one(
      "select count(*)::int from artists a where not exists (select 1 from artist_media m where m.artist_id = a.id)",
    ),
  ).toBe(0);
});

it("has bookings, payments and contracts in every status", async () => {
  const statuses = async (text: string) => (await rowsOf<{ s: string }>(text)).map((row) => row.s).sort();
  const booking = ["canceled", "completed", "contract_sent", "contract_signed", "deposit_paid", "initiated"];
  expect(await statuses("select distinct status s from bookings")).toEqual(booking);
  expect(await statuses("select distinct status s from bookings where promoter_email = 'promoter@demo.test'")).toEqual(
    booking,
  );
  expect(await statuses("select distinct status s from payments")).toEqual([
    "failed",
    "refunded",
    "requires_payment_method",
    "succeeded",
  ]);
  expect(await statuses("select distinct signed_status s from contracts")).toEqual([
    "declined",
    "draft",
    "sent",
    "signed",
  ]);
  expect(await statuses("select distinct onboarding_status s from artist_connect")).toEqual([
    "completed",
    "not_started",
    "pending",
    "restricted",
  ]);
});

it("leaves Electric Dreams free from day 45 on, and gives it shows before", async () => {
  const dreams = "(select id from artists where slug = 'electric-dreams')";
  const last = await one(`select max(event_date)::text from bookings where artist_id = ${dreams}`);
  expect(last! < "2027-01-05").toBe(true);
  expect(
    await one(`select count(*)::int from bookings where artist_id = ${dreams} and event_date > '2026-11-28'`),
  ).toBeGreaterThan(5);
  expect(
    await one(`select base_rate || ' ' || top_rate || ' ' || location from artists where slug = 'electric-dreams'`),
  ).toBe("150000 350000 Austin, Texas");
  expect(
    await one(`select u.email from artists a join users u on u.id = a.user_id where slug = 'electric-dreams'`),
  ).toBe("artist@demo.test");
});

it("gives no two artists the same ink and picture on their posters", async () => {
  type Row = { slug: string; genre: Genre; poster_variant: number };
  const artists = await rowsOf<Row>("select slug, genre, poster_variant from artists");
  expect(artists.length).toBeGreaterThanOrEqual(120);
  expect(new Set(artists.map((artist) => posterSignature(artist, artist.poster_variant))).size).toBe(artists.length);
});

it("reviews completed bookings only, and shows their mean and number on the cards", async () => {
  expect(
    await one(
      "select count(*)::int from reviews r join bookings b on b.id = r.booking_id where b.status <> 'completed' or r.artist_id <> b.artist_id or r.created_at < b.ends_at",
    ),
  ).toBe(0);
  expect(
    await one(
      `select count(*)::int from reviews where (published_at is null) <> (booking_id in (select booking_id from reviews r join bookings b on b.id = r.booking_id group by booking_id, b.completed_at having count(*) = 1 and b.completed_at > '${now.toISOString()}'::timestamptz - interval '14 days'))`,
    ),
  ).toBe(0);
  expect(
    await one(`select count(*)::int from reviews r join bookings b on b.id = r.booking_id
      where b.promoter_email = 'promoter@demo.test' and r.written_by = 'artist' and r.published_at is null`),
  ).toBe(1);
  expect(
    await one(`select count(*)::int from artists a left join (select artist_id, count(*)::int n, round(avg(rating) * 10)::int mean from public_reviews group by 1) r on r.artist_id = a.id
      where a.review_count <> coalesce(r.n, 0) or a.rating_x10 <> coalesce(r.mean, 0)`),
  ).toBe(0);
});

it("titles checkouts by the kind of payment and the artist, without a raw date", async () => {
  const titles = await rowsOf<{ title: string }>("select distinct title from payments");
  expect(titles.length).toBeGreaterThan(100);
  expect(titles.filter(({ title }) => !/^(Deposit|Balance) for \S/.test(title) || /\d{4}-\d{2}/.test(title))).toEqual(
    [],
  );
});

it("logs every kind of entry as the product writes them, without raw dates", async () => {
  const lines = await rowsOf<{ type: string; message: string }>("select type, message from activity");
  expect([...new Set(lines.map(({ type }) => type))].toSorted()).toEqual([...activityTypes].toSorted());
  expect(lines.filter(({ message }) => /\d{4}-\d\d/.test(message))).toEqual([]);
  const about = (type: string) => lines.filter((one) => one.type === type).map(({ message }) => message);
  expect(about("contract")).toContainEqual(expect.stringMatching(/, \w+ \d+ \w+ \d{4}, .+: .+ signed the contract$/));
  expect(about("notification")).toContain("The email “Contract Signed” was sent");
});

it("dates no past event in the future, and gives everything its time", async () => {
  const at = `'${now.toISOString()}'::timestamptz`;
  expect(
    await one(`select count(*)::int from bookings where greatest(created_at, deposit_paid_at, balance_paid_at, completed_at, canceled_at) > ${at} + interval '1 minute'
      or deposit_paid_at < created_at or balance_paid_at < deposit_paid_at`),
  ).toBe(0);
  expect(
    await one(
      `select count(*)::int from contracts where greatest(created_at, sent_at, signed_at) > ${at} + interval '1 minute' or signed_at < sent_at`,
    ),
  ).toBe(0);
  expect(
    await one(
      "select count(*)::int from bookings b where (status in ('deposit_paid','contract_sent','contract_signed','completed')) <> exists (select 1 from date_reservations c where c.booking_id = b.id)",
    ),
  ).toBe(0);
});

it("violates no rule of money", async () => {
  expect(await rowsOf(readFileSync(new URL("../src/ledger/invariants.sql", import.meta.url), "utf8"))).toEqual([]);
  expect(await rowsOf(readFileSync(new URL("../src/invoicing/invariants.sql", import.meta.url), "utf8"))).toEqual([]);
  expect(await one("select count(*)::int from ledger_entries")).toBeGreaterThan(1_000);
});

it("is the same market every time", async () => {
  const print =
    "select md5(string_agg(a.slug || b.id || b.status || b.event_date || b.fee_cents, ',' order by b.id)) from bookings b join artists a on a.id = b.artist_id";
  const again = await market();
  await seedDemo(again);
  expect(await rowsOf(print, again.database)).toEqual(await rowsOf(print));
});

it("is written once, regardless of parallel starts", async () => {
  const services = await market();
  const written = await Promise.all([seedDemo(services), seedDemo(services), seedDemo(services)]);
  expect(written.filter(Boolean)).toHaveLength(1);
});

it("changes nothing with SEED=none, or in a market with data", async () => {
  const none = await market("none");
  expect(await seedDemo(none)).toBe(false);
  expect(await rowsOf("select 1 from artists union all select 1 from users", none.database)).toEqual([]);
  const begun = await market();
  await begun.database.transaction((tx) => makeArtist(tx, { name: "The First" }));
  expect(await seedDemo(begun)).toBe(false);
  expect(await rowsOf("select slug from artists", begun.database)).toEqual([{ slug: "the-first" }]);
});
