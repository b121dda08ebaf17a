/** Who is notified of the money of a booking: a line in the log, and emails. */
import {
  artistPage,
  artistsMailbox,
  bookPage,
  emailContextOf,
  gigOf,
  gigForPromoter,
  payLink,
  place,
  promoterMailbox,
  promoterPage,
  refOf,
} from "./email-context.ts";
import { record } from "#activity/index.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { PaymentFailed, Payments, PaymentSucceeded, RefundSucceeded } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { alarmOfPart } from "./admin-alarms.ts";
import { type BookingDateLost, heldUntil } from "../rules.ts";
import { lockReservation } from "../availability/reservations.store.ts";

/** The date was gone when the money came. Sent whatever emails the promoter has chosen: it is about money that goes back. */
export async function notifyDateLost(tx: Tx, services: Payments, event: BookingDateLost): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: event.currency };
  await record(tx, {
    type: "booking",
    refId: event.bookingId,
    message: `${place(context)}: the date was sold before the payment arrived`,
    meta: { ...refund, payment_id: event.paymentId },
  });
  await enqueueMessage(tx, {
    template: "date_lost",
    channel: "email",
    to: context.booking.promoter_email,
    params: { ...gigForPromoter(context, bookPage(context)), refund },
    ...refOf(context, `lost ${event.paymentId}`),
  });
}

/** A payment succeeded: it is logged; both sides are notified of the balance, the deposit with the status it brings. */
export async function notifyPaid(tx: Tx, services: Payments, event: PaymentSucceeded): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency } = event;
  const context = await emailContextOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(context)} was paid`,
    meta: { payment_id: paymentId, amount, currency },
  });
  if (kind !== "balance" || context.booking.balance_payment_id !== paymentId) return;
  const paid = { amount, currency };
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  const key = refOf(context, `balance ${paymentId}`);
  if (to)
    await enqueueMessage(tx, {
      template: "balance_received",
      channel: "email",
      to,
      params: { ...gigForPromoter(context, promoterPage(context)), side: "promoter", paid },
      ...key,
    });
  const artist = await artistsMailbox(tx, context, "emailPaymentNotifications");
  if (artist)
    await enqueueMessage(tx, {
      template: "balance_received",
      channel: "email",
      to: artist,
      params: { ...gigOf(context, artistPage(context)), side: "artist", paid },
      ...key,
    });
}

/** A bank declined. While the page is open the date stays held, and the email says until when. */
export async function notifyPaymentFailed(tx: Tx, services: Payments, event: PaymentFailed): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency, reason } = event;
  const context = await emailContextOf(tx, services, bookingId);
  await record(tx, {
    type: "payment",
    refId: bookingId,
    message: `The ${kind} for ${place(context)} was declined`,
    meta: { payment_id: paymentId, amount, currency, reason },
  });
  const to = await promoterMailbox(tx, context, "emailPaymentNotifications");
  if (!to || context.booking.status === "canceled") return;
  const gig = gigForPromoter(context, await payLink(tx, context, kind));
  const due = { amount, currency };
  const reservation = await lockReservation(tx, bookingId);
  const key = refOf(context, `declined ${paymentId}`);
  if (reservation?.expires_at) {
    const params = { ...gig, due, heldUntil: heldUntil(reservation.expires_at), timeZone: context.booking.time_zone };
    await enqueueMessage(tx, { template: "checkout_declined", channel: "email", to, params, ...key });
  } else
    await enqueueMessage(tx, {
      template: "payment_failed",
      channel: "email",
      to,
      params: { ...gig, due, kind, reason },
      ...key,
    });
}

/** Money has gone back. Always sent. */
export async function notifyRefunded(tx: Tx, services: Payments, event: RefundSucceeded): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: context.booking.currency };
  await record(tx, {
    type: "payment",
    refId: event.bookingId,
    message: `A refund for ${place(context)} has been sent`,
    meta: { ...refund, payment_id: event.paymentId, refund_id: event.refundId },
  });
  await enqueueMessage(tx, {
    template: "refund_sent",
    channel: "email",
    to: context.booking.promoter_email,
    params: { ...gigForPromoter(context, bookPage(context)), refund },
    ...refOf(context, `refund ${event.refundId}`),
  });
  const { status, deposit_payment_id: deposit, balance_payment_id: balance } = context.booking;
  if (status !== "canceled" && [deposit, balance].includes(event.paymentId))
    await alarmOfPart(tx, services, context.booking, { id: event.refundId, ...refund });
}
