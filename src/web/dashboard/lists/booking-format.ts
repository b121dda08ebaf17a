/** What the lists of bookings say about money, in words. Amounts are minor units of the booking's currency. */
import { formatMoney } from "#payments/money.rules.ts";

type PaymentLine = Readonly<{ amount: number; status: string }>;
type Money = Readonly<{ status: string; fee_cents: number; currency: string; payments: readonly PaymentLine[] }>;

/** What has been paid and not given back. */
export const paidOf = (payments: readonly PaymentLine[]): number =>
  payments.filter((one) => one.status === "succeeded").reduce((sum, one) => sum + one.amount, 0);

/** The price of a booking; "On request" while there is none. */
export const formatPrice = (booking: Money): string =>
  booking.fee_cents === 0 ? "On request" : formatMoney(booking.fee_cents, booking.currency);

/** What is known about its payment: paid, given back, or still open. */
export function describePayment(booking: Money): string {
  const { payments, currency, fee_cents: fee } = booking;
  const paid = paidOf(payments);
  if (fee > 0 && paid >= fee) return "paid in full";
  if (paid > 0) return `${formatMoney(paid, currency)} paid`;
  const refunded = payments.filter((one) => one.status === "refunded").reduce((sum, one) => sum + one.amount, 0);
  if (refunded > 0) return `${formatMoney(refunded, currency)} refunded`;
  if (booking.status === "canceled") return "nothing paid";
  if (fee === 0) return "price to be agreed";
  return payments.some((one) => one.status === "requires_payment_method") ? "Pending Payment" : "deposit open";
}
