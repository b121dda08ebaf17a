/**
 * Measures "Free on this night" with a million artists and three million blocked times and entries of other calendars, over HTTP, and a feed
 * of 2,000 shows. Loading takes minutes, so it runs only by name: npm run bench -- nights
 */

import { sql } from "kysely";
import { artistSorts } from "#artists/rules.ts";
import { feedText } from "#calendar/feeds/feed-file.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";
import { type BenchFixture, startFixture } from "../fixture.ts";
import { atMost, type Figure, quantile } from "../report.ts";
import { bulkInsert } from "./bulk-insert.ts";

const million = 1_000_000;
const [warmRounds, rounds] = [10, 10];
const night = new Date(Date.now() + 200 * dayMs).toISOString().slice(0, 10);
const shows = 2_000;

/** Three entries an artist, on 100 evenings around the night: it is booked for one artist in 34. */
const entriesSql = `
  insert into external_calendars (artist_id, name, url_sealed, url_host) select id, 'Google', 'none', 'example.test' from artists;
  insert into date_reservations (artist_id, kind, during, span, external_calendar_id)
    select a.id, case when entry = 3 then 'blocked' else 'external' end, evening, evening, case when entry = 3 then null else c.id end
    from artists a join external_calendars c on c.artist_id = a.id, generate_series(1, 3) entry,
      lateral (select timestamptz '${night} 18:00-05' + (abs(hashtext(a.id::text || entry)) % 100 - 50) * interval '1 day' as at) times,
      lateral (select tstzrange(at, at + interval '6 hours') as evening) ranges`;

export async function benchNights(): Promise<Figure[]> {
  await using fixture = await startFixture(0);
  const tables = ["artists", "date_reservations", "external_calendars"];
  await bulkInsert(fixture.database, tables, `${loadTestArtistsSql(million)} ${entriesSql}`);
  const feed = await benchFeed(fixture);
  await using product = await fixture.startProduct("web");
  const times = await measure(product.origin);
  const nearTown = (query: string) => new URLSearchParams(query).has("town");
  const p95 = (near: boolean) =>
    quantile(
      [...times].flatMap(([query, of]) => (nearTown(query) === near ? of : [])),
      0.95,
    );
  const worst = [...times].map(([query, of]) => ({ query, p50: quantile(of, 0.5) })).sort((a, b) => b.p50 - a.p50);
  for (const { query, p50 } of worst.slice(0, 10)) console.log(`  ${p50.toFixed(1).padStart(7)} ms  ${query}`);
  return [
    atMost("free on a night at a million artists, p95", p95(false), 15, "ms"),
    atMost("free on a night near a town, p95", p95(true), 50, "ms", `worst: ${worst[0]?.query}`),
    atMost("feed of 2,000 shows", feed, 100, "ms"),
  ];
}

async function measure(origin: string): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < warmRounds + rounds; round++)
    for (const query of questions()) {
      const began = performance.now();
      const response = await fetch(`${origin}/api/artists?${query}`, { headers: { authorization: "none" } });
      await response.text();
      if (!response.ok) throw new Error(`${query}: ${response.status}`);
      if (round >= warmRounds) times.set(query, [...(times.get(query) ?? []), performance.now() - began]);
    }
  return times;
}

const town = "Denver, Colorado";
const queries: Readonly<Record<string, string>>[] = [
  { freeOn: night },
  { night, available: "true" },
  { night, town },
  { night, town, available: "true" },
  { night, town, farther: "true" },
];

function* questions(): Generator<string> {
  for (const genre of ["", "jazz"])
    for (const search of ["", "velvet"])
      for (const sort of artistSorts)
        for (const of of queries) yield new URLSearchParams({ ...of, genre, search, sort, limit: "24" }).toString();
}

async function benchFeed({ database }: BenchFixture): Promise<number> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from artists limit 1`.execute(database.db);
  const artist = rows[0];
  if (!artist) throw new Error("there is no artist");
  await sql`
    insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type, duration_minutes,
      venue_name, venue_address, time_zone, starts_at, ends_at, fee_cents, currency, deposit_percent, deposit_cents, balance_cents,
      commission_bps, policy_name, policy)
    select ${artist.id}, 'Dana Whitfield', 'dana@example.test', '1', day, '20:00', 'Concert', 180, 'The Lantern Room', 'Austin, Texas',
      'America/Chicago', day + time '20:00' at time zone 'America/Chicago', day + time '23:00' at time zone 'America/Chicago',
      0, 'usd', 0, 0, 0, 0, 'standard', '{}'
    from (select date '2031-01-01' + n as day from generate_series(1, ${shows}) n) days`.execute(database.db);
  const feed = {
    user_id: artist.id,
    kind: "private",
    artist_id: artist.id,
    artist_name: artist.name,
    time_zone: "America/Chicago",
  } as const;
  const times: number[] = [];
  for (let round = 0; round < 12; round++) {
    const began = performance.now();
    const text = await feedText(database.db, feed, { publicUrl: "https://example.test", now: new Date() });
    if (text.split("BEGIN:VEVENT").length !== shows + 1) throw new Error("the feed does not have every show");
    if (round > 1) times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}
