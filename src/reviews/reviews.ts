import { recordActivity } from "#activity/index.ts";
import { recountReviews } from "#artists/index.ts";
import type { BookingForCaller } from "#bookings/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import { promoterSettings } from "#settings/index.ts";
import {
  endedAsNoShow,
  reviewWindowDays,
  reviewWindowOf,
  type ReviewChanged,
  type ReviewsPublished,
  type ReviewSide,
} from "./rules.ts";
import {
  decideReport,
  insertReply,
  insertReport,
  insertReview,
  publishReviewsOf,
  type Review,
  setHidden,
} from "./store.ts";
import { findReviewedBooking, isReviewedDeleted, reviewsOfBooking } from "./views.ts";

async function broadcastReviews(tx: Tx, bookingId: string): Promise<void> {
  const parties = await findReviewedBooking(tx, bookingId);
  await broadcastChange(tx, "reviews", { userIds: [parties?.artist ?? null, parties?.promoter ?? null], admins: true });
}

/** Returns the author's name: the artist's, or the promoter's with the organization. It is stored when the review is written. */
export async function authorNameOf(reader: Reader, { booking, artist }: BookingForCaller, side: ReviewSide) {
  if (side === "artist") return artist.name;
  const name = booking.promoter_name;
  if (booking.promoter_user_id === null) return name;
  const { organizationName } = await promoterSettings(reader, booking.promoter_user_id);
  return organizationName === "" || organizationName === name ? name : `${name}, ${organizationName}`;
}

/** Stores a review. The caller has locked the booking: of two concurrent reviews the second one sees the first. */
export async function writeReview(
  tx: Tx,
  about: BookingForCaller,
  review: { side: ReviewSide; authorUserId: string | null; rating: number; body: string; now: Date },
): Promise<void> {
  const { booking } = about;
  const { side, now } = review;
  const window = reviewWindowOf(booking, now, side);
  if (window === "not_yet") throw conflict("A review can be written once the event is completed.");
  if (await isReviewedDeleted(tx, booking.id, side))
    throw conflict("The other party has deleted the account, so it can no longer be reviewed.");
  const stored =
    window === "open" &&
    (await insertReview(tx, {
      booking_id: booking.id,
      artist_id: booking.artist_id,
      written_by: side,
      author_user_id: review.authorUserId,
      author_name: await authorNameOf(tx, about, side),
      rating: review.rating,
      body: review.body,
      created_at: now,
    }));
  if (stored === false) throw conflict(`The ${reviewWindowDays} days for reviews are over.`);
  if (stored === undefined) throw conflict("You have already reviewed this booking.");
  await recordActivity(tx, {
    type: "booking",
    refId: booking.id,
    message: `${booking.number}: the ${side} has written a review`,
    actorId: review.authorUserId,
  });
  if (endedAsNoShow(booking) || (await reviewsOfBooking(tx, booking.id)).length === 2)
    await publishReviews(tx, booking, now);
  await broadcastReviews(tx, booking.id);
}

/** The caller has locked the booking. */
export async function publishReviews(tx: Tx, booking: { id: string; artist_id: string }, now: Date): Promise<void> {
  if ((await publishReviewsOf(tx, booking, now)) === 0) return;
  await recountReviews(tx, booking.artist_id);
  await publish(tx, "review.published", { bookingId: booking.id } satisfies ReviewsPublished);
  await broadcastReviews(tx, booking.id);
}

export async function replyToReview(tx: Tx, review: Review, reply: { authorUserId: string; body: string; now: Date }) {
  if (!(await insertReply(tx, { reviewId: review.id, ...reply })))
    throw conflict("You have already answered this review.");
  await publishChange(tx, review, { what: "replied", now: reply.now });
  await broadcastReviews(tx, review.booking_id);
}

type Change = Readonly<{ what: ReviewChanged["what"]; reason?: string; wasReported?: boolean; now: Date }>;

const publishChange = (
  tx: Tx,
  { id, booking_id, written_by }: Review,
  { what, reason = "", wasReported = true, now }: Change,
) =>
  publish(tx, "review.changed", {
    reviewId: id,
    bookingId: booking_id,
    author: written_by,
    what,
    reason: reason || null,
    wasReported,
    at: now.toISOString(),
  } satisfies ReviewChanged);

export async function reportReview(
  tx: Tx,
  review: Review,
  report: { reporterUserId: string; reason: string; now: Date },
): Promise<void> {
  if (!(await insertReport(tx, { reviewId: review.id, ...report })))
    throw conflict("This review has already been reported.");
  await recordActivity(tx, {
    type: "system",
    refId: review.booking_id,
    message: `A review by ${review.author_name} was reported: ${report.reason}`,
    meta: { review_id: review.id, reason: report.reason },
    actorId: report.reporterUserId,
  });
  await publishChange(tx, review, { what: "reported", reason: report.reason, now: report.now });
  await broadcastReviews(tx, review.booking_id);
}

type Decision = { adminId: string; now: Date };

export async function hideReview(tx: Tx, review: Review, how: Decision & { reason: string }): Promise<void> {
  await setHidden(tx, review.id, { at: how.now, by: how.adminId, reason: how.reason });
  const wasReported = await decideReport(tx, { reviewId: review.id, decision: "hidden", ...how });
  await publishChange(tx, review, { what: "hidden", reason: how.reason, wasReported, now: how.now });
  await afterDecision(tx, review, how, { action: "hidden", reason: how.reason });
}

/** Shows a hidden review again, and notifies its author. If it was reported, the reporter is notified too. */
export async function unhideReview(tx: Tx, review: Review, how: Decision): Promise<void> {
  await setHidden(tx, review.id, null);
  const wasReported = await decideReport(tx, { reviewId: review.id, decision: "kept", ...how });
  await publishChange(tx, review, { what: "shown", wasReported, now: how.now });
  await afterDecision(tx, review, how, { action: "shown again", reason: review.hidden_reason });
}

export async function dismissReports(tx: Tx, review: Review, how: Decision): Promise<void> {
  if (review.hidden_at !== null || !(await decideReport(tx, { reviewId: review.id, decision: "kept", ...how })))
    throw conflict("No report of this review needs a decision.");
  await publishChange(tx, review, { what: "kept", now: how.now });
  await afterDecision(tx, review, how, { action: "left published after a report", reason: null });
}

async function afterDecision(
  tx: Tx,
  review: Review,
  { adminId }: Decision,
  { action, reason }: { action: string; reason: string | null },
): Promise<void> {
  await recountReviews(tx, review.artist_id);
  await recordActivity(tx, {
    type: "system",
    refId: review.booking_id,
    message: `A review by ${review.author_name} was ${action}${action === "hidden" ? `: ${reason}` : ""}`,
    meta: { review_id: review.id, reason },
    actorId: adminId,
  });
  await broadcastReviews(tx, review.booking_id);
}
