import type { Reader } from "#platform/db/index.ts";

export const findHoldNotice = (reader: Reader, holdNightId: string) =>
  reader
    .selectFrom("hold_nights as n")
    .innerJoin("holds as h", "h.id", "n.hold_id")
    .innerJoin("artists as a", "a.id", "n.artist_id")
    .leftJoin("profiles as p", "p.user_id", "n.promoter_user_id")
    .leftJoin("users as u", "u.id", "n.promoter_user_id")
    .select(["u.deleted_at", "n.night", "n.promoter_user_id", "n.artist_id", "h.entered_name"])
    .select(["a.name as artist_name", "a.user_id as artist_user_id", "a.time_zone", "p.name as promoter_name"])
    .where("n.id", "=", holdNightId)
    .executeTakeFirst();
