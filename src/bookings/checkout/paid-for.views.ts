/** What somebody who pays for the promoter may see of the booking: who plays when and where, and the amount. */
import { findPayer, paymentBySession, refreshCheckout } from "#payments/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { authorize, bookingMissing } from "../policy.ts";
import { hasReceipt } from "../request/booking-cookie.ts";
import { findBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { previewPayLink } from "../links/pay-links.ts";

async function paidFor(reader: Reader, bookingId: string) {
  const booking = await findBooking(reader, bookingId);
  if (!booking) throw bookingMissing();
  const { slug, name } = await artistOfBooking(reader, booking);
  const { number, promoter_name, event_date, event_time, venue_name } = booking;
  return { booking, shown: { number, promoter_name, artist: { slug, name }, event_date, event_time, venue_name } };
}

/** Reads what a payment link pays for, in minor units, without using it up. Throws the 404 of a missing booking if it opens nothing. */
export async function readPaidFor(
  reader: Reader,
  link: { bookingId: string; kind: PaymentKind; key: string },
  now: Date,
) {
  const by = await previewPayLink(reader, { ...link, secret: link.key, now });
  authorize(by !== null);
  const { booking, shown } = await paidFor(reader, link.bookingId);
  const amount_cents = link.kind === "deposit" ? booking.deposit_cents : booking.balance_cents;
  return { ...shown, amount_cents, currency: booking.currency, is_payer: by === "payer" };
}

/** Returns what the browser that paid for somebody else may see of its payment; null for every other one. */
export async function paidForReply(context: Context<Payments>, session: string) {
  const payment = hasReceipt(context, session) ? await paymentBySession(context.db, session) : undefined;
  if (!payment) return null;
  if (payment.status === "requires_payment_method") await refreshCheckout(context.services, session);
  const { kind, amount, currency, status } = (await paymentBySession(context.db, session)) ?? payment;
  const { shown } = await paidFor(context.db, payment.booking_id);
  const receipt_email = (await findPayer(context.db, payment.id))?.email ?? null;
  return { payment: { kind, amount, currency, status }, booking: shown, receipt_email };
}
