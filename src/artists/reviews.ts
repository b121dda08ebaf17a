/** The reviews of one artist, page by page. */
import { sql } from "kysely";
import { z } from "zod";
import type { Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ArtistProfile } from "./api.ts";

type Review = ArtistProfile["reviews"][number];

/** The id of the last review of a page; the database looks up its position in the order. */
const cursorShape = z.tuple([cursorKeys.id]);

/** One page of an active artist's reviews, newest first; undefined when there is no such artist. */
export async function findReviews(
  reader: Reader,
  { slug, limit = 24, cursor }: { slug: string; limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Review[]; nextCursor: string | null } | undefined> {
  const [after] = readCursor(cursor, cursorShape) ?? [];
  const artist = await reader
    .selectFrom("artists")
    .select("id")
    .where("slug", "=", slug)
    .where("is_active", "=", true)
    .executeTakeFirst();
  if (!artist) return undefined;
  const { rows } = await sql<Review>`
    select r.id, r.author_name, r.rating, r.body, r.created_at, b.event_type, b.event_date
    from reviews r join bookings b on b.id = r.booking_id
    where r.artist_id = ${artist.id}
      ${after ? sql`and (r.created_at, r.id) < (select o.created_at, o.id from reviews o where o.id = ${after} and o.artist_id = ${artist.id})` : sql``}
    order by r.created_at desc, r.id desc limit ${limit + 1}`.execute(reader);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursorFor([last.id]) : null };
}
