/** Who the two sides of a booking are. */
import type { Reader } from "#platform/db/index.ts";

/** The accounts of both sides; null where a side has none, undefined when there is no such booking. */
export const partiesOf = (reader: Reader, bookingId: string) =>
  reader
    .selectFrom("bookings")
    .innerJoin("artists", "artists.id", "bookings.artist_id")
    .select(["artists.user_id as artist", "bookings.promoter_user_id as promoter"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
