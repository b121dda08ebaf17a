import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { cardColumns, type CardRow } from "./card.views.ts";
import type { AvailabilityRow } from "./nights/night.rules.ts";
import { nightColumns, type NightQuestion, nightAvailability } from "./nights/night.views.ts";

export const findArtistOf = (reader: Reader, userId: string) =>
  reader.selectFrom("artists").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** Returns the inputs of a picture. Inactive artists too, because lists of old bookings show it. */
export const findPosterSubject = (reader: Reader, slug: string) =>
  reader
    .selectFrom("artists")
    .select(["slug", "name", "genre", "location", "poster_variant"])
    .where("slug", "=", slug)
    .executeTakeFirst();

export async function featuredArtists(reader: Reader, question: NightQuestion | undefined, now: Date) {
  const columns = sql`${cardColumns}, ${nightColumns}`;
  const four = sql`
    with ranked as (
      select ${columns}, a.featured_rank as rank from artists a
      where a.featured_rank is not null and a.is_active and a.is_public order by a.featured_rank, a.id limit 4),
    booked as (
      select ${columns}, 32767 as rank from artists a
      where a.is_active and a.is_public and a.featured_rank is null order by a.booked_count desc, a.id desc limit 4)
    select * from (select * from ranked union all select * from booked) a order by rank limit 4`;
  const availability = question && nightAvailability(question, now);
  const rows = await rowsOf<CardRow & Partial<AvailabilityRow>>(reader)`
    select a.* ${availability?.columns ?? sql``} from (${four}) a ${availability?.join ?? sql``} order by a.rank`;
  return rows;
}

export const ownersOfFormerPrices = (reader: Reader, currency: string) =>
  reader
    .selectFrom("artists")
    .innerJoin("users", "users.id", "artists.user_id")
    .select(["artists.name", "artists.user_id", "users.email"])
    .where("artists.is_active", "=", true)
    .where("artists.base_rate", ">", 0)
    .where("artists.price_currency", "<>", currency)
    .where("users.deleted_at", "is", null)
    .where("users.email_confirmed_at", "is not", null)
    .orderBy("artists.id")
    .execute();
