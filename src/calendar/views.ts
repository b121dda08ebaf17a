import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { deadHoldsBefore } from "./store.ts";

export type LiveReservation = {
  booking_id: string;
  kind: "hold" | "booked";
  from: Date;
  to: Date;
  expires_at: Date | null;
};

export async function liveReservations(
  reader: Reader,
  artistId: string,
  span: { from: Date; to: Date },
  now: Date,
): Promise<LiveReservation[]> {
  const { rows } = await sql<LiveReservation>`
    select booking_id, kind, lower(during) as from, upper(during) as to, expires_at from date_reservations
    where artist_id = ${artistId} and during && tstzrange(${span.from}::timestamptz, ${span.to}::timestamptz, '[)')
      and (kind = 'booked' or expires_at > ${deadHoldsBefore(now)}::timestamptz)
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
