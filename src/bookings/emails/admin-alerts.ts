/** Sends an alarm to every active admin, once per `key`. Used for money or contracts that need manual review. */

import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage, type TemplateParams } from "#notifications/index.ts";
import type { DifferencesFound, UnappliedPayment } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { activeAdmins, verifiedMailbox } from "#users/index.ts";
import type { BookingMoneyReturned } from "../rules/flow.rules.ts";
import { type Booking, findBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { bookingDetailsFor, type EmailContext } from "./email-context.ts";

export async function alertAdmins(
  tx: Tx,
  services: Payments,
  alarm: { message: string; key: string; bookingId: string | null; about?: TemplateParams<"money_alarm">["about"] },
): Promise<void> {
  const booking = alarm.bookingId ? await findBooking(tx, alarm.bookingId) : undefined;
  const params = {
    number: booking?.number ?? null,
    about: alarm.about ?? ("money" as const),
    message: alarm.message,
    link: `${services.config.publicUrl}${alarm.bookingId ? paths.admin.booking(alarm.bookingId) : paths.admin.payments}`,
  };
  for (const { email: to } of await activeAdmins(tx, services.realClock.now()))
    await enqueueMessage(tx, {
      template: "money_alarm",
      channel: "email",
      to,
      params,
      refId: alarm.bookingId,
      dedupeKey: alarm.key,
    });
}

const because: Record<UnappliedPayment["reason"], string> = {
  "the other mode of the provider": "it was made in another mode of the payment provider",
  "another currency": "it was made in another currency than agreed",
  "another amount": "it is not the agreed amount",
  "paid twice": "this was already paid",
  "paid for a checkout that was replaced": "the payment page had been replaced by a newer one",
};

export async function notifyUnappliedPayment(tx: Tx, services: Payments, event: UnappliedPayment): Promise<void> {
  const { providerPayment, paymentId, amount, currency, reason } = event;
  const booking = await findBooking(tx, event.bookingId);
  const bookingId = booking?.id ?? null;
  const what = `A payment of ${formatMoneyExact(amount, currency)} is refunded in full: ${reason}`;
  const meta = { provider_payment: providerPayment, payment_id: paymentId, amount, currency, reason };
  await recordActivity(tx, { type: "payment", refId: bookingId, message: what, meta });
  if (booking)
    await notifyPayer(tx, services, booking, { key: providerPayment, amount, currency, reason: because[reason] });
  const whose = booking ? ` It was made for the booking ${booking.number} of ${booking.promoter_name}.` : "";
  const message = `${what}.${whose} The payment provider's reference is ${providerPayment}.`;
  await alertAdmins(tx, services, { message, key: `aside ${providerPayment}`, bookingId });
}

export function alertOfDifferences(
  tx: Tx,
  services: Payments,
  { count, first }: DifferencesFound,
  eventId: number,
): Promise<void> {
  const items = first.map(({ what, ref, amount, currency }) => {
    const sum = amount !== null && currency ? ` (${formatMoneyExact(amount, currency)})` : "";
    return `${ref}${sum}: ${what}.`;
  });
  const differences = count === 1 ? "1 new difference" : `${count} new differences`;
  const rest = count > first.length ? ` ${count - first.length} more are listed.` : "";
  const message = `Provider and ledger have ${differences}. ${items.join(" ")}${rest} Resolve them under Unreconciled on the payments page.`;
  return alertAdmins(tx, services, { message, key: `differences ${eventId}`, bookingId: null });
}

/** The reason why money that arrived for a booking is refunded, in the same form. A lost date has a separate email. */
const returnedBecause: Partial<Record<BookingMoneyReturned["reason"], string>> = {
  booking_canceled: "the booking was canceled before it arrived",
  event_over: "the event had begun before it arrived",
  wrong_amount: because["another amount"],
  paid_twice: because["paid twice"],
};

export async function recordMoneyReturned(tx: Tx, services: Payments, event: BookingMoneyReturned): Promise<void> {
  const { bookingId, paymentId, amount, currency, reason } = event;
  const message = `${formatMoneyExact(amount, currency)} is refunded: ${reason.replaceAll("_", " ")}`;
  const meta = { payment_id: paymentId, amount, currency, reason };
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta });
  const booking = await findBooking(tx, bookingId);
  const why = returnedBecause[reason];
  if (booking && why) await notifyPayer(tx, services, booking, { key: paymentId, amount, currency, reason: why });
}

