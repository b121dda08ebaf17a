import { accounts, move, post } from "#ledger/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { conflict, notFound } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { totalLeft } from "#platform/money.rules.ts";
import { earnerOf } from "./accounts/accounts.views.ts";
import { broadcastPayoutChange } from "./accounts/change-notifications.ts";
import { writeReversalPaidOutside, writeTransferPaidOutside } from "./paid-outside.store.ts";
import { outsideStateOf } from "./paid-outside.views.ts";
import type { ChargeLeft, PaidOutside, PayoutPaid } from "./payouts.rules.ts";
import {
  changePayout,
  lockPayoutOf,
  lockTransfers,
  type Payout,
  type Transfer,
  writeReversed,
} from "./payouts.store.ts";
import { isUnsent, plannedOf, postOffset, reducePayout } from "./reversals/offsets.ts";
import { lockReversals, reduceReversal, reduceTransfer } from "./reversals/reversals.store.ts";
import { publishReversed } from "./reversals/reversed-event.ts";
import { insertTransfers, type LockCharges } from "./transfers.ts";

/** Records that the platform paid outside the provider what was refused of a payout or could not be sent, or the artist its refused reversals (`expected` below 0, minor units). `how` is sent to the artist. Throws a conflict (409) during a dispute, if the amount has changed, and for what the provider may have made. */
export async function recordPayoutPaidOutside(
  tx: Tx,
  { bookingId, expected, now, ...paid }: PaidOutside & { bookingId: string; expected: number; now: Date },
  lockCharges: LockCharges,
): Promise<void> {
  const charges = await lockCharges(tx, bookingId);
  const payout = await lockPayoutOf(tx, bookingId);
  if (!payout) throw notFound("Payout not found");
  const { disputed, unsendable, account } = await outsideStateOf(tx, payout.id, now);
  if (disputed)
    throw conflict("The payer disputes a payment of this booking. Wait for the bank's decision before you pay it.");
  if (unsendable && payout.planned_at === null && payout.amount > 0)
    await insertTransfers(tx, payout, { charges: withLeft(charges, payout.amount), account, now });
  const sent = await recordTransfers(tx, payout, { ...paid, unsendable, now });
  const amount = sent > 0 ? sent : -(await recordReversals(tx, payout, paid, now));
  if (amount === 0) throw conflict(nothingRefused);
  if (amount !== expected) throw conflict("The amounts have changed. Review them again.");
  await broadcastPayoutChange(tx, payout);
}

/** Adds what the charges lack of an amount to the last one, because a payment outside the provider takes nothing from them. Throws a conflict (409) if there is none. */
function withLeft(charges: readonly ChargeLeft[], amount: number): ChargeLeft[] {
  if (charges.length === 0) throw conflict("This booking has no payment.");
  const parts = charges.map((charge) => ({ ...charge, left: Math.max(0, charge.left) }));
  const missing = Math.max(0, amount - totalLeft(parts));
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, left: part.left + missing } : part));
}

const nothingRefused =
  "Nothing of this payout was refused for certain. If it failed, send it again first: we query the provider before.";

