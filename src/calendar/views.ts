import { sql } from "kysely";
import { hasRow, firstRowOf, rowsOf, type Reader } from "#platform/db/index.ts";
import { artistSettings } from "#settings/index.ts";
import { expiredHoldsBefore } from "./checkout-hold.rules.ts";
import type { KnownEntry } from "./decision.rules.ts";
import { neededTime } from "./night.views.ts";
import { type EventSpan, withBuffer } from "./time.rules.ts";

export type ShowNight = Readonly<{ artistId: string; startsAt: Date; nightEndsAt: string }>;

export const nightOfShow = ({ artistId, startsAt, nightEndsAt }: ShowNight) => sql<string>`(
  select (${startsAt}::timestamptz at time zone time_zone - ${nightEndsAt}::interval)::date from artists where id = ${artistId}::uuid)`;

export type Range = Readonly<{ from: Date; to: Date }>;

export const rangeOf = ({ from, to }: Range) => sql<string>`tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')`;

/** Excludes the holds of ended checkouts. A night on hold counts until its reservation is removed, because a request to answer prolongs it. */
export const isLive = (now: Date) =>
  sql`(kind <> 'hold' or booking_id is null or expires_at > ${expiredHoldsBefore(now)}::timestamptz)`;

/** Returns the artist's blocked times, entries of other calendars and other nights on hold that overlap a range. */
export const entriesAround = (reader: Reader, night: ShowNight, range: Range, now: Date): Promise<KnownEntry[]> =>
  rowsOf<KnownEntry>(reader)`
    select case kind when 'hold' then 'on_hold' else kind end as kind, lower(during) as from, upper(during) as to, expires_at as until
    from date_reservations
    where artist_id = ${night.artistId} and booking_id is null
      and not exists (select 1 from hold_nights n where n.id = hold_night_id and n.night = ${nightOfShow(night)})
      and during && ${rangeOf(range)} and ${isLive(now)}`;

/** Returns the times of a range in which an artist cannot be requested: live reservations, and whole nights on hold. */
export const busyTimes = (
  reader: Reader,
  { artistId, nightEndsAt }: Readonly<{ artistId: string; nightEndsAt: string }>,
  range: Range,
  now: Date,
): Promise<Range[]> =>
  rowsOf<Range>(reader)`
    select lower(during) as from, upper(during) as to from date_reservations
    where artist_id = ${artistId} and during && ${rangeOf(range)} and ${isLive(now)}
    union all
    select (night + ${nightEndsAt}::time) at time zone a.time_zone, (night + 1 + ${nightEndsAt}::time) at time zone a.time_zone
    from hold_nights n join artists a on a.id = n.artist_id where n.artist_id = ${artistId} and state = 'active'`;

export async function checkoutsIn(reader: Reader, artistId: string, range: Range): Promise<string[]> {
  const rows = await rowsOf<{ booking_id: string }>(reader)`
    select booking_id from date_reservations
    where artist_id = ${artistId} and kind = 'hold' and booking_id is not null and during && ${rangeOf(range)}`;
  return rows.map((row) => row.booking_id);
}

/** Returns the parts of a range without a show, a checkout or one of the given blocked times. */
export function freeTimesIn(
  reader: Reader,
  artistId: string,
  range: Range,
  blockedIds: readonly string[] = [],
): Promise<Range[]> {
  const whole = rangeOf(range);
  return rowsOf<Range>(reader)`
    select lower(part) as from, upper(part) as to
    from unnest(tstzmultirange(${whole}) - coalesce((
      select range_agg(during) from date_reservations
      where artist_id = ${artistId} and (kind in ('hold', 'booked') or id = any(${[...blockedIds]}::uuid[])) and during && ${whole}), '{}')) part
    order by 1`;
}

/** Returns the reserved time of a booking, with travel and set-up. Throws if it has none. */
export async function requireReservedTime(reader: Reader, bookingId: string): Promise<Range> {
  const row = await firstRowOf<Range>(reader)`
    select lower(during) as from, upper(during) as to from date_reservations where booking_id = ${bookingId}::uuid`;
  if (!row) throw new Error(`booking ${bookingId} has no reserved time`);
  return row;
}

export const hasReservation = async (reader: Reader, bookingId: string): Promise<boolean> =>
  (await reader.selectFrom("date_reservations").select("id").where("booking_id", "=", bookingId).executeTakeFirst()) !==
  undefined;

export const liveHold = (reader: Reader, bookingId: string, now: Date) =>
  reader
    .selectFrom("date_reservations")
    .select("expires_at")
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "hold")
    .where("expires_at", ">", expiredHoldsBefore(now))
    .executeTakeFirst();

export const findPublicArtist = (reader: Reader, slug: string) =>
  reader
    .selectFrom("artists")
    .select(["id", "name", "user_id", "time_zone"])
    .where("slug", "=", slug)
    .where("is_active", "=", true)
    .where("is_public", "=", true)
    .executeTakeFirst();

/** Returns the ids of an artist's open requests whose date is booked or blocked, by the rule of the exclusion constraint. */
export async function requestsWithoutDate(reader: Reader, artistId: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(reader)`
    select b.id from bookings b
    where b.artist_id = ${artistId} and b.status = 'initiated' and exists (
      select 1 from date_reservations r
      where r.artist_id = b.artist_id and r.kind in ('booked', 'blocked')
        and r.during && ${neededTime})
    order by b.id`;
  return rows.map(({ id }) => id);
}

/** Returns true if a date cannot be reserved for a booking now, by the rule of the exclusion constraint. Leaves out the night on hold that the show is in. */
export async function overlapsReservation(
  reader: Reader,
  { artistId, span, except, now }: { artistId: string; span: EventSpan; except: string; now: Date },
): Promise<boolean> {
  const settings = await artistSettings(reader, artistId);
  const night = nightOfShow({ artistId, startsAt: span.startsAt, nightEndsAt: settings.nightEndsAt });
  return hasRow(reader)`
    select 1 from date_reservations where artist_id = ${artistId} and booking_id is distinct from ${except}::uuid and kind <> 'external'
      and not exists (select 1 from hold_nights n where n.id = hold_night_id and n.night = ${night})
      and during && ${rangeOf(withBuffer(span, settings))} and ${isLive(now)} limit 1`;
}

/** The name of a hold's promoter (`h`: holds, `p`: profiles), as `unlessAddress` returns it. */
export const promoterName = (otherwise = "A promoter") =>
  sql<string>`coalesce(h.entered_name, nullif(regexp_replace(p.name, '^\\S+@\\S+$', ''), ''), ${sql.lit(otherwise)})`;
