/** The booking details for a payer other than the promoter. They omit the venue's address, because it may be the promoter's home. */

import { heldUntil } from "#calendar/checkout-hold.rules.ts";
import { reservedUntil } from "#calendar/holds/index.ts";
import { busyElsewhere } from "#calendar/import/index.ts";
import { liveHold } from "#calendar/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import { attemptsToPay, paymentBySession } from "#payments/index.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { isPayLink } from "../links/pay-links.ts";
import { bookingMissing } from "../policy.ts";
import { hasReceipt } from "../request/booking-cookie.ts";
import { balanceDueDay, payDayOf } from "../rules/money/due-day.rules.ts";
import { type Booking, requireBooking } from "../store.ts";
import { findSchedule } from "../stores/balance.store.ts";
import { artistOfBooking } from "../views.ts";
import { amountOf, whyNotDue } from "./due-payment.ts";

async function paidFor(reader: Reader, bookingId: string) {
  const booking = await requireBooking(reader, bookingId);
  const { slug, name, genre, location } = await artistOfBooking(reader, booking);
  const { number, event_date, event_time, event_type } = booking;
  const artist = { slug, name, genre, location };
  const promoter_name = shortName(booking.promoter_name);
  return { booking, shown: { number, promoter_name, artist, event_date, event_time, event_type } };
}

/** Returns the first name. A name that starts with an article or an initial is returned whole, because it is a company's. */
function shortName(name: string): string {
  const [first = name] = name.split(" ");
  return first.length < 3 || /^the$/i.test(first) ? name : first;
}

/** Returns what a payment link pays, in cents. Throws not found (404) if there is no such link, as for a missing booking. */
export async function readPayLink(
  reader: Reader,
  { key: secret, ...link }: { bookingId: string; kind: PaymentKind; key: string },
  now: Date,
) {
  if (!(await isPayLink(reader, { ...link, secret }))) throw bookingMissing();
  const { booking, shown } = await paidFor(reader, link.bookingId);
  const dueDay = booking.balance_cents > 0 ? balanceDueDay(booking.event_date, booking.time_zone, now) : null;
  return {
    ...shown,
    ...(await stateOf(reader, booking, link.kind, now)),
    amount_cents: amountOf(booking, link.kind),
    fee_cents: booking.fee_cents,
    deposit_percent: booking.deposit_percent,
    balance_cents: booking.balance_cents,
    balance_due: dueDay,
    pay_by: link.kind === "balance" ? payDayOf(booking, await findSchedule(reader, booking.id), now) : null,
    held_until: link.kind === "deposit" ? await dateHeldUntil(reader, booking, now) : null,
    time_zone: booking.time_zone,
    currency: booking.currency,
  };
}

/** Returns why the deposit cannot be paid although it is due: an entry of another calendar of the artist has taken the time. Null while its checkout holds the date. */
async function whyBusy(reader: Reader, booking: Booking, kind: PaymentKind, now: Date): Promise<string | null> {
  if (kind !== "deposit" || (await liveHold(reader, booking.id, now))) return null;
  const [busy] = await busyElsewhere(reader, [booking.id]);
  if (!busy) return null;
  const { name } = await artistOfBooking(reader, booking);
  return `${name} has entered something else at the time of this event, so it cannot be booked now.`;
}

async function stateOf(reader: Reader, booking: Booking, kind: PaymentKind, now: Date) {
  const notDue = (await whyNotDue(reader, booking, kind, now)) ?? (await whyBusy(reader, booking, kind, now));
  const paidAt = kind === "deposit" ? booking.deposit_paid_at : booking.balance_paid_at;
  if (paidAt && booking.status !== "canceled") return { state: "paid" as const, message: notDue };
  if (!notDue) return { state: "due" as const, message: null };
  const mayBePaid = (await attemptsToPay(reader, booking.id, kind)).some((attempt) => attempt.mayBePaid);
  const message = mayBePaid ? notDue : `${notDue} Nothing was charged.`;
  return { state: booking.status === "canceled" ? ("ended" as const) : ("not_due" as const), message };
}

/** Returns until when the date of an unpaid booking is held, by its open checkout or by its promoter's hold. Null if it is not held. */
export async function dateHeldUntil(reader: Reader, booking: Booking, now: Date): Promise<Date | null> {
  const { checkout, hold } = await reservedUntil(reader, booking.id, now);
  const ends = [checkout && heldUntil(checkout), hold].filter((end) => end !== null && end > now);
  return ends.length === 0 ? null : new Date(Math.max(...ends.map(Number)));
}

/** Returns the payment for the browser of a payer other than the promoter, null for other browsers. `refresh` queries the provider. */
export async function payLinkReply(context: Context<Payments>, session: string, refresh: () => Promise<void>) {
  const payment = hasReceipt(context, session) ? await paymentBySession(context.db, session) : undefined;
  if (!payment) return null;
  if (payment.status === "requires_payment_method") await refresh();
  const { kind, amount, currency, status, receipt_email } = (await paymentBySession(context.db, session)) ?? payment;
  const { shown } = await paidFor(context.db, payment.booking_id);
  return { payment: { kind, amount, currency, status }, booking: shown, receipt_email };
}
