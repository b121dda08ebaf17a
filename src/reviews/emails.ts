import { alertAdmins, emailContextOf, notifyParties } from "#bookings/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import {
  endedAsNoShow,
  reviewableSince,
  type ReviewChanged,
  type ReviewSide,
  reviewSides,
  reviewWindowEnd,
  reviewWindowOf,
  type ReviewsPublished,
} from "./rules.ts";
import { findReviewedBooking, isReviewedDeleted, reviewsOfBooking } from "./views.ts";

const otherOf = { promoter: "artist", artist: "promoter" } as const satisfies Record<ReviewSide, ReviewSide>;

/** Invites both parties of a completed booking, and only the promoter after a decided no-show. */
export async function inviteReviews(tx: Tx, services: Payments, { bookingId }: { bookingId: string }): Promise<void> {
  const booking = await findReviewedBooking(tx, bookingId);
  const now = services.clock.now();
  const since = booking && reviewableSince(booking, "promoter");
  if (!since || reviewWindowOf(booking, now, "promoter") !== "open") return;
  const about = { until: reviewWindowEnd(since), timeZone: booking.time_zone, isNoShow: endedAsNoShow(booking) };
  const sides: ReviewSide[] = [];
  for (const side of reviewSides)
    if (reviewableSince(booking, side) && !(await isReviewedDeleted(tx, bookingId, side))) sides.push(side);
  await notifyParties(
    tx,
    await emailContextOf(tx, services, bookingId),
    { template: "review_invitation", key: "review invitation", params: about },
    sides,
  );
}

export async function notifyReviewsPublished(tx: Tx, services: Payments, event: ReviewsPublished): Promise<void> {
  const { bookingId } = event;
  const authors = (await reviewsOfBooking(tx, bookingId)).map(({ written_by: side }) => side);
  const both = authors.length === reviewSides.length;
  const sides = authors.map((side) => otherOf[side]);
  await notifyParties(
    tx,
    await emailContextOf(tx, services, bookingId),
    { template: "reviews_published", key: "reviews published", params: { both } },
    sides,
  );
}

/** Notifies admins of a report, the reporter of the decision, the author of a hidden or shown review, and the promoter of a reply. */
export async function notifyReviewChanged(tx: Tx, services: Payments, event: ReviewChanged): Promise<void> {
  const { bookingId, author, what, reason } = event;
  const key = `review ${event.reviewId} ${what} ${event.at}`;
  if (what === "reported")
    return alertAdmins(tx, services, {
      message: `The ${otherOf[author]} reported a review by the ${author}: ${reason}`,
      key,
      about: "review",
      bookingId,
    });
  const reporter = event.wasReported && what !== "replied" ? [otherOf[author]] : [];
  const sides = what === "kept" ? reporter : [author, ...reporter];
  await notifyParties(
    tx,
    await emailContextOf(tx, services, bookingId),
    { template: "review_changed", key, params: (side) => ({ what, reason, isAuthor: side === author }) },
    sides,
  );
}
