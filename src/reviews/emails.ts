import { notifyParties } from "#bookings/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { type ReviewSide, reviewSides, reviewWindowEnd, reviewWindowOf, type ReviewsPublished } from "./rules.ts";
import { findReviewedBooking, reviewsOfBooking } from "./views.ts";

export async function inviteReviews(tx: Tx, services: Payments, { bookingId }: { bookingId: string }): Promise<void> {
  const booking = await findReviewedBooking(tx, bookingId);
  if (!booking?.completed_at || reviewWindowOf(booking, services.clock.now()) !== "open") return;
  const until = { until: reviewWindowEnd(booking.completed_at), timeZone: booking.time_zone };
  await notifyParties(
    tx,
    services,
    { bookingId, sides: reviewSides },
    { template: "review_invitation", key: "review invitation", params: (gig) => ({ ...gig, ...until }) },
  );
}

/** Notifies both parties if both reviewed, else only the reviewed one. */
export async function notifyReviewsPublished(tx: Tx, services: Payments, event: ReviewsPublished): Promise<void> {
  const { bookingId } = event;
  const authors = (await reviewsOfBooking(tx, bookingId)).map(({ written_by: side }) => side);
  const both = authors.length === reviewSides.length;
  const otherOf = { promoter: "artist", artist: "promoter" } as const satisfies Record<ReviewSide, ReviewSide>;
  await notifyParties(
    tx,
    services,
    { bookingId, sides: authors.map((side) => otherOf[side]) },
    { template: "reviews_published", key: "reviews published", params: (gig) => ({ ...gig, both }) },
  );
}
