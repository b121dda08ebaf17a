import { lockBooking } from "#bookings/index.ts";
import { type Job, processEach } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { publishReviews } from "./reviews.ts";
import { reviewWindowOf } from "./rules.ts";
import { bookingsToPublish, publicationTimes } from "./views.ts";

const batch = 100;

export async function publishDueReviews(services: PlatformServices): Promise<void> {
  const { database, clock, log } = services;
  const due = await bookingsToPublish(database.db, clock.now(), batch);
  await processEach(services, due, {
    work: (id) =>
      database.transaction(async (tx) => {
        const booking = await lockBooking(tx, id);
        const now = clock.now();
        if (!booking || reviewWindowOf(booking, now) !== "over") return false;
        return publishReviews(tx, booking, now);
      }),
    failed: (error, id) =>
      log.warn({ err: error, bookingId: id }, "the reviews of a booking could not be published; it is tried again"),
  });
}

export const reviewsJobs: readonly Job<PlatformServices>[] = [
  { name: "publish-due-reviews", when: { everySeconds: 60 }, whenMoved: publicationTimes, run: publishDueReviews },
];
