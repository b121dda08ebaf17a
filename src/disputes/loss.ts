import { accounts, type Entry, heldFor, leftOfRelease, post } from "#ledger/index.ts";
import {
  coveredRefunds,
  fulfilByDispute,
  lockPayment,
  lockRefusedRefund,
  reopenRefund,
  splitRefund,
  plannedFor,
  waitingRefunds,
  type Payment,
} from "#payments/provider-sync.ts";
import type { RefundFailed } from "#payments/rules.ts";
import { disputeCause, deductFromRelease } from "#payouts/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { coverRefunds, divideLoss, refundsToReopen } from "./loss.rules.ts";
import { heldChange } from "./returnable.rules.ts";
import { changeDispute, type Dispute, isHeldMoneyDivided, lockLoss } from "./store.ts";
import { chargeOfRefund } from "./waiting-refunds.views.ts";

/** Divides a lost dispute once, under the locks of payment and dispute: over unsent refunds, then held money, or after the release artist and platform by their shares, at most what the charge still holds. The platform bears the rest. */
export async function applyDisputeLoss(tx: Tx, dispute: Dispute, payment: Payment | undefined, now: Date) {
  const { withdrawn: lost, currency, booking_id: bookingId } = dispute;
  const refunded = await fulfilRefunds(tx, dispute, payment, now);
  const rest = lost - refunded;
  const shares = payment ? divideLoss(rest, await leftFor(tx, dispute, payment)) : { held: 0, released: 0 };
  const { held } = shares;
  const released = payment ? await fromRelease(tx, dispute, payment, shares.released, now) : [];
  const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0);
  const artist = sumOf(released.filter(({ account }) => account.startsWith("artist_")));
  const loss = rest - held - sumOf(released);
  await changeDispute(
    tx,
    dispute,
    {
      settled_at: now,
      from_refunds: refunded,
      from_held: held,
      from_artist: artist,
      from_platform: sumOf(released) - artist,
      from_loss: loss,
    },
    now,
  );
  await post(tx, {
    cause: `dispute:${dispute.id}:lost`,
    kind: "dispute_lost",
    bookingId,
    paymentId: dispute.payment_id,
    at: now,
    entries: [
      ...(payment ? [{ account: accounts.held(payment.booking_id), amount: held, currency }] : []),
      ...released,
      { account: accounts.disputeLoss, amount: loss, currency },
      { account: accounts.disputeInFlight, amount: -rest, currency },
    ],
  });
}

async function leftFor(tx: Tx, { provider_payment, currency }: Dispute, payment: Payment) {
  const { artist, platform } = await leftOfRelease(tx, payment.booking_id, currency);
  return {
    ofCharge: payment.amount - (await plannedFor(tx, provider_payment)),
    held: await heldFor(tx, payment.booking_id, currency),
    released: artist + platform,
  };
}

/** Completes unsent, refused and returned refunds of the charge with what the bank took. The rest of a larger one is still sent. Returns their sum. */
async function fulfilRefunds(tx: Tx, dispute: Dispute, payment: Payment | undefined, now: Date): Promise<number> {
  const refunds = coverRefunds(dispute.withdrawn, await waitingRefunds(tx, dispute.provider_payment));
  for (const { refund, part } of refunds) {
    const covered = refund.amount > part ? await splitRefund(tx, refund, { part, payment, now }) : refund;
    await fulfilByDispute(tx, covered, { payment, now });
  }
  return refunds.reduce((sum, { part }) => sum + part, 0);
}

/** Completes a refund that failed after its dispute was lost: the bank paid the payer, and the platform had borne it as a loss. */
export async function coverFailedRefund(tx: Tx, event: RefundFailed, now: Date): Promise<void> {
  const payment = event.paymentId === null ? undefined : await lockPayment(tx, event.paymentId);
  const charge = await chargeOfRefund(tx, event.refundId);
  const dispute = charge === undefined ? undefined : await lockLoss(tx, charge);
  const refund = dispute && (await lockRefusedRefund(tx, event.refundId));
  if (!refund) return;
  const part = Math.min(refund.amount, dispute.from_loss);
  const covered = refund.amount > part ? await splitRefund(tx, refund, { part, payment, now }) : refund;
  await fulfilByDispute(tx, covered, { payment, from: accounts.disputeLoss, now });
  const { from_loss, from_refunds } = dispute;
  await changeDispute(tx, dispute, { from_loss: from_loss - part, from_refunds: from_refunds + part }, now);
}

/** Makes refunds that the loss completed due again, as far as an appeal returned their money. Part of a refund requires manual review. Returns the sum of the refunds, and the rest, in minor units. */
export async function reopenRefunds(tx: Tx, dispute: Dispute, payment: Payment | undefined, now: Date) {
  const { due, ...sums } = refundsToReopen(await coveredRefunds(tx, dispute.provider_payment), dispute);
  for (const refund of due) await reopenRefund(tx, refund, payment, now);
  return sums;
}

async function fromRelease(tx: Tx, dispute: Dispute, payment: Payment, amount: number, now: Date) {
  if (amount === 0) return [];
  const shares = await deductFromRelease(tx, {
    id: disputeCause(dispute.id),
    bookingId: payment.booking_id,
    paymentId: payment.id,
    amount,
    currency: dispute.currency,
    reason: "The payer's bank took the payment back.",
    now,
  });
  return shares ?? [];
}

/** Posts money that moves after the division of the loss. What was taken from held money is held again, unless that was divided since. The rest is the platform's until `returnShares`. */
export async function regainLoss(tx: Tx, dispute: Dispute, movement: { ref: string; amount: number; at: Date }) {
  const { currency, booking_id: bookingId } = dispute;
  const regained = dispute.regained + movement.amount;
  const held = bookingId ? await heldAgain(tx, { ...dispute, regained }, bookingId) : 0;
  await post(tx, {
    cause: `dispute_regained:${movement.ref}`,
    kind: "dispute_regained",
    bookingId,
    paymentId: dispute.payment_id,
    at: movement.at,
    entries: [
      { account: accounts.disputeInFlight, amount: movement.amount, currency },
      ...(bookingId ? [{ account: accounts.held(bookingId), amount: -held, currency }] : []),
      { account: accounts.disputeLoss, amount: held - movement.amount, currency },
    ],
  });
  await changeDispute(tx, dispute, { regained, returned_held: dispute.returned_held + held }, movement.at);
}

/** Returns what moves to held money, below 0 if the bank takes it again. */
async function heldAgain(tx: Tx, dispute: Dispute, bookingId: string): Promise<number> {
  const change = heldChange(dispute, await heldFor(tx, bookingId, dispute.currency));
  return change > 0 && (await isHeldMoneyDivided(tx, bookingId)) ? 0 : change;
}
