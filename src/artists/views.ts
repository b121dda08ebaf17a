/** Reads of this room; joins go wherever they must. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { TakenDate } from "./api.ts";
import { cardColumns, type CardRow } from "./card.ts";

/** The artist behind a slug when somebody wants to book: active ones only, so that a closed profile answers like a missing one. */
export const findBookableArtist = (reader: Reader, slug: string) =>
  reader.selectFrom("artists").selectAll().where("slug", "=", slug).where("is_active", "=", true).executeTakeFirst();

/** The artist that an account owns, if it owns one. */
export const findArtistOf = (reader: Reader, userId: string) =>
  reader.selectFrom("artists").selectAll().where("user_id", "=", userId).executeTakeFirst();

/** What a picture is drawn from. An inactive artist keeps the picture: it stands in lists of old bookings. */
export const findSitter = (reader: Reader, slug: string) =>
  reader
    .selectFrom("artists")
    .select(["slug", "name", "genre", "location"])
    .where("slug", "=", slug)
    .executeTakeFirst();

/** The currency that rates are in. */
export async function platformCurrency(reader: Reader): Promise<string> {
  const { rows } = await sql<{ currency: string | null }>`
    select value->>'currency' as currency from settings where scope = 'platform' limit 1`.execute(reader);
  return rows[0]?.currency ?? "usd";
}

/** The four artists of the front page: those with a rank, filled up with the most booked. */
export async function featuredArtists(reader: Reader): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    with ranked as (
      select ${cardColumns}, a.featured_rank as rank from artists a
      where a.featured_rank is not null and a.is_active order by a.featured_rank, a.id limit 4),
    booked as (
      select ${cardColumns}, 32767 as rank from artists a
      where a.is_active and a.featured_rank is null order by a.booked_count desc, a.id desc limit 4)
    select a.*, row_number() over () from (select * from ranked union all select * from booked) a order by rank limit 4`.execute(
    reader,
  );
  return rows;
}

/** Everything a profile shows beside the artist's own row. */
export async function profileParts(
  reader: Reader,
  artist: { id: string; genre: string; lat: number | null; lon: number | null },
  now: Date,
) {
  const [media, reviews, taken, similar, notice] = await Promise.all([
    reader
      .selectFrom("artist_media")
      .select(["id", "kind", "url", "caption"])
      .where("artist_id", "=", artist.id)
      .orderBy("position")
      .orderBy("id")
      .execute(),
    recentReviews(reader, artist.id),
    takenDates(reader, artist.id, now),
    similarArtists(reader, artist),
    bookingWindow(reader, artist.id),
  ]);
  return { media, reviews, taken, similar, notice };
}

const recentReviews = (reader: Reader, artistId: string) =>
  reader
    .selectFrom("reviews")
    .innerJoin("bookings", "bookings.id", "reviews.booking_id")
    .select(["reviews.id", "reviews.author_name", "reviews.rating", "reviews.body", "reviews.created_at"])
    .select(["bookings.event_type", "bookings.event_date"])
    .where("reviews.artist_id", "=", artistId)
    .orderBy("reviews.created_at", "desc")
    .orderBy("reviews.id", "desc")
    .limit(6)
    .execute();

/** The dates that cannot be asked for, by the rule of the search: a night belongs to the date it starts on, until six in the morning. */
export async function takenDates(reader: Reader, artistId: string, now: Date): Promise<TakenDate[]> {
  const { rows } = await sql<TakenDate>`
    select to_char(day, 'YYYY-MM-DD') as date, case when bool_or(c.kind = 'booked') then 'booked' else 'hold' end as state
    from date_claims c join bookings b on b.id = c.booking_id,
      generate_series(b.event_date::timestamp,
        greatest(b.event_date, ((b.ends_at at time zone b.time_zone) - interval '6 hours')::date)::timestamp, interval '1 day') day
    where c.artist_id = ${artistId} and upper(c.during) > ${now}::timestamptz - interval '1 day'
    group by day order by day limit 800`.execute(reader);
  return rows;
}

/** Two others of the same genre: among the most booked, those who are nearest. */
async function similarArtists(
  reader: Reader,
  artist: { id: string; genre: string; lat: number | null; lon: number | null },
): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from (
      select * from artists where genre = ${artist.genre} and is_active and id <> ${artist.id} order by booked_count desc, id desc limit 24) a
    order by (a.lat - ${artist.lat}::float8) ^ 2 + ((a.lon - ${artist.lon}::float8) * 0.78) ^ 2 nulls last, a.booked_count desc, a.id
    limit 2`.execute(reader);
  return rows;
}

/** How soon and how far ahead an artist can be booked, in days; the specification's defaults until the artist sets others. */
async function bookingWindow(reader: Reader, artistId: string) {
  const { rows } = await sql<{ minimum_notice: number; maximum_booking_days: number }>`
    select coalesce((value->>'minimumNotice')::int, 7) as minimum_notice, coalesce((value->>'maximumBookingDays')::int, 365) as maximum_booking_days
    from settings where scope = 'artist' and owner_id = ${artistId}`.execute(reader);
  return rows[0] ?? { minimum_notice: 7, maximum_booking_days: 365 };
}
