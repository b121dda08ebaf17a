/** The public search: one statement, fast at a million artists, equal to "name or genre contains the words". */

import { type RawBuilder, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { joinNight } from "#calendar/index.ts";
import { firstRowOf, rowsOf, planEachTime, type Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { addDays, isDay } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import type { ArtistFilters, ArtistListInput } from "../artist.api.ts";
import { cardColumns, type CardRow, priceConfirmed } from "../card.views.ts";
import { matchPlace, type Place } from "../gazetteer/index.ts";
import type { AvailabilityRow } from "../nights/night.rules.ts";
import {
  nightAvailability,
  isWithinReach,
  distanceTo,
  mayReach,
  isNightInState,
  type NightQuestion,
  ownLimitsFor,
} from "../nights/night.views.ts";
import {
  type ArtistSort,
  countCap,
  withoutAccents,
  type Genre,
  genres,
  maxCountedNearby,
  searchTerm,
} from "../rules.ts";
import { type CommonNgrams, commonNgrams } from "./common-ngrams.ts";

type Order = {
  by: RawBuilder<unknown>;
  beyond: (key: string | number, id: string) => RawBuilder<boolean>;
  key: RawBuilder<string | number>;
};

const descending = (column: string): Order => ({
  by: sql`a.${sql.ref(column)} desc, a.id desc`,
  beyond: (key, id) => sql<boolean>`(a.${sql.ref(column)}, a.id) < (${key}::int, ${id}::uuid)`,
  key: sql<number>`a.${sql.ref(column)}`,
});

const orders: Record<Exclude<ArtistSort, "nearest">, Order> = {
  booked: descending("booked_count"),
  rating: descending("rating_x10"),
  price: {
    by: sql`a.price_order, a.id`,
    beyond: (key, id) => sql<boolean>`(a.price_order, a.id) > (${key}::int, ${id}::uuid)`,
    key: sql<number>`a.price_order`,
  },
  newest: {
    by: sql`a.created_at desc, a.id desc`,
    beyond: (key, id) => sql<boolean>`(a.created_at, a.id) < (${key}::timestamptz, ${id}::uuid)`,
    // As text: a Date would drop the microseconds, and rows of the same millisecond would be repeated or omitted.
    key: sql<string>`(a.created_at at time zone 'UTC')::text || 'Z'`,
  },
};

function nearestTo(place: Place): Order {
  const distance = distanceTo(place);
  // No two distances are equal, and with the id as a second key PostgreSQL 15 and 16 would not read the index in order.
  return { by: distance, beyond: (key) => sql<boolean>`${distance} > ${key}::float8`, key: distance };
}

const placeOf = ({ night, town }: ArtistFilters): Place | null => (night && town ? matchPlace(town) : null);

const cursorShapes = {
  nearest: z.tuple([z.literal("nearest"), cursorKeys.distance, cursorKeys.id]),
  booked: z.tuple([z.literal("booked"), cursorKeys.int, cursorKeys.id]),
  rating: z.tuple([z.literal("rating"), cursorKeys.int, cursorKeys.id]),
  price: z.tuple([z.literal("price"), cursorKeys.int, cursorKeys.id]),
  newest: z.tuple([z.literal("newest"), cursorKeys.instant, cursorKeys.id]),
};

/** Returns one page of active artists. Throws for a cursor of another order. */
export async function searchArtists(reader: Reader, input: ArtistListInput, now: Date) {
  const place = placeOf(input);
  const wanted = input.sort ?? "nearest";
  const sort = wanted === "nearest" && !place ? "booked" : wanted;
  const limit = input.limit ?? 24;
  const order = sort === "nearest" ? nearestTo(place as Place) : orders[sort];
  const after = readCursor<[ArtistSort, string | number, string]>(input.cursor, cursorShapes[sort]);
  const { ofArtists, ofNight, areFew } = await conditionsOf(reader, input, now);
  const sortsFirst = areFew && sort !== "nearest";
  if (after) ofArtists.push(order.beyond(after[1], after[2]));
  const availability = answerOf(input, now);
  // Few matches are sorted first, and their nights checked until the page is full. PostgreSQL would check all of them.
  const artists = sortsFirst
    ? sql`(select * from artists a where ${all(ofArtists)} order by ${order.by} offset 0) a`
    : sql`artists a`;
  // The limit is part of the text: with a parameter a prepared plan would expect a tenth of all artists.
  const rows = await rowsOf<CardRow & Partial<AvailabilityRow> & { sort_key: string | number }>(
    reader,
  )`${planning(input)}
    select ${cardColumns} ${availability?.columns ?? sql``}, ${order.key} as sort_key from ${artists} ${freeOn(input, now)} ${availability?.join ?? sql``}
    where ${all(sortsFirst ? ofNight : [...ofArtists, ...ofNight])} order by ${order.by} limit ${sql.lit(limit + 1)}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorFor([sort, last.sort_key, last.id]) : null };
}

export async function countArtists(reader: Reader, filters: ArtistFilters, now: Date) {
  const withAway = filters.available === true && placeOf(filters) !== null;
  const found = await matching(reader, filters, now);
  const away = withAway ? await matching(reader, { ...filters, available: false, farther: true }, now) : undefined;
  // Counted separately: with one limit for both, many artists far away would hide the few that come.
  const count = (of: RawBuilder<unknown>) =>
    sql`(select count(*)::int from (${of} limit ${sql.lit(countCap + 1)}) found)`;
  const row = await firstRowOf<{ total: number; away: number }>(reader)`${planning(filters)}
    select ${count(found)} as total, ${away ? count(away) : sql`0`} as away`;
  const counted = row ?? { total: 0, away: 0 };
  const capped = counted.total > countCap;
  return {
    total: Math.min(counted.total, countCap),
    capped,
    ...(withAway ? { away: counted.away } : {}),
    ...(filters.available && !capped ? { genres: await countGenres(reader, found, filters) } : {}),
    ...(filters.available && filters.night && counted.total < fewFree
      ? { nearby: await nightsNearby(reader, filters, counted.total, now) }
      : {}),
  };
}

async function matching(reader: Reader, filters: ArtistFilters, now: Date): Promise<RawBuilder<unknown>> {
  const { ofArtists, ofNight } = await conditionsOf(reader, filters, now);
  const narrows = filters.available || filters.farther;
  return sql`select a.genre from artists a ${freeOn(filters, now)} ${(narrows && answerOf(filters, now)?.join) || sql``}
    where ${all([...ofArtists, ...ofNight])}`;
}

type GenreCount = { genre: Genre; count: number };

const countGenres = (reader: Reader, found: RawBuilder<unknown>, filters: ArtistFilters): Promise<GenreCount[]> =>
  rowsOf<GenreCount>(reader)`${planning(filters)}
    select genre, count(*)::int as count from (${found} limit ${sql.lit(countCap)}) found group by genre order by count(*) desc, genre`;

type NightCount = { night: string; total: number };

/** With fewer free artists the count names nights nearby, at most so many days away. Artists of those nights are counted up to a limit. */
const fewFree = 6;
const daysNearby = 5;

async function nightsNearby(reader: Reader, filters: ArtistFilters, min: number, now: Date): Promise<NightCount[]> {
  const { night: searched = "" } = filters;
  const nights = Array.from({ length: daysNearby }, (_, at) => [addDays(searched, at + 1), addDays(searched, -at - 1)])
    .flat()
    .filter(isDay);
  const counts = await Promise.all(
    nights.map(async (night) => {
      const found = await matching(reader, { ...filters, night }, now);
      return sql`select ${night}::text as night,
        (select count(*)::int from (${found} limit ${sql.lit(maxCountedNearby)}) found) as total`;
    }),
  );
  const rows = await rowsOf<NightCount>(reader)`${sql.raw(planEachTime)} ${sql.join(counts, sql` union all `)}`;
  const more = rows.filter(({ total }) => total > min);
  return nights.flatMap((night) => more.find((one) => one.night === night) ?? []).slice(0, 2);
}

export const nightOf = ({ night, town, kind }: ArtistFilters): NightQuestion | undefined =>
  night === undefined ? undefined : { night, town, kind };

const answerOf = (filters: ArtistFilters, now: Date) => {
  const question = nightOf(filters);
  return question && nightAvailability(question, now);
};

/** Words and prices can be rare or common, and these searches are planned for their values. All other lists scan an index in order. */
const planning = ({ search, minPrice, maxPrice }: ArtistFilters): RawBuilder<unknown> =>
  sql.raw(search || minPrice !== undefined || maxPrice !== undefined ? planEachTime : "");

const all = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> => sql`${sql.join(conditions, sql` and `)}`;

/** Returns the filters as conditions on artists and on their night. `areFew`: so few artists come to the place that they are read first. */
async function conditionsOf(reader: Reader, filters: ArtistFilters, now: Date) {
  const ofArtists: RawBuilder<unknown>[] = [sql`a.is_active and a.is_public`];
  const ofNight: RawBuilder<unknown>[] = [];
  let areFew = false;
  const term = searchTerm(filters.search ?? "");
  const textMatch = term === "" ? undefined : contains(term, filters.genre, await commonNgrams(reader));
  if (textMatch) ofArtists.push(textMatch);
  if (filters.genre) ofArtists.push(sql`a.genre = ${filters.genre}`);
  if (filters.freeOn) ofNight.push(isNightInState(sql`home.night_state`, ["free"]));
  const availability = answerOf(filters, now);
  const place = placeOf(filters);
  if (availability && filters.farther) {
    ofNight.push(isNightInState(availability.state, ["away"]));
    // Checked before the nights, because many thousands of artists live too near a large city.
    if (place) ofArtists.push(sql`not ${isWithinReach(place)}`);
  } else if (availability && filters.available) {
    ofNight.push(isNightInState(availability.state, ["free"]));
    areFew = place !== null && (await hasFewArtistsNear(reader, place, { withWords: textMatch !== undefined }));
    if (place) ofArtists.push(areFew ? mayReach(place) : isWithinReach(place));
  }
  for (const night of [filters.freeOn, filters.available || filters.farther ? filters.night : undefined]) {
    const withOwnLimits = night && ownLimitsFor(night, sql`a.id`, now);
    if (withOwnLimits) ofArtists.push(withOwnLimits);
  }
  if (filters.minPrice !== undefined || filters.maxPrice !== undefined) ofArtists.push(priceConfirmed);
  if (filters.minPrice !== undefined)
    ofArtists.push(sql`a.price_order >= ${filters.minPrice}::int and a.base_rate > 0`);
  if (filters.maxPrice !== undefined) ofArtists.push(sql`a.price_order <= ${filters.maxPrice}::int`);
  return { ofArtists, ofNight, areFew };
}

/** Returns the condition "name or genre contains these words", without case and accents. Undefined if it is true of every artist of the wanted genre. */
function contains(term: string, wanted: Genre | undefined, common: CommonNgrams): RawBuilder<boolean> | undefined {
  const matching = genres.filter((genre) => genre.includes(withoutAccents(term)));
  if (wanted) return matching.includes(wanted) ? undefined : nameContains(term, common);
  if (matching.length === 0) return nameContains(term, common);
  return sql<boolean>`(${nameContains(term, common)} or a.genre in (${sql.join(matching)}))`;
}

/** One or two rare characters have no trigram and are found by the index of single characters. */
function nameContains(term: string, common: CommonNgrams): RawBuilder<boolean> {
  const plain = withoutAccents(term);
  if (Array.from(plain).length <= 2 && !common.has(plain))
    return sql<boolean>`artist_grams(a.name_text) @> array[without_accents(${term})]`;
  return sql<boolean>`a.name_text like without_accents(${`%${term.replace(/[\\%_]/g, "\\$&")}%`})`;
}

/** Joins the date on which artists must be free, each in their own time zone. An outer query would be planned for all artists, not for a page. */
const freeOn = ({ freeOn: night }: ArtistFilters, now: Date): RawBuilder<unknown> =>
  night === undefined ? sql`` : joinNight({ as: "home", night: sql`${night}`, zone: sql`a.time_zone`, now });

/** At a million artists, reading this many takes as long as reading the list until a page is full. */
const few = 3_000;
/** With search words fewer artists match, and filling a page takes longer. */
const maxTextMatches = 30_000;
const cacheMilliseconds = 10 * minuteMs;
const known = new WeakMap<Reader, LRUCache<string, Promise<number>>>();

/** Returns whether few artists come to a place. Counted at most every ten minutes, because both plans find the same artists. */
export async function hasFewArtistsNear(reader: Reader, place: Place, { withWords }: { withWords: boolean }) {
  return (await artistsNear(reader, place)) < (withWords ? maxTextMatches : few);
}

function artistsNear(reader: Reader, place: Place): Promise<number> {
  const places = known.get(reader) ?? new LRUCache({ max: 1_000, ttl: cacheMilliseconds });
  known.set(reader, places);
  const present = places.get(place.id);
  if (present) return present;
  const counted = count(reader, place);
  places.set(place.id, counted);
  counted.catch(() => places.delete(place.id));
  return counted;
}

async function count(reader: Reader, place: Place): Promise<number> {
  const row = await firstRowOf<{ count: number }>(reader)`select count(*)::int as count
    from (select from artists a where a.is_active and ${mayReach(place)} limit ${sql.lit(maxTextMatches)}) near`;
  return row?.count ?? 0;
}
