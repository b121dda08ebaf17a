import { enqueueMessage } from "#notifications/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { bookingLinkDays } from "../links/access.ts";
import { findBooking } from "../store.ts";
import { emailContextOf, bookingDetailsFor } from "./email-context.ts";

const linksPerHour = 3;

/** Counts a new link by email. Returns false above 3 per hour, without an error, because the response must not reveal whether the booking exists. */
export async function countLinkEmail({ limits }: Payments, key: string): Promise<boolean> {
  if ((await limits.count(key)) >= linksPerHour) return false;
  await limits.hit(key, Number.MAX_SAFE_INTEGER, 3_600);
  return true;
}

/** Sends the booking link only to the address of the request. A booking that does not exist is ignored. */
export async function sendBookingLink(services: Payments, bookingId: string): Promise<void> {
  const booking = await findBooking(services.database.db, bookingId);
  if (!booking || !(await countLinkEmail(services, `booking link of ${booking.id}`))) return;
  await services.database.transaction(async (tx) => {
    const context = await emailContextOf(tx, services, booking.id);
    await enqueueMessage(tx, {
      template: "booking_link",
      channel: "email",
      to: booking.promoter_email,
      params: {
        ...bookingDetailsFor(context, "promoter"),
        days: booking.promoter_user_id === null ? bookingLinkDays : null,
      },
      refId: booking.id,
    });
  });
  services.wake();
}
