import { sql } from "kysely";
import { zoneOfLocation } from "#artists/gazetteer/index.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { addDays, dayIn, daysBetween, timeIn, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { artistSettings } from "#settings/index.ts";
import type { ArtistSettings } from "#settings/rules.ts";
import type { EntryKind } from "../api.ts";
import { expiredHoldsBefore } from "../checkout-hold.rules.ts";
import { decideOwnNight } from "../decision.rules.ts";
import { assumedShow, eventDateOf, isException, isNightOpen, nightEnd, nightOf } from "../night.rules.ts";
import { bookableDays } from "../notice.rules.ts";
import { instantOf, withBuffer } from "../time.rules.ts";
import { promoterName } from "../views.ts";

export type OwnArtist = Readonly<{ id: string; name: string; user_id: string | null; time_zone: string }>;

export async function requireOwnArtist(reader: Reader, userId: string): Promise<OwnArtist> {
  const artist = await reader
    .selectFrom("artists")
    .select(["id", "name", "user_id", "time_zone"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!artist) throw notFound("Your account does not own an artist profile yet.");
  return artist;
}

type Row = {
  /** `on_hold`: the reservation of a night on hold, which is no entry. */
  kind: EntryKind | "on_hold";
  id: string;
  title: string;
  venue: string | null;
  starts_at: Date;
  ends_at: Date;
  reserved_from: Date;
  reserved_to: Date;
  expires_at: Date | null;
  time_zone: string;
  booking_id: string | null;
  status: string | null;
  hold: { id: string; rank: number; challenged: boolean } | null;
  event: { night: string; time: string; location: string } | null;
};

/** Returns everything in the artist's calendar that overlaps the nights, both included, in order of time. A hold of the night before counts with its travel and set-up. */
export async function ownCalendar(
  reader: Reader,
  artist: OwnArtist,
  { from, to }: { from: string; to: string },
  now: Date,
) {
  const settings = await artistSettings(reader, artist.id);
  const { nightEndsAt } = settings;
  const zone = zoneOrUtc(artist.time_zone);
  const begin = nightEnd(addDays(from, -1), zone, nightEndsAt);
  const end = nightEnd(to, zone, nightEndsAt);
  const found = await rowsBetween(reader, artist.id, { from, to, begin, end, now });
  const rows = found
    .map((row) => (row.event ? { ...row, ...timesOf(row.event, artist, settings) } : row))
    .toSorted(inOrder);
  const items = rows
    .filter((row): row is Row & { kind: EntryKind } => row.kind !== "on_hold")
    .filter(({ event, ...row }) =>
      event ? event.night >= from || row.reserved_to > begin : row.starts_at < end && row.ends_at > begin,
    )
    .map(({ event, ...row }) => ({
      ...row,
      ...(event ? { night: event.night, last_night: event.night } : nightsOf(row, zone, nightEndsAt)),
      conflict: rows.some((other) => isConflict(row, other)),
    }));
  const nights = Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at));
  const known = {
    now,
    zone,
    settings,
    reservations: rows.filter((row) => row.kind === "show" || (row.kind === "hold" && !row.hold)).map(reservationOf),
    entries: rows.flatMap(({ kind, reserved_from, reserved_to }) =>
      kind === "blocked" || kind === "external" || kind === "on_hold"
        ? [{ kind, from: reserved_from, to: reserved_to }]
        : [],
    ),
  };
  const queued = new Set(items.filter(({ hold }) => hold).map(({ night }) => night));
  return {
    items,
    nights: nights.map((night) => ({
      night,
      state: decideOwnNight({ ...known, day: night, hasQueue: queued.has(night) }),
    })),
    bookable: bookableDays(settings, zone, now),
    night_ends_at: nightEndsAt,
    time_zone: zone,
    closed: nights.filter((night) => !isNightOpen(night, settings)),
    exceptions: nights.filter((night) => isException(night, settings)),
  };
}

const nightsOf = ({ kind, starts_at, ends_at }: TimedRow, zone: string, nightEndsAt: string) => ({
  // An entry of whole days begins at midnight, which is not the night before.
  night:
    kind === "external" && [starts_at, ends_at].every((at) => timeIn(zone, at) === "00:00")
      ? dayIn(zone, starts_at)
      : nightOf(starts_at, zone, nightEndsAt),
  last_night: nightOf(new Date(ends_at.getTime() - 1), zone, nightEndsAt),
});

