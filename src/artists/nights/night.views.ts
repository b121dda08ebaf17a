/** Whether artists can be requested for a night: the calendar's state, the declined kinds of event, and the travel radius. */

import { type RawBuilder, sql } from "kysely";
import { joinNight } from "#calendar/index.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { matchPlace, type Place } from "../gazetteer/index.ts";
import { acceptingSetting, type EventKind } from "./event-kinds.rules.ts";
import { describeNight, type AvailabilityRow } from "./night.rules.ts";
import { earthRadiusMiles } from "./travel.rules.ts";

/** A requested night. Its time zone is that of the town if the gazetteer knows it, else each artist's own. */
export type NightQuestion = Readonly<{ night: string; town?: string | undefined; kind?: EventKind | undefined }>;

/** Returns the distance in miles from the town of `artists a`, null if it is unknown: `milesBetween` (travel.rules.ts) as SQL. */
const milesTo = ({ lat, lon }: Place): RawBuilder<number | null> =>
  sql<number | null>`case when a.lat is not null and a.lon is not null then
    round(2 * ${sql.lit(earthRadiusMiles)} * asin(least(1, sqrt(sin(radians(a.lat - ${lat}::float8) / 2) ^ 2
      + cos(radians(${lat}::float8)) * cos(radians(a.lat)) * sin(radians(a.lon - ${lon}::float8) / 2) ^ 2))))::int end`;

/** Returns a place as a point of the unit sphere, in the form of `artists.home` (migration 0840). */
const pointOf = ({ lat, lon }: Place): RawBuilder<unknown> => {
  const [north, east] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  const point = [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  return sql`cube(array[${sql.join(point.map((at) => sql`${at}::float8`))}])`;
};

/** The order "nearest first" of `artists a`. Artists without a known town come last. Index: artists_home. */
export const distanceTo = (place: Place): RawBuilder<number> => sql<number>`a.home <-> ${pointOf(place)}`;

/** Returns whether a place can be within the artist's travel radius. True for all that are, and for a few slightly beyond. Index: artists_home. */
export const mayReach = (place: Place): RawBuilder<boolean> => sql<boolean>`a.reach @> ${pointOf(place)}`;

/** Returns whether a place is within the artist's travel radius, or the artist's town is unknown. Compared row by row, without an index. */
export const isWithinReach = (place: Place): RawBuilder<boolean> =>
  sql<boolean>`case when ${milesTo(place)} > a.travel_radius then false else true end`;

export const nightColumns = sql`a.lat, a.lon, a.time_zone, a.travel_radius`;

/** Returns the availability for a night as part of a query of `artists a`: the join, its columns (`AvailabilityRow`), and the state. */
export function nightAvailability({ night, town, kind }: NightQuestion, now: Date) {
  const place = town ? matchPlace(town) : null;
  const miles = place ? milesTo(place) : sql`null::int`;
  const zone = place ? sql`${place.timeZone}::text` : sql`a.time_zone`;
  const declined = kind
    ? sql`coalesce(own.value->${sql.lit(acceptingSetting[kind])} = 'false'::jsonb, false)`
    : sql`false`;
  const state = sql`case when n.night_state = 'free' and ${miles} > a.travel_radius then 'away' else n.night_state end`;
  return {
    join: joinNight({ night: sql`${night}`, zone, declined, now }),
    columns: sql`, n.minimum_notice, n.maximum_days, a.travel_radius, ${miles} as miles, ${state} as night_state`,
    state,
  };
}

/** Returns a condition for a night outside of the default notice and advance: the artist (column `id`) has wider limits. Undefined for other nights. */
export function ownLimitsFor(night: string, id: RawBuilder<unknown>, now: Date): RawBuilder<boolean> | undefined {
  const today = dayIn("UTC", now);
  // Local dates differ from the one in UTC by at most a day.
  const isTooSoon = night < addDays(today, artistDefaults.minimumNotice - 1);
  const isTooFar = night > addDays(today, artistDefaults.maximumBookingDays + 1);
  if (!isTooSoon && !isTooFar) return undefined;
  const [name, isWider] = isTooSoon ? (["minimumNotice", sql`<`] as const) : (["maximumBookingDays", sql`>`] as const);
  const standard = sql.lit(artistDefaults[name]);
  return sql<boolean>`${id} in (select owner_id from settings where scope = 'artist'
    and value ? ${sql.lit(name)} and value->${sql.lit(name)} ${isWider} to_jsonb(${standard}))`;
}

/** Returns whether a night is in one of the states. For a comparison PostgreSQL would expect one artist in 200 and sort all before the nights. */
export const isNightInState = (state: RawBuilder<unknown>, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`case when ${state} in (${sql.join(states.map((one) => sql.lit(one)))}) then true else false end`;

export const toNightResponse = (row: AvailabilityRow, { town, kind }: NightQuestion) => ({
  state: row.night_state,
  message: describeNight(row, kind, town ? matchPlace(town)?.name.split(",")[0] : undefined),
});
