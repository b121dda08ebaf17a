import { sql } from "kysely";
import { z } from "zod";
import type { ArtistReview } from "#artists/api.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ModeratedReview } from "./api.ts";
import { completedBeforeWindow, reviewWindowDays, type ReviewSide } from "./rules.ts";

type Page = { limit?: number | undefined; cursor?: string | undefined };

const cursorShape = z.tuple([cursorKeys.id]);

function pageFrom<T extends { id: string }>(rows: T[], limit: number): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursorFor([last.id]) : null };
}

export async function findArtistReviews(reader: Reader, { slug, limit = 24, cursor }: Page & { slug: string }) {
  const [after] = readCursor(cursor, cursorShape) ?? [];
  const artist = await reader
    .selectFrom("artists")
    .select("id")
    .where("slug", "=", slug)
    .where("is_active", "=", true)
    .where("is_public", "=", true)
    .executeTakeFirst();
  if (!artist) return undefined;
  const rows = await rowsOf<ArtistReview>(reader)`
    select r.id, r.author_name, r.rating, r.body, r.created_at, b.event_type, b.event_date,
      (select jsonb_build_object('body', p.body, 'created_at', p.created_at) from review_replies p where p.review_id = r.id) as reply
    from public_reviews r join bookings b on b.id = r.booking_id
    where r.artist_id = ${artist.id}
      ${after ? sql`and (r.created_at, r.id) < (select o.created_at, o.id from reviews o where o.id = ${after} and o.artist_id = ${artist.id})` : sql``}
    order by r.created_at desc, r.id desc limit ${limit + 1}`;
  const { items, nextCursor } = pageFrom(rows, limit);
  return { items: items.map(withReplyDate), nextCursor };
}

const withReplyDate = (review: ArtistReview): ArtistReview => ({
  ...review,
  reply: review.reply && { ...review.reply, created_at: new Date(review.reply.created_at) },
});

export type ReviewRow = {
  id: string;
  written_by: ReviewSide;
  author_name: string;
  rating: number;
  body: string;
  created_at: Date;
  published_at: Date | null;
  hidden_at: Date | null;
  hidden_reason: string | null;
  reply_body: string | null;
  reply_at: Date | null;
  is_reported: boolean;
  is_kept: boolean;
};

export const reviewsOfBooking = (reader: Reader, bookingId: string): Promise<ReviewRow[]> =>
  rowsOf<ReviewRow>(reader)`
    select r.id, r.written_by, r.author_name, r.rating, r.body, r.created_at, r.published_at, r.hidden_at, r.hidden_reason,
      p.body as reply_body, p.created_at as reply_at,
      o.review_id is not null as is_reported, coalesce(o.decision = 'kept', false) as is_kept
    from reviews r left join review_replies p on p.review_id = r.id left join review_reports o on o.review_id = r.id
    where r.booking_id = ${bookingId} order by r.written_by desc`;

type ModeratedRow = Omit<ModeratedReview, "report" | "hidden"> & {
  report_reason: string | null;
  reported_at: Date | null;
  decision: "hidden" | "kept" | null;
  hidden_at: Date | null;
  hidden_reason: string | null;
};

const moderated = sql`
  select r.id, r.booking_id, b.number as booking_number, r.written_by, r.author_name, r.artist_id, a.name as artist_name,
    b.promoter_name, r.rating, r.body, r.created_at,
    o.reason as report_reason, o.created_at as reported_at, o.decision, r.hidden_at, r.hidden_reason
  from reviews r join bookings b on b.id = r.booking_id join artists a on a.id = r.artist_id
    left join review_reports o on o.review_id = r.id`;

const toModeratedReview = (row: ModeratedRow): ModeratedReview => ({
  ...row,
  report:
    row.report_reason !== null && row.reported_at !== null
      ? { reason: row.report_reason, created_at: row.reported_at, decision: row.decision }
      : null,
  hidden:
    row.hidden_at !== null && row.hidden_reason !== null ? { at: row.hidden_at, reason: row.hidden_reason } : null,
});

/** Returns reviews with an open report, oldest report first, or hidden ones, last hidden first. */
export async function listModerated(
  reader: Reader,
  { state, limit = 24, cursor }: Page & { state: "reported" | "hidden" },
) {
  const [after] = readCursor(cursor, cursorShape) ?? [];
  const { rows } =
    state === "reported"
      ? await sql<ModeratedRow>`${moderated} where o.decided_at is null and o.review_id is not null
          ${after ? sql`and (o.created_at, r.id) > (select created_at, review_id from review_reports where review_id = ${after})` : sql``}
          order by o.created_at, r.id limit ${limit + 1}`.execute(reader)
      : await sql<ModeratedRow>`${moderated} where r.hidden_at is not null
          ${after ? sql`and (r.hidden_at, r.id) < (select hidden_at, id from reviews where id = ${after})` : sql``}
          order by r.hidden_at desc, r.id desc limit ${limit + 1}`.execute(reader);
  const { items, nextCursor } = pageFrom(rows, limit);
  return { items: items.map(toModeratedReview), nextCursor };
}

export async function findModerated(reader: Reader, id: string): Promise<ModeratedReview | undefined> {
  const rows = await rowsOf<ModeratedRow>(reader)`${moderated} where r.id = ${id}`;
  return rows[0] && toModeratedReview(rows[0]);
}

export const bookingOfReview = async (reader: Reader, id: string): Promise<string | undefined> =>
  (await reader.selectFrom("reviews").select("booking_id").where("id", "=", id).executeTakeFirst())?.booking_id;

export const findReviewedBooking = (reader: Reader, bookingId: string) =>
  reader
    .selectFrom("bookings")
    .innerJoin("artists", "artists.id", "bookings.artist_id")
    .select(["artists.user_id as artist", "bookings.promoter_user_id as promoter"])
    .select(["bookings.status", "bookings.completed_at", "bookings.time_zone"])
    .select(["bookings.cancel_code", "bookings.canceled_at"])
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();

export async function isReviewedDeleted(reader: Reader, bookingId: string, side: ReviewSide): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bookings b join artists a on a.id = b.artist_id
      join users u on u.id = ${side === "artist" ? sql`b.promoter_user_id` : sql`a.user_id`}
    where b.id = ${bookingId}::uuid and u.deleted_at is not null`.execute(reader);
  return rows.length > 0;
}

export async function bookingsToPublish(reader: Reader, now: Date, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(reader)`
    select distinct b.id from reviews r join bookings b on b.id = r.booking_id
    where r.published_at is null and b.completed_at <= ${completedBeforeWindow(now)}::timestamptz limit ${limit}`;
  return rows.map(({ id }) => id);
}

export const publicationTimes = sql`select b.completed_at + ${reviewWindowDays * 24} * interval '1 hour' as at from reviews r
  join bookings b on b.id = r.booking_id where r.published_at is null`;
