/** Who can be requested for a night: the calendar's answer, the kinds of event that are played, and how far the artist travels. */
import { type RawBuilder, sql } from "kysely";
import { joinNight } from "#calendar/index.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { matchPlace } from "./gazetteer/index.ts";
import { earthRadiusMiles } from "./travel.rules.ts";
import { describeNight, type EveningKind, type NightFacts, type NightState } from "./night.rules.ts";

/** One night as it is asked for. Its zone is that of the town, where the gazetteer knows it, else each artist's own. */
export type NightQuestion = Readonly<{ night: string; town?: string | undefined; kind?: EveningKind | undefined }>;

const declining: Readonly<Record<EveningKind, string>> = {
  corporate: "acceptCorporateEvents",
  private: "acceptPrivateEvents",
  wedding: "acceptWeddingEvents",
};

/** The distance in miles from an artist's town (columns `lat` and `lon` of this alias): `milesBetween` (travel.rules.ts) as SQL. */
export const milesTo = ({ lat, lon }: Readonly<{ lat: number; lon: number }>, alias: "a" | "f"): RawBuilder<number> => {
  const [itsLat, itsLon] = [sql.ref(`${alias}.lat`), sql.ref(`${alias}.lon`)];
  return sql<number>`2 * ${sql.lit(earthRadiusMiles)} * asin(least(1, sqrt(sin(radians(${itsLat} - ${lat}::float8) / 2) ^ 2
    + cos(radians(${lat}::float8)) * cos(radians(${itsLat})) * sin(radians(${itsLon} - ${lon}::float8) / 2) ^ 2)))`;
};

/** Adds the night's answer to the rows of `found` (columns of `artists a`); `states` keeps those in one of them. Runs only for the rows that the page needs. */
export function withNight(
  found: RawBuilder<unknown>,
  { night, town, kind }: NightQuestion,
  { states, now }: Readonly<{ states?: readonly NightState[] | undefined; now: Date }>,
): RawBuilder<unknown> {
  const place = town ? matchPlace(town) : null;
  const miles = place ? sql`round(${milesTo(place, "f")})::int` : sql`null::int`;
  const zone = place ? sql`${place.timeZone}::text` : sql`f.time_zone`;
  const declined = kind ? sql`coalesce(own.value->${sql.lit(declining[kind])} = 'false'::jsonb, false)` : sql`false`;
  return sql`select * from (
      select f.*, s.minimum_notice, s.maximum_days, s.travel_radius, ${miles} as miles,
        case when n.night_state = 'free' and ${miles} > s.travel_radius then 'away' else n.night_state end as night_state
      from (${found}) f ${joinNight({ of: "f", night: sql`${night}`, zone, declined, now })} offset 0) answered
    ${states ? sql`where ${nightIs(sql`night_state`, states)}` : sql``}`;
}

/**
 * Returns a condition that every artist meets who can be free on a night outside of the usual notice and advance: the few with limits of
 * their own, found without looking at all the others. Undefined for other nights. `id`: the column of the artist.
 */
export function ownLimitsFor(night: string, id: RawBuilder<unknown>, now: Date): RawBuilder<boolean> | undefined {
  const today = dayIn("UTC", now);
  // Local dates differ from the one in UTC by a day at most.
  const isTooSoon = night < addDays(today, artistDefaults.minimumNotice - 1);
  const isTooFar = night > addDays(today, artistDefaults.maximumBookingDays + 1);
  if (!isTooSoon && !isTooFar) return undefined;
  const name = isTooSoon ? "minimumNotice" : "maximumBookingDays";
  return sql<boolean>`${id} in (select owner_id from settings where scope = 'artist' and value ? ${sql.lit(name)})`;
}

/**
 * Returns whether the night of `joinNight` is in one of these states. As a CASE, PostgreSQL expects half of the artists to be; compared
 * directly it expects one in 200, and would sort all of them before it looks at their nights.
 */
export const nightIs = (state: RawBuilder<unknown>, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`case when ${state} in (${sql.join(states.map((one) => sql.lit(one)))}) then true else false end`;

export const nightColumns = sql`a.lat, a.lon, a.time_zone`;

export const toNightResponse = (row: NightFacts, { town, kind }: NightQuestion) => ({
  state: row.night_state,
  message: describeNight(row, kind, town ? matchPlace(town)?.name.split(",")[0] : undefined),
});