const reservationOf = (row: Row) => ({
  bookingId: row.booking_id ?? "",
  own: false,
  kind: row.kind === "show" ? ("booked" as const) : ("hold" as const),
  day: dayIn(row.time_zone, row.starts_at),
  time: timeIn(row.time_zone, row.starts_at),
  zone: row.time_zone,
  from: row.reserved_from,
  to: row.reserved_to,
  span: { startsAt: row.starts_at, endsAt: row.ends_at },
  expiresAt: row.expires_at,
});

type TimedRow = Pick<Row, "kind" | "starts_at" | "ends_at">;

const isConflict = (one: TimedRow, other: TimedRow): boolean =>
  one.starts_at < other.ends_at &&
  other.starts_at < one.ends_at &&
  ((one.kind === "show" && other.kind === "external") || (one.kind === "external" && other.kind === "show"));

const rankOf = ({ hold }: Row) => hold?.rank ?? 0;
const inOrder = (one: Row, other: Row) =>
  one.starts_at.getTime() - other.starts_at.getTime() || rankOf(one) - rankOf(other);

function timesOf({ night, time, location }: NonNullable<Row["event"]>, artist: OwnArtist, settings: ArtistSettings) {
  const zone = zoneOfLocation(location, artist);
  const startsAt = instantOf(`${eventDateOf(night, time, settings.nightEndsAt)}T${time}`, zone);
  const endsAt = new Date(startsAt.getTime() + assumedShow.minutes * minuteMs);
  const { from, to } = withBuffer({ startsAt, endsAt }, settings);
  return { starts_at: startsAt, ends_at: endsAt, reserved_from: from, reserved_to: to, time_zone: zone };
}

async function rowsBetween(
  reader: Reader,
  artistId: string,
  { from, to, begin, end, now }: { from: string; to: string; begin: Date; end: Date; now: Date },
): Promise<Row[]> {
  // An entry beside the first or last night may need the assumed show's travel and set-up time.
  const range = sql`tstzrange(${begin}::timestamptz - interval '12 hours', ${end}::timestamptz + interval '12 hours')`;
  return rowsOf<Row>(reader)`
    select case when r.kind = 'booked' then 'show' when r.hold_night_id is not null then 'on_hold' else r.kind end as kind, r.id,
      coalesce(b.promoter_name, nullif(r.note, ''), c.name, case r.kind when 'blocked' then 'Blocked' else 'Busy' end) as title, b.venue_name as venue,
      lower(coalesce(r.span, r.during)) as starts_at, upper(coalesce(r.span, r.during)) as ends_at,
      lower(r.during) as reserved_from, upper(r.during) as reserved_to, r.expires_at,
      coalesce(b.time_zone, a.time_zone) as time_zone, r.booking_id, b.status, null::json as hold, null::json as event
    from date_reservations r join artists a on a.id = r.artist_id left join bookings b on b.id = r.booking_id
      left join external_calendars c on c.id = r.external_calendar_id
    where r.artist_id = ${artistId} and r.during && ${range} and (r.kind <> 'hold' or r.booking_id is null or r.expires_at > ${expiredHoldsBefore(now)}::timestamptz)
      and not (r.kind = 'hold' and exists (select 1 from hold_nights n where n.booking_id = r.booking_id and n.state = 'active'))
    union all
    select 'request', b.id, b.promoter_name, b.venue_name, b.starts_at, b.ends_at, b.starts_at, b.ends_at, null, b.time_zone, b.id, b.status, null::json, null::json
    from bookings b
    where b.artist_id = ${artistId} and b.status = 'initiated' and b.starts_at < ${end}::timestamptz and b.ends_at > ${begin}::timestamptz
      and not exists (select 1 from date_reservations r where r.booking_id = b.id)
      and not exists (select 1 from hold_nights n where n.booking_id = b.id and n.state = 'active')
    union all
    select 'hold', n.id, ${promoterName()}, h.event_location, ${begin}::timestamptz, ${begin}::timestamptz,
      ${begin}::timestamptz, ${begin}::timestamptz, n.expires_at, a.time_zone, n.booking_id, null,
      json_build_object('id', h.id, 'rank', n.rank, 'challenged', n.challenge_ends_at is not null or n.must_pay),
      json_build_object('night', n.night, 'time', h.event_time, 'location', h.event_location)
    from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id
    left join profiles p on p.user_id = n.promoter_user_id
    where n.artist_id = ${artistId} and n.state = 'active' and n.night between ${from}::date - 1 and ${to}::date
    order by id`;
}
