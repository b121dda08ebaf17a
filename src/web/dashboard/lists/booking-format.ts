/** What the lists of bookings say about money. Amounts are minor units of the booking's currency. */
import { formatMoney, formatMoneyExact } from "#payments/money.rules.ts";

type PaymentLine = Readonly<{ amount: number; refunded_cents: number; status: string }>;
type Money = Readonly<{ status: string; fee_cents: number; currency: string; payments: readonly PaymentLine[] }>;

/** Writes an amount of a column. */
export type FormatAmount = (cents: number, currency: string) => string;

/** What has been paid and not given back; what is on its way back counts as given back. */
export const paidOf = (payments: readonly PaymentLine[]): number =>
  payments.filter((one) => one.status === "succeeded").reduce((sum, one) => sum + one.amount - one.refunded_cents, 0);

const refundedOf = (payments: readonly PaymentLine[]): number =>
  payments.reduce((sum, one) => sum + (one.status === "refunded" ? one.amount : one.refunded_cents), 0);

/** One notation for a whole column: as soon as one amount has cents, all show them. */
export function amountFormat(bookings: readonly Money[]): FormatAmount {
  const amounts = bookings.flatMap(({ fee_cents: fee, payments }) => [fee, paidOf(payments), refundedOf(payments)]);
  return amounts.some((cents) => cents % 100 !== 0) ? formatMoneyExact : formatMoney;
}

/** The price of a booking; "On request" while there is none. */
export const formatPrice = (booking: Money, format: FormatAmount = formatMoney): string =>
  booking.fee_cents === 0 ? "On request" : format(booking.fee_cents, booking.currency);

/** What is known about its payment: paid, given back, kept after a cancellation, or still open. */
export function describePayment(booking: Money, format: FormatAmount = formatMoney): string {
  const { payments, currency, fee_cents: fee, status } = booking;
  const [paid, refunded] = [paidOf(payments), refundedOf(payments)];
  if (status === "canceled") {
    if (paid > 0) return `${format(paid, currency)} stays with the artist`;
    return refunded > 0 ? `${format(refunded, currency)} refunded` : "nothing paid";
  }
  if (fee > 0 && paid >= fee) return "paid in full";
  if (paid > 0) return `${format(paid, currency)} paid`;
  if (refunded > 0) return `${format(refunded, currency)} refunded`;
  if (fee === 0) return "price to be agreed";
  return payments.some((one) => one.status === "requires_payment_method") ? "Pending Payment" : "deposit open";
}

/** Fees and payments of several bookings, one entry per currency in its order of appearance; canceled bookings owe nothing more. */
export function totalsOf(bookings: readonly Money[]): { currency: string; fees: number; paid: number }[] {
  const totals = new Map<string, { currency: string; fees: number; paid: number }>();
  for (const { currency, status, fee_cents: fee, payments } of bookings) {
    const sum = totals.get(currency) ?? { currency, fees: 0, paid: 0 };
    sum.fees += status === "canceled" ? 0 : fee;
    sum.paid += paidOf(payments);
    totals.set(currency, sum);
  }
  return [...totals.values()];
}

/** "12 bookings, fees $14,350.00, paid $4,200.00": the line below a list that is shown whole. */
export function describeTotals(bookings: readonly Money[]): string {
  const format = amountFormat(bookings);
  const totals = totalsOf(bookings);
  const write = (part: "fees" | "paid") => totals.map((sum) => format(sum[part], sum.currency)).join(" + ");
  const count = `${bookings.length} ${bookings.length === 1 ? "booking" : "bookings"}`;
  return `${count}, fees ${write("fees")}, paid ${write("paid")}`;
}
