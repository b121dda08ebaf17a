/** Formats the money of booking lists. Amounts are minor units of the booking's currency. */

import type { PayoutStatus } from "#payouts/payouts.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatSums } from "../../lib/format/amounts.ts";

type PaymentLine = Readonly<{
  amount: number;
  refunded_cents: number;
  refunding_cents: number;
  disputed_cents: number;
  status: string;
}>;
type Money = Readonly<{
  status: string;
  fee_cents: number;
  deposit_cents: number;
  currency: string;
  payments: readonly PaymentLine[];
  /** Only in the artist's list, where a payment is held until it is paid out. */
  payout_status?: PayoutStatus | null | undefined;
}>;

const payoutTexts: Partial<Record<PayoutStatus, string>> = {
  in_transit: "payout in transit",
  paid: "paid out",
  reversed: "payout reversed",
};

/** Returns what is left of the payments, as the total below the list, and the amounts that are refunded, being refunded and taken back by the payer's bank. */
function sumsOf(payments: readonly PaymentLine[]) {
  const sum = (of: (one: PaymentLine) => number) => payments.reduce((all, one) => all + of(one), 0);
  const refunding = sum((one) => one.refunding_cents);
  return {
    paid: sum((one) => (one.status === "succeeded" ? one.amount - one.refunded_cents - one.disputed_cents : 0)),
    refunded: sum((one) => one.refunded_cents) - refunding,
    refunding,
    disputed: sum((one) => one.disputed_cents),
  };
}

export const formatPrice = (booking: Money): string =>
  booking.fee_cents === 0 ? "On request" : formatMoney(booking.fee_cents, booking.currency);

export function describePayment(booking: Money): string {
  const { refunding, paid, refunded, disputed } = sumsOf(booking.payments);
  if (refunding === 0) return describeFinal(booking);
  const onItsWay = `${formatMoney(refunding, booking.currency)} being refunded`;
  return paid + refunded + disputed > 0 ? `${describeFinal(booking)}, ${onItsWay}` : onItsWay;
}

function describeFinal(booking: Money): string {
  const { payments, currency, fee_cents: fee, status } = booking;
  const { paid, refunded, disputed } = sumsOf(payments);
  if (disputed > 0 && (status !== "canceled" || paid <= 0))
    return `${formatMoney(disputed, currency)} returned by the bank`;
  if (status === "canceled") {
    if (paid > 0) return `${formatMoney(paid, currency)} not refunded`;
    return refunded > 0 ? `${formatMoney(refunded, currency)} refunded` : "nothing paid";
  }
  if (paid > 0) {
    const payout = booking.payout_status && payoutTexts[booking.payout_status];
    if (payout) return payout;
    const verb = booking.payout_status === undefined ? "paid" : "held";
    return paid >= fee && fee > 0 ? `${verb} in full` : `${formatMoney(paid, currency)} ${verb}`;
  }
  if (refunded > 0) return `${formatMoney(refunded, currency)} refunded`;
  if (fee === 0) return "price to be agreed";
  if (booking.deposit_cents > 0) return "deposit unpaid";
  return status === "initiated" ? "no deposit" : "balance unpaid";
}

/** Returns what is left of the payments, undefined if nothing was paid, and a note about what is not. */
export function describePaid(booking: Money): { amount?: string; note?: string } {
  const { payments, currency, status } = booking;
  const { paid, refunded, refunding, disputed } = sumsOf(payments);
  const write = (note?: string) => ({ amount: formatMoney(paid, currency), ...(note && { note }) });
  if (disputed > 0) return write(`${formatMoney(disputed, currency)} returned by bank`);
  if (refunding > 0) return write(`${formatMoney(refunding, currency)} being refunded`);
  if (status === "canceled" && paid > 0) return write("not refunded");
  if (refunded > 0) return write(`${formatMoney(refunded, currency)} refunded`);
  return paid > 0 ? write() : {};
}

export function describePrices(bookings: readonly Money[]): string {
  const prices = bookings.map(({ currency, fee_cents: amount }) => ({ currency, amount }));
  return formatSums(prices, "", formatMoney);
}

type Sum = Readonly<{ currency: string; bookings: number; canceled: number; fee_cents: number; paid_cents?: number }>;

/** Returns the totals below a list, each currency separately. Undefined without a total. `fees` is undefined if all bookings are canceled, and `note` says what it leaves out. */
export function sumTotals(
  sums: readonly Sum[],
): { bookings: string; fees: string | undefined; note: string | undefined; paid: string | undefined } | undefined {
  const [first] = sums;
  if (!first) return undefined;
  const write = (part: "fee_cents" | "paid_cents") =>
    formatSums(
      sums.map((sum) => ({ currency: sum.currency, amount: sum[part] ?? 0 })),
      first.currency,
      formatMoney,
    );
  const bookings = sums.reduce((all, sum) => all + sum.bookings, 0);
  const canceled = sums.reduce((all, sum) => all + sum.canceled, 0);
  const hasFees = canceled < bookings;
  const isPaidKnown = sums.some((sum) => sum.paid_cents !== undefined);
  return {
    bookings: `${bookings.toLocaleString("en-US")} ${bookings === 1 ? "booking" : "bookings"}`,
    fees: hasFees ? write("fee_cents") : undefined,
    note: hasFees && canceled > 0 ? "without canceled" : undefined,
    paid: isPaidKnown ? write("paid_cents") : undefined,
  };
}

/** The paid amount includes canceled bookings, so it is not displayed beside a total without them. */
export function describeTotals(sums: readonly Sum[], paidLabel = "paid"): string {
  const { bookings, fees, note, paid } = sumTotals(sums) ?? { bookings: "0 bookings" };
  return [bookings, fees && ["total", fees, note].filter(Boolean).join(" "), !note && paid && `${paidLabel} ${paid}`]
    .filter(Boolean)
    .join(", ");
}
