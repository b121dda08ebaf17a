/** What waits to be sent to an artist pays first what the artist owes. */

import { accounts, move, post } from "#ledger/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { totalLeft } from "#platform/money.rules.ts";
import type { PayoutPaid } from "../payouts.rules.ts";
import { changePayout, lockPayout, lockTransfers, type Payout, type Transfer } from "../payouts.store.ts";
import { lockReversals, reduceReversal, reduceTransfer, type Reversal } from "./reversals.store.ts";
import { publishReversed } from "./reversed-event.ts";

export const sumOf = (rows: readonly { amount: number }[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);

/** Returns what is planned to be reversed of a transfer or is reversed, in minor units. */
export const plannedOf = async (tx: Tx, transferId: string): Promise<number> =>
  sumOf(await lockReversals(tx, transferId));

/** Returns true if no call made the transfer, and none is in progress. */
export const isUnsent = ({ status, requested_at, needs_lookup, provider_ref }: Transfer): boolean =>
  provider_ref === null &&
  ((status === "failed" && !needs_lookup) || (status === "requested" && requested_at === null));

type Unsent = { payoutId: string; paymentId: string };

/** Returns the transfers that can be reduced, those of the payment first. `except`: a reversal that does not count. */
async function reducible(tx: Tx, { payoutId, paymentId }: Unsent, except?: string) {
  const open: { transfer: Transfer; left: number }[] = [];
  for (const transfer of await lockTransfers(tx, payoutId)) {
    if (!isUnsent(transfer)) continue;
    const planned = (await lockReversals(tx, transfer.id)).filter(({ id }) => id !== except);
    open.push({ transfer, left: Math.max(0, transfer.amount - sumOf(planned)) });
  }
  const isOthers = ({ transfer }: (typeof open)[number]) => Number(transfer.payment_id !== paymentId);
  return open.toSorted((a, b) => isOthers(a) - isOthers(b));
}

/** Reduces what waits to be sent by up to `max`, and the payout: first what is sent from the payment. Returns the sum. */
export async function takeUnsent(tx: Tx, unsent: Unsent, max: number, now: Date): Promise<number> {
  const { payoutId } = unsent;
  let left = max;
  const removed: Transfer[] = [];
  for (const open of await reducible(tx, unsent)) {
    const part = Math.min(left, open.left);
    if (part > 0) await reduceTransfer(tx, open.transfer, part);
    if (part === open.transfer.amount) removed.push(open.transfer);
    left -= part;
  }
  if (left < max) await reducePayout(tx, payoutId, max - left, now);
  for (const [index, one] of removed.entries())
    if (!removed.slice(0, index).some((other) => isSamePart(one, other))) await publishRest(tx, payoutId, one);
  return max - left;
}

const isSamePart = (one: Transfer, other: Transfer): boolean =>
  one.returned_dispute_id === other.returned_dispute_id && one.replaced_reversal_id === other.replaced_reversal_id;

/** Publishes what the provider made of a part of a payout of which nothing is left to send, because a transfer was removed. */
async function publishRest(tx: Tx, payoutId: string, removed: Transfer): Promise<void> {
  const rest = (await lockTransfers(tx, payoutId)).filter((one) => isSamePart(one, removed));
  const made = rest.filter(({ paid_outside_at: at }) => at === null);
  if (made.length === 0 || rest.some(({ status }) => status !== "succeeded")) return;
  const { booking_id: bookingId, artist_id: artistId, currency } = await lockPayout(tx, payoutId);
  const { returned_dispute_id: disputeId, replaced_reversal_id: reversalId } = removed;
  const settled = made.find((one) => one.settled_currency !== null && one.settled_currency !== currency);
  const sent = {
    amount: made.reduce((sum, one) => sum + (one.settled_amount ?? 0), 0),
    currency: settled?.settled_currency ?? currency,
  };
  await publish(tx, "payout.paid", {
    payoutId,
    bookingId,
    artistId,
    amount: sumOf(made),
    currency,
    disputeId,
    reversalId,
    ...(settled ? { sent } : {}),
  } satisfies PayoutPaid);
}

/** Reduces a payout. It is paid as before if nothing is left to send, and is not planned without transfers. */
export async function reducePayout(tx: Tx, id: string, by: number, now: Date): Promise<void> {
  const { amount, planned_at } = await lockPayout(tx, id);
  const transfers = await lockTransfers(tx, id);
  const isPaid = transfers.length > 0 && transfers.every(({ status }) => status === "succeeded");
  const times = transfers.map(({ sent_at: at }) => (at ?? now).getTime());
  const paid = isPaid ? { paid_at: new Date(Math.max(...times)) } : {};
  await changePayout(
    tx,
    id,
    { amount: amount - by, planned_at: transfers.length > 0 ? planned_at : null, ...paid },
    now,
  );
}

function isUnmade(reversal: Reversal, transfer: Transfer, all: readonly Reversal[]): boolean {
  const { status, requested_at, needs_lookup, amount } = reversal;
  if (status === "succeeded") return false;
  if (!needs_lookup && (status === "failed" || (status === "requested" && requested_at === null))) return true;
  // The provider reverses no more of a transfer than is left of it.
  return sumOf(all.filter((one) => one.status === "succeeded")) + amount > transfer.amount;
}

/** Deducts what could not be reversed of a payout from what waits to be sent to the artist. Returns the sum, in minor units. */
export async function offsetReversals(tx: Tx, payoutId: string, now: Date): Promise<number> {
  const payout = await lockPayout(tx, payoutId);
  let sum = 0;
  const open: { transfer: Transfer; all: Reversal[] }[] = [];
  for (const transfer of await lockTransfers(tx, payoutId))
    open.push({ transfer, all: await lockReversals(tx, transfer.id) });
  const isTooMuch = ({ transfer, all }: (typeof open)[number]) => Number(sumOf(all) > transfer.amount);
  for (const { transfer, all } of open.toSorted((a, b) => isTooMuch(b) - isTooMuch(a))) {
    const unsent = { payoutId, paymentId: transfer.payment_id };
    for (const reversal of all.filter((one) => isUnmade(one, transfer, all))) {
      const amount = Math.min(reversal.amount, totalLeft(await reducible(tx, unsent, reversal.id)));
      if (amount === 0) continue;
      await reduceReversal(tx, reversal, amount, now);
      await takeUnsent(tx, unsent, amount, now);
      await postOffset(tx, payout, { cause: reversal.id, amount, now });
      const wasPaid = transfer.provider_ref !== null || transfer.replaced_reversal_id !== null;
      if (wasPaid) await publishReversed(tx, payout, { reversal, transfer }, { amount, planned: true });
      sum += amount;
    }
  }
  return sum;
}

export const postOffset = (
  tx: Tx,
  { artist_id: artistId, booking_id: bookingId, currency }: Payout,
  { cause, amount, now }: { cause: string; amount: number; now: Date },
) =>
  post(tx, {
    cause: `payout_offset:${cause}`,
    kind: "payout_offset",
    bookingId,
    at: now,
    entries: move(amount, currency, {
      debit: accounts.artistPayable(artistId),
      credit: accounts.artistReceivable(artistId),
    }),
  });
