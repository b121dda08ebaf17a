import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { KnownEntry } from "./decision.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { withBuffer } from "./night.rules.ts";
import type { EventSpan } from "./time.rules.ts";
import { deadHoldsBefore } from "./holds.rules.ts";

type Range = Readonly<{ from: Date; to: Date }>;

/** The artist's blocked times and entries of other calendars that overlap a range. */
export async function entriesAround(reader: Reader, artistId: string, { from, to }: Range): Promise<KnownEntry[]> {
  const { rows } = await sql<KnownEntry>`
    select kind, lower(during) as from, upper(during) as to from date_reservations
    where artist_id = ${artistId} and kind in ('blocked', 'external')
      and during && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')`.execute(reader);
  return rows;
}

type LiveReservation = {
  from: Date;
  to: Date;
};

export async function liveReservations(
  reader: Reader,
  artistId: string,
  span: Range,
  now: Date,
): Promise<LiveReservation[]> {
  const { rows } = await sql<LiveReservation>`
    select lower(during) as from, upper(during) as to from date_reservations
    where artist_id = ${artistId} and during && tstzrange(${span.from}::timestamptz, ${span.to}::timestamptz, '[)')
      and (kind <> 'hold' or expires_at > ${deadHoldsBefore(now)}::timestamptz)
    order by during`.execute(reader);
  return rows;
}

/** The checkout that holds a booking's date now, with the moment its page ends. */
export const liveHold = (reader: Reader, bookingId: string, now: Date) =>
  reader
    .selectFrom("date_reservations")
    .select("expires_at")
    .where("booking_id", "=", bookingId)
    .where("kind", "=", "hold")
    .where("expires_at", ">", deadHoldsBefore(now))
    .executeTakeFirst();

export const findPublicArtist = (reader: Reader, slug: string) =>
  reader
    .selectFrom("artists")
    .select("id")
    .where("slug", "=", slug)
    .where("is_active", "=", true)
    .where("is_public", "=", true)
    .executeTakeFirst();

/** Whether a date can not be reserved for a booking now, as the exclusion constraint would decide. */
export async function overlapsReservation(
  reader: Reader,
  { artistId, span, except, now }: { artistId: string; span: EventSpan; except: string; now: Date },
): Promise<boolean> {
  const { from, to } = withBuffer(span, await artistSettings(reader, artistId));
  const { rows } = await sql`
    select 1 from date_reservations where artist_id = ${artistId} and booking_id is distinct from ${except}::uuid and kind <> 'external'
      and during && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')
      and (kind <> 'hold' or expires_at > ${deadHoldsBefore(now)}::timestamptz) limit 1`.execute(reader);
  return rows.length > 0;
}
