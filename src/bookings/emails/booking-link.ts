import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { bookingLinkDays } from "../links/access.ts";
import { findBooking } from "../store.ts";
import { bookingDetailsFor, type EmailContext, emailContextOf } from "./email-context.ts";

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
  await services.database.transaction(async (tx) =>
    enqueueBookingLink(tx, await emailContextOf(tx, services, booking.id)),
  );
  services.wake();
}

/** `corrected`: the address was corrected to this one, so earlier emails went to another mailbox. */
export const enqueueBookingLink = (tx: Tx, context: EmailContext, { corrected = false } = {}) =>
  enqueueMessage(tx, {
    template: "booking_link",
    channel: "email",
    to: context.booking.promoter_email,
    params: {
      ...bookingDetailsFor(context, "promoter"),
      corrected,
      days: context.booking.promoter_user_id === null ? bookingLinkDays : null,
    },
    refId: context.booking.id,
  });