async function notifyPayer(
  tx: Tx,
  services: Payments,
  booking: Booking,
  money: { key: string; amount: number; currency: string; reason: string },
): Promise<void> {
  const context = { booking, artist: await artistOfBooking(tx, booking), services };
  const details = bookingDetailsFor(context, "promoter");
  const { key, reason, ...refund } = money;
  await enqueueMessage(tx, {
    template: "money_returned",
    channel: "email",
    to: booking.promoter_email,
    params: { ...details, refund, reason },
    refId: booking.id,
    dedupeKey: `${booking.id} returned ${key}`,
  });
}

const nameOf = ({ number, promoter_name: promoter, event_date: day }: Booking, what = "booking"): string =>
  `the ${what} ${number} (${promoter}, ${describeDay(day)})`;

export const alertOfReturnedDeposit = (tx: Tx, services: Payments, booking: Booking): Promise<void> =>
  alertAdmins(tx, services, {
    message: `The deposit of ${nameOf(booking)} was refunded at the payment provider. The booking is canceled and its date is free.`,
    key: `returned ${booking.id}`,
    bookingId: booking.id,
  });

export const alertOfPartialRefund = (
  tx: Tx,
  services: Payments,
  booking: Booking,
  refund: { id: string; amount: number; currency: string },
): Promise<void> =>
  alertAdmins(tx, services, {
    message: `${formatMoneyExact(refund.amount, refund.currency)} of ${nameOf(booking)} was refunded to the payer, and the booking remains active. The refund reduces the artist's share, and the artist is notified. Cancel the booking if that was intended.`,
    key: `part ${refund.id}`,
    bookingId: booking.id,
  });

/** Alarms admins of a lost dispute of an active booking. It continues without the money, so an admin must decide about it. */
export async function alertOfLostDispute(
  tx: Tx,
  services: Payments,
  booking: Booking,
  lost: { disputeId: string; message: string },
): Promise<void> {
  if (booking.status === "completed" || booking.status === "canceled") return;
  await alertAdmins(tx, services, {
    message: `${lost.message}, and the booking ${booking.number} remains active without this money. Cancel it, or find an agreement with the promoter.`,
    key: `dispute ${lost.disputeId} lost`,
    bookingId: booking.id,
  });
}

export const alertOfUnpayableBalance = (tx: Tx, services: Payments, booking: Booking): Promise<void> =>
  alertAdmins(tx, services, {
    message: `The balance of ${formatMoneyExact(booking.balance_cents, booking.currency)} of ${nameOf(booking)} cannot be paid on this site: payments are not set up. Once they are, it can be paid on the booking page. Neither party is in breach, so the booking remains active until it is paid or you cancel it. If you cancel it, everything that was paid is refunded to the promoter, and the artist gets nothing.`,
    key: `unpayable ${booking.id}`,
    bookingId: booking.id,
  });

/** Alarms admins of a booking, or of a request that needs an answer, if the artist has no verified mailbox: no email reaches the artist. */
export async function alertOfUnreachableArtist(
  tx: Tx,
  { booking, artist, services }: EmailContext,
  what: "booking" | "request",
): Promise<void> {
  if (artist.user_id !== null && (await verifiedMailbox(tx, artist.user_id)) !== null) return;
  const next =
    what === "booking"
      ? "Contact the artist, and mark the contract as signed when the artist has signed it. If it is not signed in time, the booking is canceled and everything that was paid is refunded."
      : "Contact the artist, and answer the promoter.";
  await alertAdmins(tx, services, {
    message: `${artist.name} has no account with a confirmed email address, so we could not email the artist about ${nameOf(booking, what)}. ${next}`,
    key: `unreachable ${what} ${booking.id}`,
    bookingId: booking.id,
    about: "artist",
  });
}
