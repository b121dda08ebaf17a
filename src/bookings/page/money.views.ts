/** Reads the money of one booking: what is owed and paid, and from the ledger who holds each cent now. */
import { leftHeldOf, movementsOf, type paymentsOf, payoutsOf } from "#payments/index.ts";
import { splitCommission } from "#payments/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import type { BookingPage } from "../api.ts";
import type { Booking } from "../store.ts";
import type { Reading } from "../views.ts";

type Money = BookingPage["money"];
type Payments = Awaited<ReturnType<typeof paymentsOf>>;

/** The money as the reader may see it; `balanceDue` is the day that still lies ahead, if there is one: the commission is for the artist and admins, the provider's fee for admins. */
export async function moneyOf(
  reader: Reader,
  booking: Booking,
  { paid, balanceDue }: { paid: Payments; balanceDue: string | null },
  { relation, now }: Reading,
): Promise<Money> {
  const arrived = paid.filter((payment) => payment.payment_date !== null);
  const paid_cents = arrived.reduce((sum, payment) => sum + payment.amount, 0);
  const refunded_cents = arrived.reduce((sum, payment) => sum + payment.amount_refunded, 0);
  const depositOwed = booking.deposit_paid_at === null ? booking.deposit_cents : 0;
  const balanceOwed = booking.balance_paid_at === null ? booking.balance_cents : 0;
  const showCommission = relation.artist || relation.admin;
  const [movements, left, payouts] = await Promise.all([
    movementsOf(reader, booking.id, booking.currency),
    leftHeldOf(reader, booking.id, booking.currency),
    showCommission ? payoutsOf(reader, [booking.id], now) : undefined,
  ]);
  const payout = payouts?.get(booking.id);
  return {
    fee_cents: booking.fee_cents,
    deposit_cents: booking.deposit_cents,
    balance_cents: booking.balance_cents,
    paid_cents,
    refunded_cents,
    outstanding_cents: booking.status === "canceled" ? 0 : depositOwed + balanceOwed,
    balance_due: balanceDue,
    commission_cents: showCommission ? splitCommission(booking.fee_cents, booking.commission_bps).commission : null,
    held_cents: movements.at(-1)?.held_after_cents ?? 0,
    returning_cents: left.returning,
    released_cents: left.artist + left.platform,
    artist_cents: showCommission ? left.artist : null,
    provider_fee_cents: relation.admin ? left.providerFee : null,
    payout: payout
      ? {
          status: payout.status,
          waits_for: payout.waits,
          amount_cents: payout.amount,
          reversed_cents: payout.reversed,
          due_at: payout.dueAt,
          paid_at: payout.paidAt,
          error: relation.admin ? payout.error : null,
          can_retry: relation.admin && payout.canRetry,
        }
      : null,
    movements,
    payments: paid.map(({ id, kind, amount, currency, status, payment_date, amount_refunded }) => ({
      id,
      kind,
      amount,
      currency,
      status,
      payment_date,
      refunded_cents: amount_refunded,
    })),
  };
}
