import { recordActivity } from "#activity/index.ts";
import { heldUntil } from "#calendar/checkout-hold.rules.ts";
import { lockReservation } from "#calendar/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { PaymentFailed, PaymentSucceeded, RefundFailed, RefundSucceeded } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { notifyChargeFailed } from "../balance/balance-emails.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { failedRefundOf, payerOf, refundsDueOf } from "../disputes/payers.views.ts";
import { alertAdmins, alertOfPartialRefund } from "../emails/admin-alerts.ts";
import {
  bookPage,
  type EmailContext,
  emailContextOf,
  bookingDetailsFor,
  paymentLinks,
  eventSummary,
  documentsLink,
  dedupeFields,
} from "../emails/email-context.ts";
import { notifyParties, notifyParty } from "../emails/notify-party.ts";
import { declinedEvent } from "../page/timeline.views.ts";
import type { BookingDateLost } from "../rules/flow.rules.ts";
import { notifyPayoutAwaitsRefund, notifyShareReduced } from "./payout-emails.ts";

/** Notifies the promoter that the date was no longer available when the payment arrived, and of the refund. No preference turns this email off. */
export async function notifyDateLost(tx: Tx, services: Payments, event: BookingDateLost): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: event.currency };
  const message = `${eventSummary(context)}: the date was no longer available when the payment arrived`;
  const meta = { ...refund, payment_id: event.paymentId };
  await recordActivity(tx, { type: "booking", refId: event.bookingId, message, meta });
  await notifyParty(tx, context, "promoter", {
    template: "date_lost",
    key: `lost ${event.paymentId}`,
    params: { link: bookPage(context), refund },
  });
}

export async function notifyPaid(tx: Tx, services: Payments, event: PaymentSucceeded): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const paid = { amount, currency };
  const message = `The ${kind} for ${eventSummary(context)} was paid`;
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: { payment_id: paymentId, ...paid } });
  if (kind !== "balance" || context.booking.balance_payment_id !== paymentId) return;
  await notifyParties(tx, context, {
    template: "balance_received",
    key: `balance ${paymentId}`,
    params: (side) => ({
      ...documentsLink(context, side),
      paid,
      hasBegun: context.booking.starts_at <= services.clock.now(),
    }),
  });
}

/** Notifies the promoter of a declined payment. While the checkout is open the date stays held, and the email states until when. */
export async function notifyPaymentFailed(tx: Tx, services: Payments, event: PaymentFailed): Promise<void> {
  const { bookingId, paymentId, kind, amount, currency, reason } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const due = { amount, currency };
  const message = `The ${kind} for ${eventSummary(context)} was declined`;
  // The booking's page finds its declined payments by the name of the event.
  const meta = { event: declinedEvent, kind, payment_id: paymentId, ...due, reason };
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta });
  if (context.booking.status === "canceled") return;
  if (event.automatic) {
    await notifyChargeFailed(tx, context, { paymentId, why: event.automatic });
    return;
  }
  const reservation = await lockReservation(tx, bookingId);
  const expiresAt = reservation?.expires_at;
  const key = `declined ${paymentId}`;
  if (expiresAt)
    await notifyParty(tx, context, "promoter", {
      template: "checkout_declined",
      key,
      params: async () => ({
        ...(await paymentLinks(tx, context, kind)),
        due,
        heldUntil: heldUntil(expiresAt),
        timeZone: context.booking.time_zone,
      }),
    });
  else
    await notifyParty(tx, context, "promoter", {
      template: "payment_failed",
      key,
      params: async () => ({ ...(await paymentLinks(tx, context, kind)), due, kind, reason }),
    });
}

