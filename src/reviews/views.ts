import { sql } from "kysely";
import { z } from "zod";
import type { ArtistReview } from "#artists/api.ts";
import { countRows, firstRowOf, hasRow, rowsOf, type Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ModeratedReview } from "./api.ts";
import { completedBeforeWindow, reviewWindowDays, type ReviewSide } from "./rules.ts";
import type { Review } from "./store.ts";

type Page = { limit?: number | undefined; cursor?: string | undefined };

function pageFrom<T>(rows: T[], limit: number, keyOf: (row: T) => string[]) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursorFor(keyOf(last)) : null };
}

export async function findArtistReviews(reader: Reader, { slug, limit = 24, cursor }: Page & { slug: string }) {
  const [after] = readCursor(cursor, z.tuple([cursorKeys.id])) ?? [];
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
  const { items, nextCursor } = pageFrom(rows, limit, ({ id }) => [id]);
  return { items: items.map(withReplyDate), nextCursor };
}

const withReplyDate = (review: ArtistReview): ArtistReview => ({
  ...review,
  reply: review.reply && { ...review.reply, created_at: new Date(review.reply.created_at) },
});

type ShownColumn = "id" | "written_by" | "author_name" | "rating" | "body" | "created_at" | "published_at";
export type ReviewRow = Pick<Review, ShownColumn | "hidden_at" | "hidden_reason"> & {
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

const moderatedStates = {
  reported: {
    where: sql`m.reported_at is not null and m.decision is null`,
    at: sql`m.reported_at`,
    isNewestFirst: false,
  },
  hidden: { where: sql`m.hidden_at is not null`, at: sql`m.hidden_at`, isNewestFirst: true },
};

/** Returns reviews with an open report, oldest report first, or hidden ones, last hidden first. The cursor contains the time, because the review may change state meanwhile. */
export async function listModerated(
  reader: Reader,
  { state, limit = 24, cursor }: Page & { state: keyof typeof moderatedStates },
) {
  const { where, at, isNewestFirst } = moderatedStates[state];
  const after = readCursor(cursor, z.tuple([cursorKeys.instant, cursorKeys.id]));
  const [direction, beyond] = isNewestFirst ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const [rows, counted] = await Promise.all([
    rowsOf<ModeratedRow & { position: string }>(reader)`
      select m.*, ${at}::text as position from (${moderated}) m where ${where}
      ${after ? sql`and (${at}, m.id) ${beyond} (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
      order by ${at} ${direction}, m.id ${direction} limit ${limit + 1}`,
    countRows(reader, sql`select 1 from (${moderated}) m where ${where}`),
  ]);
  const { items, nextCursor } = pageFrom(rows, limit, ({ position, id }) => [position, id]);
  return { items: items.map(toModeratedReview), nextCursor, ...counted };
}

export async function findModerated(reader: Reader, id: string): Promise<ModeratedReview | undefined> {
  const row = await firstRowOf<ModeratedRow>(reader)`${moderated} where r.id = ${id}`;
  return row && toModeratedReview(row);
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

export const isReviewedDeleted = (reader: Reader, bookingId: string, side: ReviewSide): Promise<boolean> =>
  hasRow(reader)`
    select 1 from bookings b join artists a on a.id = b.artist_id
      join users u on u.id = ${side === "artist" ? sql`b.promoter_user_id` : sql`a.user_id`}
    where b.id = ${bookingId}::uuid and u.deleted_at is not null`;

/** Returns bookings whose reviews are due. In random order, because failing ones must not block the others. */
export async function bookingsToPublish(reader: Reader, now: Date, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(reader)`
    select b.id from reviews r join bookings b on b.id = r.booking_id
    where r.published_at is null and b.completed_at <= ${completedBeforeWindow(now)}::timestamptz
    group by b.id order by random() limit ${limit}`;
  return rows.map(({ id }) => id);
}

export const publicationTimes = sql`select b.completed_at + ${reviewWindowDays * 24} * interval '1 hour' as at from reviews r
  join bookings b on b.id = r.booking_id where r.published_at is null`;
