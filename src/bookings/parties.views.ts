import type { Reader } from "#platform/db/index.ts";

export const partiesOf = (reader: Reader, bookingId: string) =>
  reader
    .selectFrom("bookings")
    .innerJoin("artists", "artists.id", "bookings.artist_id")
    .select(["artists.user_id as artist", "bookings.promoter_user_id as promoter"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
