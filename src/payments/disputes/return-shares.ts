/** Gives back what a lost dispute took of a release, once an appeal has brought the money back: the split of the loss, reversed (decision 301). */
import type { Tx } from "#platform/db/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import { accounts, post } from "#ledger/index.ts";
import { splitByLargestRemainder } from "#platform/money.rules.ts";
import {
  changePayout,
  insertTransfer,
  lockPayoutOf,
  lockTransfers,
  type Payout,
  type Transfer,
} from "../stores/payouts.store.ts";
import { disputeCause } from "../payouts/reversals.ts";
import { insertReversal, lockReversals, removeReversal } from "../stores/reversals.store.ts";
import { plannedFor } from "../stores/refunds.store.ts";
import { lockPaidPayments } from "../store.ts";
import { publishStep } from "./dispute-sync.ts";
import { changeDispute, type Dispute, lockDispute } from "../stores/disputes.store.ts";
import { returnableShares, type ReturnedShares } from "../rules/returnable.rules.ts";

/** Gives back the shares that were shown (`expectedArtist`, minor units): sends what was taken, and calls off what was not. Throws while money moves. */
export async function returnShares(
  tx: Tx,
  given: { disputeId: string; bookingId: string; expectedArtist: number; now: Date },
): Promise<ReturnedShares & { currency: string }> {
  const { now, bookingId } = given;
  const payments = await lockPaidPayments(tx, bookingId);
  const dispute = await lockDispute(tx, given.disputeId);
  if (!dispute || dispute.booking_id !== bookingId) throw notFound("Dispute not found");
  const shares = returnableShares(dispute);
  if (!shares) throw new Problem("conflict", "Nothing of this dispute can be given back.");
  if (shares.artist !== given.expectedArtist)
    throw new Problem("conflict", "The figures have changed meanwhile. Please look at them again.");
  const payout = await lockPayoutOf(tx, bookingId);
  if (!payout) throw new Error(`the booking ${bookingId} has lost a share of a release and has no payout`);
  if (payout.planned_at !== null && payout.paid_at === null)
    throw new Problem("conflict", "The payout of this booking is on its way. Please try again once it has arrived.");
  const untaken =
    payout.planned_at === null ? 0 : await callOffReversals(tx, payout, { dispute, most: shares.artist, now });
  const again = shares.artist - untaken;
  await changeDispute(
    tx,
    dispute,
    { returned_at: now, returned_artist: shares.artist, returned_platform: shares.platform },
    now,
  );
  const { currency } = dispute;
  await post(tx, {
    cause: `dispute:${dispute.id}:returned`,
    kind: "dispute_share_returned",
    bookingId,
    paymentId: dispute.payment_id,
    at: now,
    entries: [
      { account: accounts.disputeLoss, amount: shares.artist + shares.platform, currency },
      { account: accounts.artistPayable(payout.artist_id), amount: -again, currency },
      { account: accounts.artistReceivable(payout.artist_id), amount: -untaken, currency },
      { account: accounts.platformRevenue, amount: -shares.platform, currency },
    ],
  });
  if (again > 0) await payAgain(tx, payout, { amount: again, dispute, payments, now });
  await publishStep(tx, dispute, { step: "share_returned", artist: shares.artist });
  return { ...shares, currency };
}

/** Calls off at most `most` of the planned reversals for this dispute. A larger reversal is replaced by one of the rest. Returns the sum. */
async function callOffReversals(
  tx: Tx,
  payout: Payout,
  { dispute, most, now }: { dispute: Dispute; most: number; now: Date },
): Promise<number> {
  let left = most;
  for (const transfer of await lockTransfers(tx, payout.id))
    for (const reversal of await lockReversals(tx, transfer.id)) {
      if (left === 0) return most;
      if (!reversal.cause_key.startsWith(`refund:${disputeCause(dispute.id)}:`) || reversal.status === "succeeded")
        continue;
      const isUnsent = reversal.status === "requested" && reversal.asked_at === null;
      if (reversal.look_up || !(isUnsent || reversal.status === "failed"))
        throw new Problem(
          "conflict",
          "The share is being taken back at this moment. Please try again in a few minutes.",
        );
      await removeReversal(tx, reversal.id);
      const rest = reversal.amount - Math.min(left, reversal.amount);
      const { transfer_id: transferId, currency, reason, cause_key: causeKey } = reversal;
      if (rest > 0) await insertReversal(tx, { transferId, amount: rest, currency, reason, causeKey, now });
      left -= reversal.amount - rest;
    }
  return most - left;
}

type Again = { amount: number; dispute: Dispute; payments: Awaited<ReturnType<typeof lockPaidPayments>>; now: Date };

/** A payout that is not planned grows; of one that was sent the share goes out by new transfers, from what each charge still has. */
async function payAgain(tx: Tx, payout: Payout, { amount, dispute, payments, now }: Again): Promise<void> {
  const grown = payout.amount + amount;
  if (payout.planned_at === null) return void (await changePayout(tx, payout.id, { amount: grown }, now));
  const transfers = await lockTransfers(tx, payout.id);
  const left: number[] = [];
  for (const { id, amount: charged, provider_payment: charge } of payments) {
    const sent = transfers
      .filter((one) => one.payment_id === id)
      .reduce((sum, one) => sum + one.amount - one.amount_reversed, 0);
    left.push(Math.max(0, charged - (await plannedFor(tx, charge)) - sent));
  }
  if (amount > left.reduce((sum, one) => sum + one, 0))
    throw new Problem("conflict", "The payments of this booking hold less than the share.");
  const account = await requireSameAccount(tx, payout, transfers);
  const shares = splitByLargestRemainder(amount, left);
  for (const [index, { id: paymentId, provider_payment: providerPayment }] of payments.entries()) {
    const share = shares[index] ?? 0;
    if (share > 0)
      await insertTransfer(tx, {
        payout,
        paymentId,
        providerPayment,
        amount: share,
        returns: { disputeId: dispute.id, account },
        now,
      });
  }
  await changePayout(tx, payout.id, { amount: grown, paid_at: null }, now);
}

/** Throws if the artist's account is not the one that the payout went to: another owner has neither earned nor lost it. */
async function requireSameAccount(tx: Tx, payout: Payout, transfers: readonly Transfer[]): Promise<string> {
  const connected = await tx
    .selectFrom("artist_connect")
    .select("provider_account")
    .where("artist_id", "=", payout.artist_id)
    .executeTakeFirst();
  const account = connected?.provider_account ?? null;
  // Payouts that were imported name no account; of what was taken from one it must be known.
  const isOthers = ({ destination, amount_reversed }: Transfer) =>
    destination !== account && (destination !== null || amount_reversed > 0);
  if (account !== null && !transfers.some(isOthers)) return account;
  throw new Problem(
    "conflict",
    "The payout went to a payment account that is not the artist's any more, so the share cannot be sent back here. Settle it with the owner of that account in the provider's dashboard.",
  );
}
