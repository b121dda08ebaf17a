/** Who can be requested for a night: the rules of bookings/request/check.ts as one statement; night.test.ts compares both for every state. */
import { type RawBuilder, sql } from "kysely";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { type BoundedSetting, bounds } from "#settings/bounds.rules.ts";
import { matchPlace } from "./gazetteer/index.ts";
import { earthRadiusMiles } from "./travel.rules.ts";
import { assumedShow, describeNight, type EveningKind, type NightFacts, type NightState } from "./night.rules.ts";

/** One night as it is asked for. Its zone is that of the town, where the gazetteer knows it, else each artist's own. */
export type NightQuestion = Readonly<{ night: string; town?: string | undefined; kind?: EveningKind | undefined }>;

/** Travel and set-up before and after a show, and how long a hold outlives its checkout: minutes, as calendar/holds.rules.ts has them. */
const margins = { buffer: 60, grace: 5 } as const;

const declining: Readonly<Record<EveningKind, string>> = {
  corporate: "acceptCorporateEvents",
  private: "acceptPrivateEvents",
  wedding: "acceptWeddingEvents",
};

/** A setting of the artist; a stored value that is no longer allowed counts as the default, as everywhere. */
function setting(name: BoundedSetting & keyof typeof artistDefaults): RawBuilder<number> {
  const value = sql`own.value->${sql.lit(name)}`;
  const { least, most } = bounds[name];
  return sql<number>`case when jsonb_typeof(${value}) = 'number' and (${value})::numeric between ${sql.lit(least)} and ${sql.lit(most)}
    and (${value})::numeric % 1 = 0 then (${value})::int else ${sql.lit(artistDefaults[name])} end`;
}

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
  return sql`select f.*, n.* from (${found}) f
    left join lateral (select value from settings where scope = 'artist' and owner_id = f.id limit 1) own on true
    cross join lateral (
      select (${night}::date + ${assumedShow.time}::time) at time zone ${zone} as starts,
        (${now}::timestamptz at time zone ${zone})::date as today,
        ${setting("minimumNotice")} as minimum_notice, ${setting("maximumBookingDays")} as maximum_days,
        ${setting("travelRadius")} as travel_radius, ${miles} as miles offset 0) s
    cross join lateral (
      select s.minimum_notice, s.maximum_days, s.travel_radius, s.miles, case
        when ${declined} then 'kind_declined'
        when ${night}::date < s.today + s.minimum_notice or s.starts <= ${now}::timestamptz then 'too_soon'
        when ${night}::date > s.today + s.maximum_days then 'too_far'
        else coalesce((
          select case when bool_or(r.kind = 'booked') then 'taken' else 'held' end from date_reservations r
          where r.artist_id = f.id
            and r.during && tstzrange(s.starts - make_interval(mins => ${sql.lit(margins.buffer)}),
              s.starts + make_interval(mins => ${sql.lit(assumedShow.minutes + margins.buffer)}))
            and (r.kind = 'booked' or r.expires_at > ${now}::timestamptz - make_interval(mins => ${sql.lit(margins.grace)}))
          having count(*) > 0), case when s.miles > s.travel_radius then 'away' else 'free' end) end as night_state offset 0) n
    ${states ? sql`where n.night_state in (${sql.join(states.map((state) => sql.lit(state)))})` : sql``}`;
}

export const nightColumns = sql`a.lat, a.lon, a.time_zone`;

export const toNightResponse = (row: NightFacts, { town, kind }: NightQuestion) => ({
  state: row.night_state,
  message: describeNight(row, kind, town ? matchPlace(town)?.name.split(",")[0] : undefined),
});
