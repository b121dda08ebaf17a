import { enqueueMessage } from "#notifications/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { bookingLinkDays } from "../links/access.ts";
import { findBooking } from "../store.ts";
import { emailContextOf, bookingDetailsFor } from "./email-context.ts";

const perHour = 3;

/** Sends the booking link only to the address of the request. A booking that does not exist is ignored. */
export async function sendBookingLink(services: Payments, bookingId: string): Promise<void> {
  const booking = await findBooking(services.database.db, bookingId);
  if (!booking) return;
  // Counted without an error, because the response must not reveal whether the booking exists.
  const key = `booking link of ${booking.id}`;
  if ((await services.limits.count(key)) >= perHour) return;
  await services.limits.hit(key, Number.MAX_SAFE_INTEGER, 3_600);
  await services.database.transaction(async (tx) => {
    const context = await emailContextOf(tx, services, booking.id);
    await enqueueMessage(tx, {
      template: "booking_link",
      channel: "email",
      to: booking.promoter_email,
      params: { ...bookingDetailsFor(context, "promoter"), days: bookingLinkDays },
      refId: booking.id,
    });
  });
  services.wake();
}
