/** The public search: one statement, fast at a million artists, equal to "name or genre contains the words" (specification, section 2). */
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { joinNight } from "#calendar/index.ts";
import { planEachTime, type Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ArtistFilters, ArtistListInput } from "../artist.api.ts";
import { type ArtistSort, countCap, type Genre, genres, searchTerm } from "../rules.ts";
import { type CommonNgrams, commonNgrams } from "./common-ngrams.ts";
import { cardColumns, type CardRow, priceConfirmed } from "../card.views.ts";
import type { NightFacts, NightState } from "../night.rules.ts";
import { matchPlace, type Place } from "../gazetteer/index.ts";
import { milesTo, nightColumns, nightIs, type NightQuestion, ownLimitsFor, withNight } from "../night.views.ts";

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

/** Each order with the index that serves it, and the comparison that finds the rows beyond a cursor. */
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
    // As text: a Date would drop the microseconds, and rows of the same millisecond would be shown twice or never.
    key: sql<string>`(a.created_at at time zone 'UTC')::text || 'Z'`,
  },
};

/** By distance in hundredths of a mile; artists without a known town come last. There is no index: every active artist is measured. */
function nearestTo(place: Place): Order {
  const distance = sql<number>`coalesce(round(${milesTo(place, "a")} * 100), 10000000)::int`;
  return {
    by: sql`${distance}, a.id`,
    beyond: (key, id) => sql<boolean>`(${distance}, a.id) > (${key}::int, ${id}::uuid)`,
    key: distance,
  };
}

const placeOf = ({ night, town }: ArtistFilters): Place | null => (night && town ? matchPlace(town) : null);

const cursorShapes = {
  nearest: z.tuple([z.literal("nearest"), cursorKeys.int, cursorKeys.id]),
  booked: z.tuple([z.literal("booked"), cursorKeys.int, cursorKeys.id]),
  rating: z.tuple([z.literal("rating"), cursorKeys.int, cursorKeys.id]),
  price: z.tuple([z.literal("price"), cursorKeys.int, cursorKeys.id]),
  newest: z.tuple([z.literal("newest"), cursorKeys.instant, cursorKeys.id]),
};

/** Finds one page of active artists. The cursor belongs to its order; one of another order is refused. */
export async function searchArtists(
  reader: Reader,
  input: ArtistListInput,
  now: Date,
): Promise<{ rows: (CardRow & Partial<NightFacts>)[]; nextCursor: string | null }> {
  const place = placeOf(input);
  const sort = input.sort ?? (place ? "nearest" : "booked");
  const limit = input.limit ?? 24;
  const order = sort === "nearest" ? (place ? nearestTo(place) : orders.booked) : orders[sort];
  const after = readCursor<[ArtistSort, string | number, string]>(input.cursor, cursorShapes[sort]);
  const conditions = await conditionsOf(reader, input, now);
  if (after) conditions.push(order.beyond(after[1], after[2]));
  const found = sql`select ${cardColumns}, ${nightColumns}, ${order.key} as sort_key from artists a ${freeOn(input, now)} where ${sql.join(conditions, sql` and `)} order by ${order.by}`;
  // The limit is part of the text: with a parameter a prepared plan would expect a tenth of all artists.
  const { rows } = await sql<
    CardRow & Partial<NightFacts> & { sort_key: string | number }
  >`${planning(input)}${atNight(found, input, { now })} limit ${sql.lit(limit + 1)}`.execute(reader);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last ? cursorFor([sort, last.sort_key, last.id]) : null,
  };
}

export async function countArtists(
  reader: Reader,
  filters: ArtistFilters,
  now: Date,
): Promise<{ total: number; capped: boolean; away?: number; genres?: GenreCount[] }> {
  const found = sql`select a.id, a.genre, ${nightColumns} from artists a ${freeOn(filters, now)} where ${sql.join(await conditionsOf(reader, filters, now), sql` and `)}`;
  // Counted apart: with one limit for both, many acts far away would hide the few that come.
  const count = (states?: readonly NightState[]) =>
    sql`(select count(*)::int from (${atNight(found, filters, { now, states })} limit ${sql.lit(countCap + 1)}) found)`;
  const withAway = filters.available === true && placeOf(filters) !== null;
  const { rows } = await sql<{ total: number; away: number }>`${planning(filters)}
    select ${count()} as total, ${withAway ? count(["away"]) : sql`0`} as away`.execute(reader);
  const { total, away } = rows[0] ?? { total: 0, away: 0 };
  const capped = total > countCap;
  return {
    total: Math.min(total, countCap),
    capped,
    ...(withAway ? { away } : {}),
    ...(filters.available && !capped ? { genres: await countGenres(reader, found, filters, now) } : {}),
  };
}