/** Returns the sum of the refused transfers, and if the payout is `unsendable` of the waiting ones, which count as paid now. */
async function recordTransfers(
  tx: Tx,
  payout: Payout,
  { unsendable, now, ...paid }: PaidOutside & { unsendable: boolean; now: Date },
): Promise<number> {
  const recorded: Transfer[] = [];
  for (const transfer of await lockTransfers(tx, payout.id)) {
    const owed = await plannedOf(tx, transfer.id);
    const isPayable = isUnsent(transfer) && (transfer.status === "failed" || unsendable);
    if (!isPayable || transfer.amount <= owed) continue;
    if (owed > 0) await cancelReversals(tx, payout, transfer, now);
    const amount = transfer.amount - owed;
    const earnerId = await earnerOf(tx, payout.artist_id, transfer);
    await writeTransferPaidOutside(tx, transfer.id, { earnerId, now });
    await postOutside(tx, payout, { cause: `transfer:${transfer.id}`, paymentId: transfer.payment_id, amount, now });
    recorded.push({ ...transfer, amount, earner_id: earnerId });
  }
  const all = await lockTransfers(tx, payout.id);
  const isMade = ({ status }: Transfer) => status === "succeeded";
  if (all.every(isMade)) await changePayout(tx, payout.id, { paid_at: now }, now);
  const [first] = recorded;
  if (!first) return 0;
  const amount = recorded.reduce((sum, one) => sum + one.amount, 0);
  const body = {
    payoutId: payout.id,
    bookingId: payout.booking_id,
    artistId: payout.artist_id,
    currency: payout.currency,
  };
  const paidOutside = { ...paid, id: first.id, earnerId: first.earner_id };
  await publish(tx, "payout.paid", { ...body, amount, paidOutside } satisfies PayoutPaid);
  // What the provider made of the same payout is published once nothing of it is left to send.
  const parts = all.filter((one) => one.returned_dispute_id === null && one.replaced_reversal_id === null);
  const made = parts.filter(({ paid_outside_at: at }) => at === null).reduce((sum, one) => sum + one.amount, 0);
  const isLast = recorded.some(({ id }) => parts.some((part) => part.id === id)) && parts.every(isMade);
  if (isLast && made > 0) await publish(tx, "payout.paid", { ...body, amount: made } satisfies PayoutPaid);
  return amount;
}

async function cancelReversals(tx: Tx, payout: Payout, transfer: Transfer, now: Date): Promise<void> {
  const amount = await plannedOf(tx, transfer.id);
  for (const reversal of await lockReversals(tx, transfer.id)) await reduceReversal(tx, reversal, reversal.amount, now);
  await reduceTransfer(tx, transfer, amount);
  await reducePayout(tx, payout.id, amount, now);
  await postOffset(tx, payout, { cause: transfer.id, amount, now });
}

async function recordReversals(tx: Tx, payout: Payout, paid: PaidOutside, now: Date): Promise<number> {
  let sum = 0;
  for (const { id } of await lockTransfers(tx, payout.id))
    for (const reversal of await lockReversals(tx, id)) {
      if (reversal.status !== "failed" || reversal.needs_lookup) continue;
      const { amount } = reversal;
      const transfer = (await lockTransfers(tx, payout.id)).find((one) => one.id === id);
      if (!transfer) throw new Error(`the transfer ${id} of a locked payout is gone`);
      await writeReversalPaidOutside(tx, reversal.id, now);
      await writeReversed(tx, transfer, amount, now);
      const { payment_id: paymentId } = transfer;
      await postOutside(tx, payout, { cause: `reversal:${reversal.id}`, paymentId, amount: -amount, now });
      await publishReversed(tx, payout, { reversal, transfer }, { amount, planned: true, paidOutside: paid });
      sum += amount;
    }
  return sum;
}

/** Posts a payout or, below 0, what the artist paid back. A separate group leaves the provider's account at its true balance. */
async function postOutside(
  tx: Tx,
  { booking_id: bookingId, artist_id: artistId, currency }: Payout,
  { cause, paymentId, amount, now: at }: { cause: string; paymentId: string; amount: number; now: Date },
): Promise<void> {
  const { artistPayable, artistReceivable, pspClearing, paidOutside } = accounts;
  const debit = amount > 0 ? artistPayable(artistId) : artistReceivable(artistId);
  const kind = amount > 0 ? "payout" : "reversal";
  const of = { bookingId, paymentId, at };
  await post(tx, { ...of, cause, kind, entries: move(amount, currency, { debit, credit: pspClearing }) });
  const entries = move(amount, currency, { debit: pspClearing, credit: paidOutside });
  await post(tx, { ...of, cause: `${cause}:kept`, kind: "outside_payment", entries });
}
