import type { PaymentKind } from "#payments/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { completionBlockOf } from "../conditions/completion.views.ts";
import { objectionStopsPayments } from "../rules/completion.rules.ts";
import { bookingStatusLabel, payableNow } from "../rules/flow.rules.ts";
import { cardCanPay } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";

export async function whyNotDue(
  reader: Reader,
  booking: Booking,
  kind: PaymentKind,
  now: Date,
): Promise<string | null> {
  const due = payableNow(booking);
  if (due !== kind || (kind === "deposit" && booking.starts_at <= now)) return notDueMessage(booking, kind);
  if ((await completionBlockOf(reader, booking.id)) === "objection") return objectionStopsPayments;
  if (cardCanPay(booking.currency, amountOf(booking, kind))) return null;
  return "This amount is too small for a card payment. Arrange the payment directly with each other.";
}

export const amountOf = (booking: Booking, kind: PaymentKind): number =>
  kind === "deposit" ? booking.deposit_cents : booking.balance_cents;

function notDueMessage(booking: Booking, kind: PaymentKind): string {
  if (booking.status === "canceled") return "This booking is canceled. There is nothing to pay.";
  if (kind === "deposit" && booking.answer_due_at !== null)
    return "This artist requires no deposit. There is nothing to pay now.";
  if (kind === "deposit" && booking.deposit_paid_at) return "The deposit is already paid.";
  if (kind === "balance" && booking.balance_paid_at) return "The balance is already paid.";
  if (booking.fee_cents === 0) return "The price is on request. There is nothing to pay yet.";
  if (kind === "deposit" && booking.deposit_cents === 0)
    return "Payments were not set up on this site when this request was sent. Send it again to book the date here.";
  if (kind === "deposit") return "The event has begun. This request can no longer be paid.";
  if (booking.balance_cents === 0) return "The deposit covers the whole price. There is no balance.";
  return `The balance can be paid once the contract is signed. This booking is at "${bookingStatusLabel(booking.status)}".`;
}
