/** What an artist's calendar shows: bookings, requests, holds, blocked times and entries of other calendars in one list. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { addDays, dayIn, isTimeZone, timeIn } from "#platform/time/calendar.rules.ts";
import { artistSettings } from "#settings/index.ts";
import type { CalendarEntry, EntryKind } from "./api.ts";
import { nightEnd, nightOf } from "./night.rules.ts";
import { deadHoldsBefore } from "./holds.rules.ts";

export type OwnArtist = Readonly<{ id: string; user_id: string | null; time_zone: string }>;

export const findOwnArtist = (reader: Reader, userId: string): Promise<OwnArtist | undefined> =>
  reader.selectFrom("artists").select(["id", "user_id", "time_zone"]).where("user_id", "=", userId).executeTakeFirst();

type Row = {
  kind: EntryKind;
  id: string;
  title: string;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  booking_id: string | null;
};

/** Returns the artist's entries that overlap the nights from one to another, both included, in order of time. */
export async function ownCalendar(
  reader: Reader,
  artist: OwnArtist,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<{ items: CalendarEntry[]; night_ends_at: string }> {
  const { nightEndsAt } = await artistSettings(reader, artist.id);
  const zone = isTimeZone(artist.time_zone) ? artist.time_zone : "UTC";
  const begin = nightEnd(addDays(from, -1), zone, nightEndsAt);
  const end = nightEnd(to, zone, nightEndsAt);
  const rows = await rowsBetween(reader, artist.id, { begin, end, now });
  const items = rows
    .filter((row) => row.starts_at < end && row.ends_at > begin)
    .map((row) => ({
      ...row,
      // An entry of whole days begins at midnight, and that is not the night before.
      night:
        timeIn(zone, row.starts_at) === "00:00" && row.kind === "external"
          ? dayIn(zone, row.starts_at)
          : nightOf(row.starts_at, zone, nightEndsAt),
      last_night: nightOf(new Date(row.ends_at.getTime() - 1), zone, nightEndsAt),
      conflict: rows.some((other) => isConflict(row, other)),
    }));
  return { items, night_ends_at: nightEndsAt };
}

const isConflict = (one: Row, other: Row): boolean =>
  one.starts_at < other.ends_at &&
  other.starts_at < one.ends_at &&
  ((one.kind === "show" && other.kind === "external") || (one.kind === "external" && other.kind === "show"));

async function rowsBetween(
  reader: Reader,
  artistId: string,
  { begin, end, now }: { begin: Date; end: Date; now: Date },
): Promise<Row[]> {
  const range = sql`tstzrange(${begin}::timestamptz, ${end}::timestamptz)`;
  const { rows } = await sql<Row>`
    select case r.kind when 'booked' then 'show' else r.kind end as kind, r.id,
      coalesce(b.promoter_name, nullif(r.note, ''), case r.kind when 'blocked' then 'Blocked' else 'Busy' end) as title,
      lower(coalesce(r.span, r.during)) as starts_at, upper(coalesce(r.span, r.during)) as ends_at,
      coalesce(b.time_zone, a.time_zone) as time_zone, r.booking_id
    from date_reservations r join artists a on a.id = r.artist_id left join bookings b on b.id = r.booking_id
    where r.artist_id = ${artistId} and r.during && ${range} and (r.kind <> 'hold' or r.expires_at > ${deadHoldsBefore(now)}::timestamptz)
    union all
    select 'request', b.id, b.promoter_name, b.starts_at, b.ends_at, b.time_zone, b.id
    from bookings b
    where b.artist_id = ${artistId} and b.status = 'initiated' and b.starts_at < ${end}::timestamptz and b.ends_at > ${begin}::timestamptz
      and not exists (select 1 from date_reservations r where r.booking_id = b.id)
    order by starts_at, id`.execute(reader);
  return rows;
}
