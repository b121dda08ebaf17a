import { disputedOf, hasFailedRefund, waitingRefundOf } from "#disputes/index.ts";
import { accounts, movementsOf, positionOf } from "#ledger/index.ts";
import { type paymentsOf } from "#payments/index.ts";
import { paymentKinds } from "#payments/rules.ts";
import { payoutsOf } from "#payouts/index.ts";
import { type Reader, rowsOf } from "#platform/db/index.ts";
import type { balanceOf } from "../balance/balance.views.ts";
import type { BookingPage } from "../booking.api.ts";
import { previewCancellation } from "../cancellation/cancellation.ts";
import type { CompletionBlock } from "../rules/completion.rules.ts";
import { automaticCompletionAt, unpaidEndOf } from "../rules/deadlines.rules.ts";
import { mayCancel } from "../rules/flow.rules.ts";
import { moneyPartsOf } from "../rules/money/money-parts.rules.ts";
import { sharesOf } from "../rules/money/shares.rules.ts";
import { type UnpayableReason } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";
import type { Reading } from "../views.ts";

type Money = BookingPage["money"];
type Payments = Awaited<ReturnType<typeof paymentsOf>>;

type MoneyAround = Readonly<{
  paid: Payments;
  balance: Awaited<ReturnType<typeof balanceOf>> & { mayArtistDecide: boolean; unpayable: UnpayableReason | null };
  signedAt: Date | null;
  block: CompletionBlock | null;
  promoterObjects: boolean;
}>;

/** Returns the money for the viewer. The commission is for the artist and admins, the provider's fee for admins. */
export async function moneyOf(
  reader: Reader,
  booking: Booking,
  { paid, balance, signedAt, block, promoterObjects }: MoneyAround,
  { relation, now }: Reading,
): Promise<Money> {
  const depositOwed = booking.deposit_paid_at === null ? booking.deposit_cents : 0;
  const balanceOwed = booking.balance_paid_at === null ? booking.balance_cents : 0;
  const showCommission = relation.artist || relation.admin;
  const [movements, position, fees, payouts, inDispute, refundWaiting, refundFailed] = await Promise.all([
    movementsOf(reader, booking.id, booking.currency),
    positionOf(reader, booking.id, booking.currency),
    relation.admin ? providerFeesOf(reader, booking.id) : null,
    showCommission ? payoutsOf(reader, [booking.id], now) : undefined,
    disputedOf(reader, booking),
    waitingRefundOf(reader, booking.id),
    hasFailedRefund(reader, booking.id),
  ]);
  const payout = payouts?.get(booking.id);
  const sum = (of: "charged" | "returning" | "returned") =>
    paymentKinds.reduce((all, kind) => all + position.parts[kind][of].cents, 0);
  const parts = moneyPartsOf(
    {
      ...booking,
      position,
      signedAt,
      completesAt: automaticCompletionAt(booking.ends_at),
      unpaidEndsAt: unpaidEndOf(booking, balance.requestedAt),
      balance: { ...balance, overdue: balance.overdueAt !== null && balance.overdueAt <= now },
      block,
      refundFailed,
      refundWaiting,
      payout: payout ? { status: payout.status, waits_for: payout.waits, dueAt: payout.dueAt } : null,
      seesCommission: showCommission,
    },
    now,
  );
  const lost = paid.reduce((all, { disputed }) => all + disputed, 0);
  const shares = showCommission ? sharesOf(booking, position) : null;
  return {
    fee_cents: booking.fee_cents,
    deposit_cents: booking.deposit_cents,
    balance_cents: booking.balance_cents,
    paid_cents: sum("charged"),
    refunded_cents: sum("returned"),
    kept_cents: paid.reduce((all, { kept }) => all + kept, 0),
    outstanding_cents: booking.status === "canceled" ? 0 : depositOwed + balanceOwed,
    balance_due: balance.day,
    commission_bps: showCommission ? booking.commission_bps : null,
    commission_cents: shares && shares.commission,
    net_cents: shares && shares.artist,
    held_cents: position.held,
    returning_cents: sum("returning"),
    released_cents: position.artist + position.platform,
    artist_cents: showCommission ? position.artist : null,
    platform_loss_cents: relation.admin ? position.platformLoss : null,
    provider_fees: fees,
    parts,
    dispute:
      inDispute.open + lost > 0
        ? { open_cents: inDispute.open, withheld_cents: inDispute.withheld, lost_cents: lost }
        : null,
    if_canceled: position.held > 0 && !promoterObjects ? await ifCanceled(reader, booking, now) : null,
    payout: payout
      ? {
          status: payout.status,
          waits_for: payout.waits,
          amount_cents: payout.amount,
          reversed_cents: payout.reversed,
          sent: payout.sent && { amount_cents: payout.sent.amount, currency: payout.sent.currency },
          due_at: payout.dueAt,
          paid_at: payout.paidAt,
          error: relation.admin ? payout.error : null,
          can_retry: relation.admin && payout.canRetry,
          owed_cents: payout.owed,
          outside_cents: relation.admin ? payout.outside : 0,
        }
      : null,
    movements,
    payments: paid.map(({ amount_refunded: refunded_cents, kept: _kept, disputed: _disputed, ...payment }) => ({
      ...payment,
      refunded_cents,
    })),
  };
}

const providerFeesOf = (reader: Reader, bookingId: string) =>
  rowsOf<NonNullable<Money["provider_fees"]>[number]>(reader)`
    select sum(e.amount)::bigint as amount_cents, e.currency
    from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.booking_id = ${bookingId} and e.account = ${accounts.pspFees}
    group by e.currency order by e.currency`;

async function ifCanceled(reader: Reader, booking: Booking, now: Date): Promise<Money["if_canceled"]> {
  if (!mayCancel(booking, "promoter", now)) return null;
  const { refund_cents, valid_until } = await previewCancellation(reader, booking, { by: "promoter", now });
  return { refund_cents, until: valid_until };
}
