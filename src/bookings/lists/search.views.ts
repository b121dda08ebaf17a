import { type RawBuilder, sql } from "kysely";
import { containing } from "#platform/db/pages.ts";

/** Returns the condition that a booking `b` matches in artist, promoter, venue or number. Artists are looked up first, because then both parts use an index (migration 0120). */
export function bookingMatches(text: string): RawBuilder<boolean> {
  const pattern = sql`lower(${containing(text)}::text)`;
  return sql<boolean>`(lower(b.promoter_name || chr(10) || b.venue_name || chr(10) || b.number) like ${pattern}
    or b.artist_id = any (array(
      select a.id from artists a
      where (a.is_active and a.name_text like ${pattern}) or (not a.is_active and a.name_text like ${pattern}))))`;
}
