import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { processEach } from "#platform/jobs/jobs.ts";
import { type Booking, lockBooking } from "./store.ts";

/** Runs `work` for each booking under its lock, in a transaction of its own. A failure stops no other, is logged as `failure`, and is retried by the next run. */
export const processEachBooking = (
  services: Payments,
  due: readonly { id: string }[],
  { work, failure }: { work(tx: Tx, booking: Booking): Promise<unknown>; failure: string },
): Promise<void> =>
  processEach(services, due, {
    work: ({ id }) =>
      services.database.transaction(async (tx) => {
        const booking = await lockBooking(tx, id);
        return booking ? work(tx, booking) : false;
      }),
    failed: (error, { id }) => services.log.error({ err: error, bookingId: id }, `${failure}; it is tried again`),
  });