export async function notifyRefunded(tx: Tx, services: Payments, event: RefundSucceeded): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const refund = { amount: event.amount, currency: context.booking.currency };
  const { byDispute = false, paidOutside } = event;
  await recordActivity(tx, {
    type: "payment",
    refId: event.bookingId,
    message: byDispute
      ? `A refund for ${eventSummary(context)} was covered by a lost dispute: the payer's bank has paid it`
      : paidOutside
        ? `A refund for ${eventSummary(context)} was paid outside the payment provider: ${paidOutside.how}`
        : `A refund for ${eventSummary(context)} has been sent`,
    meta: {
      ...refund,
      payment_id: event.paymentId,
      refund_id: event.refundId,
      ...(paidOutside && { by: paidOutside.by }),
    },
  });
  const rest = await refundsDueOf(tx, event.paymentId);
  await enqueueMessage(tx, {
    template: "refund_sent",
    channel: "email",
    to: context.booking.promoter_email,
    params: {
      ...bookingDetailsFor(context, "promoter"),
      ...documentsLink(context, "promoter"),
      refund,
      byDispute,
      paidOutside: paidOutside?.how,
      byOther: (await payerOf(tx, event)) !== undefined,
      rest: rest > 0 ? { ...refund, amount: rest } : null,
    },
    ...dedupeFields(context, `refund ${event.refundId}${paidOutside ? " outside" : byDispute ? " by dispute" : ""}`),
  });
  const { status, deposit_payment_id: deposit, balance_payment_id: balance } = context.booking;
  // A refund that an admin or both parties decided on the platform needs no alarm.
  if (event.madeAtProvider && status !== "canceled" && [deposit, balance].includes(event.paymentId))
    await alertOfPartialRefund(tx, services, context.booking, { id: event.refundId, ...refund });
  const { refundId: id, fromRegained: regained = 0 } = event;
  if (event.madeAtProvider) await notifyShareReduced(tx, context, { id, regained, ...refund });
}

/** Alerts the admins of each failure of a refund. The promoter, and another payer, are emailed once each that it was refused or returned, but not after an admin has resolved it. */
export async function notifyRefundFailed(
  tx: Tx,
  services: Payments,
  event: RefundFailed,
  eventId: number,
): Promise<void> {
  const { refundId, paymentId, bookingId, currency, reason, returned, isUnconfirmed } = event;
  const context = bookingId ? await emailContextOf(tx, services, bookingId) : undefined;
  const about = context ? eventSummary(context) : "a payment that was not accepted";
  const happened = returned
    ? "was returned by the bank of the card"
    : isUnconfirmed
      ? "is not confirmed"
      : "was refused by the payment provider";
  const failure = await failedRefundOf(tx, refundId);
  const amount = failure?.amount ?? event.amount;
  const message = `A refund of ${formatMoneyExact(amount, currency)} for ${about} ${happened}: ${reason}`;
  const meta = { refund_id: refundId, payment_id: paymentId, amount, currency, reason };
  if (!event.afterDispute) await recordActivity(tx, { type: "payment", refId: bookingId, message, meta });
  // While a dispute is open, the bank has the money. If the dispute is lost, the payer gets it. If not, this is published again.
  if (!failure || (failure.disputed && !event.afterDispute)) return;
  await alertAdmins(tx, services, {
    message: `${message.replace(/\.$/, "")}. ${
      event.noticeFailed
        ? "A notice of a dispute of this payment could not be processed. Check the payment at the provider first: the payer's bank may have taken the same money. If it has not, the money"
        : "The money"
    } is still owed to the payer${isUnconfirmed ? ", unless the provider has sent it" : ""}. ${
      returned
        ? "Pay it in another way, and record how under Payments."
        : isUnconfirmed
          ? "Look for it in the provider's dashboard. If it was not sent, send it again under Payments."
          : "Send it again under Payments, or pay it in another way and record how."
    }`,
    key: `refund failed ${eventId}`,
    bookingId,
  });
  if (!context || !paymentId) return;
  if (!isUnconfirmed) await emailRefundFailed(tx, context, { ...event, paymentId, amount });
  await notifyPayoutAwaitsRefund(tx, services, context);
  await broadcastBookingChange(tx, context.booking.id);
}

async function emailRefundFailed(
  tx: Tx,
  context: EmailContext,
  { refundId, paymentId, amount, currency, returned }: RefundFailed & { paymentId: string },
): Promise<void> {
  const payer = await payerOf(tx, { paymentId });
  const { link, ...show } = bookingDetailsFor(context, "promoter");
  const failed = { ...show, refund: { amount, currency }, returned };
  const key = `refund ${refundId} ${returned ? "returned" : "refused"}`;
  await enqueueMessage(tx, {
    template: "refund_failed",
    channel: "email",
    to: context.booking.promoter_email,
    params: { ...failed, link, byOther: payer !== undefined },
    ...dedupeFields(context, key),
  });
  if (payer)
    await enqueueMessage(tx, {
      template: "payer_refund_failed",
      channel: "email",
      to: payer.email,
      params: { ...failed, name: payer.name },
      ...dedupeFields(context, `${key} payer`),
    });
}
