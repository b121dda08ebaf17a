/** The state of nights as SQL: the rules of decision.rules.ts for the assumed show. bookings/request/night.test.ts compares both for every state. */

import { type RawBuilder, sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { type BoundedSetting, bounds } from "#settings/bounds.rules.ts";
import { nightEndPattern, weekdays } from "#settings/choices.rules.ts";
import { artistDefaults } from "#settings/defaults.rules.ts";
import { holdLimits } from "./checkout-hold.rules.ts";
import { assumedShow, type NightState } from "./night.rules.ts";

/** Reads a setting of the artist. A stored value that is no longer allowed counts as the default. */
function setting(name: BoundedSetting & keyof typeof artistDefaults): RawBuilder<number> {
  const value = sql`own.value->${sql.lit(name)}`;
  const { min, max } = bounds[name];
  return sql<number>`case when jsonb_typeof(${value}) = 'number' and (${value})::numeric between ${sql.lit(min)} and ${sql.lit(max)}
    and (${value})::numeric % 1 = 0 then (${value})::int else ${sql.lit(artistDefaults[name])} end`;
}

const nightEndsAt = sql`case when own.value->>'nightEndsAt' ~ ${sql.lit(nightEndPattern.source)}
  then (own.value->>'nightEndsAt')::time else ${sql.lit(artistDefaults.nightEndsAt)}::time end`;

const exceptionOf = (night: RawBuilder<unknown>, open: boolean) =>
  sql`coalesce(own.value->'nightExceptions' @> jsonb_build_array(jsonb_build_object('night', ${night}::date::text, 'open', ${sql.lit(open)}::bool)), false)`;

const isOpen = (night: RawBuilder<unknown>) => sql`case when ${exceptionOf(night, true)} then true
  when ${exceptionOf(night, false)} then false
  when jsonb_typeof(own.value->'openNights') = 'array'
    then own.value->'openNights' ? (array[${sql.join(weekdays.map((day) => sql.lit(day)))}])[extract(dow from ${night}::date)::int + 1]
  else true end`;

const minutes = (count: RawBuilder<unknown>) => sql`make_interval(mins => ${count})`;

/** The instant of a local time, as `instantOf` has it. PostgreSQL moves a skipped time by the length of the gap. The gap's end is searched in quarters of an hour, because every change since 1970 is on one. */
const instantOfLocal = (local: RawBuilder<unknown>, zone: RawBuilder<unknown>) => sql`(
  select case when (l.wall at time zone ${zone}) at time zone ${zone} = l.wall then l.wall at time zone ${zone} else (
    select min(q.wall at time zone ${zone})
    from generate_series(date_trunc('hour', l.wall), l.wall + interval '25 hours', interval '15 minutes') q(wall)
    where q.wall >= l.wall and (q.wall at time zone ${zone}) at time zone ${zone} = q.wall) end
  from (select ${local} as wall offset 0) l)`;

/** The time that a booking `b` needs: its show with the artist's travel and set-up, as `withBuffer` has it. */
export const neededTime = sql`(
  select tstzrange(b.starts_at - ${minutes(setting("bufferBefore"))}, b.ends_at + ${minutes(setting("bufferAfter"))})
  from (select) one left join settings own on own.scope = 'artist' and own.owner_id = b.artist_id)`;

type Night = Readonly<{
  as?: "n" | "home";
  /** A date, in `zone`. */
  night: RawBuilder<unknown>;
  zone: RawBuilder<unknown>;
  declined?: RawBuilder<unknown>;
  now: Date;
}>;

/** Joins one night to a query of `artists a`: `night_state` is free, held, taken, closed, too_soon, too_far or kind_declined. `offset 0` limits PostgreSQL to the rows of the page. */
export function joinNight({ as = "n", night, zone, declined = sql`false`, now }: Night): RawBuilder<unknown> {
  const wanted = sql`tstzrange(s.starts - ${minutes(sql`s.buffer_before`)}, s.starts + ${minutes(sql`${sql.lit(assumedShow.minutes)} + s.buffer_after`)})`;
  const late = sql`tstzrange(s.starts, greatest(s.starts, s.night_end))`;
  return sql`
    cross join lateral (select n.night_state, s.minimum_notice, s.maximum_days from (select) one
    left join lateral (select value from settings where scope = 'artist' and owner_id = a.id limit 1) own on true
    cross join lateral (
      select (${night}::date + ${sql.lit(assumedShow.time)}::time) at time zone ${zone} as starts,
        ${instantOfLocal(sql`(${night}::date + 1 + ${nightEndsAt})`, zone)} as night_end,
        (${now}::timestamptz at time zone ${zone})::date as today,
        ${setting("bufferBefore")} as buffer_before, ${setting("bufferAfter")} as buffer_after,
        ${setting("minimumNotice")} as minimum_notice, ${setting("maximumBookingDays")} as maximum_days offset 0) s
    cross join lateral (
      select case
        when ${declined} then 'kind_declined'
        when ${night}::date < s.today + s.minimum_notice or s.starts <= ${now}::timestamptz then 'too_soon'
        when ${night}::date > s.today + s.maximum_days then 'too_far'
        when not ${isOpen(night)} then 'closed'
        else coalesce((
          select case when bool_or(r.kind in ('booked', 'external')) then 'taken' when bool_or(r.kind = 'blocked') then 'closed' else 'held' end
          from date_reservations r
          where r.artist_id = a.id and r.during && tstzrange(s.starts - interval '12 hours', greatest(s.starts, s.night_end) + interval '12 hours')
            and (r.during && ${wanted} or (r.booking_id is not null and coalesce(r.span, r.during) && ${late}))
            and (r.kind <> 'hold' or r.booking_id is null or r.expires_at > ${now}::timestamptz - ${minutes(sql.lit(holdLimits.graceMinutes))})
          having count(*) > 0), 'free') end as night_state offset 0) n) ${sql.ref(as)}`;
}

/** Returns each night of an artist with its public state, without reasons and names. `to` is included. */
export const nightsOf = (
  reader: Reader,
  artistId: string,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<{ night: string; state: NightState }[]> =>
  rowsOf<{ night: string; state: NightState }>(reader)`
    select to_char(d.night, 'YYYY-MM-DD') as night,
      case n.night_state when 'held' then 'on_hold' when 'free' then 'free' when 'taken' then 'taken' else 'closed' end as state
    from artists a cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') d(night)
    ${joinNight({ night: sql`d.night`, zone: sql`a.time_zone`, now })}
    where a.id = ${artistId} order by d.night`;