type GenreCount = { genre: Genre; count: number };

/** Counts the available artists of a night by genre, most of them first. */
async function countGenres(
  reader: Reader,
  found: RawBuilder<unknown>,
  filters: ArtistFilters,
  now: Date,
): Promise<GenreCount[]> {
  const all = sql`${atNight(found, filters, { now })} limit ${sql.lit(countCap)}`;
  const { rows } = await sql<GenreCount>`${planning(filters)}
    select genre, count(*)::int as count from (${all}) found group by genre order by count(*) desc, genre`.execute(
    reader,
  );
  return rows;
}

export const nightOf = ({ night, town, kind }: ArtistFilters): NightQuestion | undefined =>
  night === undefined ? undefined : { night, town, kind };

/** Answers for the night that is asked for; counting needs the answers only where they narrow the list. */
function atNight(
  found: RawBuilder<unknown>,
  input: ArtistFilters,
  { now, states }: Readonly<{ now: Date; states?: readonly NightState[] | undefined }>,
): RawBuilder<unknown> {
  const question = nightOf(input);
  const wanted = input.farther ? (["away"] as const) : input.available ? (["free"] as const) : undefined;
  return question ? withNight(found, question, { states: states ?? wanted, now }) : found;
}

/** Words and prices can be rare or common, so these searches are planned for their values. All other lists scan an index in order. */
const planning = ({ search, minPrice, maxPrice }: ArtistFilters): RawBuilder<unknown> =>
  sql.raw(search || minPrice !== undefined || maxPrice !== undefined ? planEachTime : "");

async function conditionsOf(reader: Reader, filters: ArtistFilters, now: Date): Promise<RawBuilder<unknown>[]> {
  const conditions: RawBuilder<unknown>[] = [sql`a.is_active and a.is_public`];
  const term = searchTerm(filters.search ?? "");
  const withWords = term === "" ? undefined : contains(term, filters.genre, await commonNgrams(reader));
  if (withWords) conditions.push(withWords);
  if (filters.genre) conditions.push(sql`a.genre = ${filters.genre}`);
  if (filters.freeOn) conditions.push(nightIs(sql`n.night_state`, ["free"]));
  for (const night of [filters.freeOn, filters.available || filters.farther ? filters.night : undefined]) {
    const withOwnLimits = night && ownLimitsFor(night, sql`a.id`, now);
    if (withOwnLimits) conditions.push(withOwnLimits);
  }
  if (filters.minPrice !== undefined || filters.maxPrice !== undefined) conditions.push(priceConfirmed);
  if (filters.minPrice !== undefined)
    conditions.push(sql`a.price_order >= ${filters.minPrice}::int and a.base_rate > 0`);
  if (filters.maxPrice !== undefined) conditions.push(sql`a.price_order <= ${filters.maxPrice}::int`);
  return conditions;
}

/** The condition "name or genre contains these words, in any case"; undefined if it is true of every artist of the wanted genre. */
function contains(term: string, wanted: Genre | undefined, common: CommonNgrams): RawBuilder<boolean> | undefined {
  const matching = genres.filter((genre) => genre.includes(term.toLowerCase()));
  if (wanted) return matching.includes(wanted) ? undefined : nameContains(term, common);
  if (matching.length === 0) return nameContains(term, common);
  return sql<boolean>`(${nameContains(term, common)} or a.genre in (${sql.join(matching)}))`;
}

/** One or two rare characters have no trigram and are found by the index of single characters. */
function nameContains(term: string, common: CommonNgrams): RawBuilder<boolean> {
  if (Array.from(term).length <= 2 && !common.has(term.toLowerCase()))
    return sql<boolean>`artist_grams(a.name_text) @> array[lower(${term})]`;
  return sql<boolean>`a.name_text like lower(${`%${term.replace(/[\\%_]/g, "\\$&")}%`})`;
}

/** Joins the date on which artists must be free, each in the zone of home. Not a query around the others: that would be planned for all artists, not for a page. */
const freeOn = ({ freeOn: night }: ArtistFilters, now: Date): RawBuilder<unknown> =>
  night === undefined ? sql`` : joinNight({ of: "a", night: sql`${night}`, zone: sql`a.time_zone`, now });
