import { implement } from "@orpc/server";
import { type BookingForCaller, findBookingFor, lockBookingFor, requireVerifiedMailbox } from "#bookings/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { type BookingReview, type BookingReviews, reviewsApi } from "./api.ts";
import {
  isReviewed,
  mayHide,
  mayReply,
  mayReport,
  maySeeReview,
  mayUnhide,
  type ReviewState,
  sideOf,
} from "./policy.ts";
import {
  authorNameOf,
  hideReview,
  dismissReports,
  replyToReview,
  reportReview,
  unhideReview,
  writeReview,
} from "./reviews.ts";
import { reviewableSince, reviewWindowEnd, reviewWindowOf } from "./rules.ts";
import { lockReview, type Review } from "./store.ts";
import {
  bookingOfReview,
  findArtistReviews,
  findModerated,
  isReviewedDeleted,
  listModerated,
  type ReviewRow,
  reviewsOfBooking,
} from "./views.ts";

const on = implement(reviewsApi).$context<Context>();

const nowOf = (context: Context) => context.services.clock.now();

const missing = () => notFound("Review not found");

const stateOf = (row: ReviewRow): ReviewState => ({
  written_by: row.written_by,
  is_published: row.published_at !== null,
  is_hidden: row.hidden_at !== null,
  has_reply: row.reply_body !== null,
  is_reported: row.is_reported,
});

async function readReviews(reader: Reader, context: Context, about: BookingForCaller): Promise<BookingReviews> {
  const { booking, relation } = about;
  const now = nowOf(context);
  const side = sideOf(relation);
  const rows = await reviewsOfBooking(reader, booking.id);
  const isOwnIn = rows.some((row) => row.written_by === side);
  const canWrite =
    side !== null &&
    !relation.mailboxUnverified &&
    !isOwnIn &&
    reviewWindowOf(booking, now, side) === "open" &&
    !(await isReviewedDeleted(reader, booking.id, side));
  const since = reviewableSince(booking, side);
  return {
    side,
    shown_as: canWrite ? await authorNameOf(reader, about, side) : null,
    can_write: canWrite,
    open_until: since && reviewWindowEnd(since),
    other_is_in: side !== null && rows.some((row) => row.written_by !== side),
    items: rows
      .filter((row) => maySeeReview(relation, stateOf(row)))
      .map((row) => toResponse(row, about, context.actor !== null)),
  };
}

function toResponse(row: ReviewRow, { relation }: BookingForCaller, isSignedIn: boolean): BookingReview {
  const state = stateOf(row);
  const { id, written_by, author_name, rating, body, created_at } = row;
  return {
    id,
    written_by,
    author_name,
    rating,
    body,
    created_at,
    published: state.is_published,
    hidden: row.hidden_at && row.hidden_reason !== null ? { at: row.hidden_at, reason: row.hidden_reason } : null,
    reply: row.reply_body !== null && row.reply_at ? { body: row.reply_body, created_at: row.reply_at } : null,
    reported: state.is_reported && isReviewed(relation, state) ? (row.is_kept ? "kept" : "open") : null,
    can: {
      reply: mayReply(relation, state),
      report: isSignedIn && mayReport(relation, state),
      hide: mayHide(relation, state),
      unhide: mayUnhide(relation, state),
    },
  };
}

/** Locks a review with its booking for one of the booking's parties. Throws the same not found (404) for a review that they may not see as for a missing one. */
async function lockForParty(tx: Tx, context: Context, id: string) {
  const bookingId = await bookingOfReview(tx, id);
  if (!bookingId) throw missing();
  const about = await lockBookingFor(tx, context, bookingId).catch((error: unknown) => {
    throw error instanceof Problem && error.kind === "not_found" ? missing() : error;
  });
  const review = await lockReview(tx, id);
  const row = (await reviewsOfBooking(tx, bookingId)).find((one) => one.id === id);
  if (!review || !row || !maySeeReview(about.relation, stateOf(row))) throw missing();
  return { about, review, facts: stateOf(row) };
}

/** Locks a published review for an admin. Throws not found (404) for unpublished ones, which admins do not see. */
async function lockForAdmin(tx: Tx, id: string): Promise<Review> {
  const review = await lockReview(tx, id);
  if (!review?.published_at) throw missing();
  return review;
}

type Moderation = { adminId: string; now: Date };

/** Runs an admin's decision about a review, and returns the review after it. */
const moderate = (context: Context, id: string, decide: (tx: Tx, review: Review, by: Moderation) => Promise<void>) =>
  context.transaction(async (tx) => {
    const review = await lockForAdmin(tx, id);
    await decide(tx, review, { adminId: requireActor(context).userId, now: nowOf(context) });
    const moderated = await findModerated(tx, id);
    if (!moderated) throw missing();
    return moderated;
  });

export const reviewsRoutes = on.router({
  ofArtist: on.ofArtist.handler(async ({ input, context }) => {
    const page = await findArtistReviews(context.db, input);
    if (!page) throw notFound("Artist not found");
    return page;
  }),

  ofBooking: on.ofBooking.handler(async ({ input, context }) =>
    readReviews(context.db, context, await findBookingFor(context, input.id)),
  ),

  write: on.write.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const about = await lockBookingFor(tx, context, input.id);
      requireVerifiedMailbox(about.relation);
      const side = sideOf(about.relation);
      if (side === null)
        throw new Problem("forbidden", "Only the promoter and the artist of a booking can review it.", {
          code: "not_a_party",
        });
      const now = nowOf(context);
      const { rating, body } = input;
      // The author is the account on this side, even if the booking was opened by the browser's cookie.
      const authorUserId = side === "promoter" ? about.booking.promoter_user_id : about.artist.user_id;
      await writeReview(tx, about, { side, authorUserId, rating, body, now });
      return readReviews(tx, context, about);
    }),
  ),

  reply: on.reply.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { about, review, facts: state } = await lockForParty(tx, context, input.id);
      if (!mayReply(about.relation, { ...state, has_reply: false })) throw missing();
      const now = nowOf(context);
      await replyToReview(tx, review, { authorUserId: requireActor(context).userId, body: input.body, now });
      return readReviews(tx, context, about);
    }),
  ),

  report: on.report.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { about, review, facts: state } = await lockForParty(tx, context, input.id);
      if (!mayReport(about.relation, { ...state, is_reported: false })) throw missing();
      const now = nowOf(context);
      await reportReview(tx, review, { reporterUserId: requireActor(context).userId, reason: input.reason, now });
      return readReviews(tx, context, about);
    }),
  ),

  moderated: on.moderated.handler(({ input, context }) => listModerated(context.db, input)),

  hide: on.hide.handler(({ input, context }) =>
    moderate(context, input.id, async (tx, review, by) => {
      if (review.hidden_at) throw conflict("This review is already hidden.");
      await hideReview(tx, review, { ...by, reason: input.reason });
    }),
  ),

  unhide: on.unhide.handler(({ input, context }) =>
    moderate(context, input.id, async (tx, review, by) => {
      if (!review.hidden_at) throw conflict("This review is not hidden.");
      await unhideReview(tx, review, by);
    }),
  ),

  keep: on.keep.handler(({ input, context }) => moderate(context, input.id, dismissReports)),
});
