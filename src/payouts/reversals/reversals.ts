import { findEarlier, requiresProviderLookup, sendDue } from "#gateway/attempts.ts";
import type { PaymentGateway, Payments } from "#gateway/gateway.ts";
import type { ProviderReversal } from "#gateway/transfer-gateway.ts";
import { accounts, type Entry, leftOfRelease, move, post, postConversion } from "#ledger/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { convertPart, splitByLargestRemainder, splitOver, totalLeft } from "#platform/money.rules.ts";
import { earnerOf } from "../accounts/accounts.views.ts";
import { publishPayoutFailed } from "../accounts/change-notifications.ts";
import {
  changePayout,
  insertReplacement,
  lockPayout,
  lockPayoutOf,
  lockTransfers,
  type Payout,
  payoutIdOf,
  recordCallFailure,
  type Transfer,
  writeReversed,
} from "../payouts.store.ts";
import { offsetReversals, plannedOf, reducePayout, sumOf, takeUnsent } from "./offsets.ts";
import {
  claimReversal,
  type ClaimedReversal,
  insertReversal,
  lockReversals,
  type Reversal,
  convertedPart,
  writeReversalMade,
} from "./reversals.store.ts";
import { causeOf, publishReversed } from "./reversed-event.ts";

/** Deducts a refund or a lost dispute of a released booking from artist and platform by their shares (largest remainder). An unplanned payout is reduced. Later the share is taken from what waits to be sent, first from that payment, and the artist owes the rest. Returns the entries of both shares, or undefined if less was released. Call it under the lock of the payment. */
export async function deductFromRelease(
  tx: Tx,
  refund: {
    id: string;
    bookingId: string;
    paymentId: string;
    amount: number;
    currency: string;
    reason: string;
    now: Date;
  },
): Promise<Entry[] | undefined> {
  const { bookingId, paymentId, amount, currency, now } = refund;
  const payout = await lockPayoutOf(tx, bookingId);
  const left = await leftOfRelease(tx, bookingId, currency);
  if (!payout || left.artist + left.platform < amount) return undefined;
  const [artist = 0, platform = 0] = splitByLargestRemainder(amount, [left.artist, left.platform]);
  const isPlanned = payout.planned_at !== null;
  const unsent = isPlanned ? await takeUnsent(tx, { payoutId: payout.id, paymentId }, artist, now) : artist;
  if (!isPlanned) await reducePayout(tx, payout.id, artist, now);
  const owed = artist - unsent;
  if (owed > 0) await planReversals(tx, payout, { ...refund, amount: owed });
  return [
    { account: accounts.artistPayable(payout.artist_id), amount: unsent, currency },
    { account: accounts.artistReceivable(payout.artist_id), amount: owed, currency },
    { account: accounts.platformRevenue, amount: platform, currency },
  ];
}

type Deduction = Readonly<{ id: string; amount: number; currency: string; reason: string; now: Date }>;

/** Plans reversals of what the provider transferred. What was paid outside it cannot be reversed there, so it needs an admin. */
async function planReversals(tx: Tx, payout: Payout, { id, amount, currency, reason, now }: Deduction): Promise<void> {
  const open: { transfer: Transfer; left: number }[] = [];
  for (const transfer of await lockTransfers(tx, payout.id))
    open.push({ transfer, left: transfer.amount - (await plannedOf(tx, transfer.id)) });
  const sent = open.filter(({ transfer }) => transfer.paid_outside_at === null);
  const outside = open.filter(({ transfer }) => transfer.paid_outside_at !== null);
  const ofSent = Math.min(amount, totalLeft(sent));
  const ofOutside = Math.min(amount - ofSent, totalLeft(outside));
  const planned = { currency, reason };
  for (const { transfer, share } of splitOver(ofSent, sent)) {
    const cause_key = `refund:${id}:${transfer.id}`;
    await insertReversal(tx, { ...planned, transfer_id: transfer.id, amount: share, cause_key }, now);
  }
  for (const { transfer, share } of splitOver(ofOutside, outside)) {
    const cause_key = `refund:${id}:${transfer.id}`;
    const failed = { status: "failed", last_error: paidOutside } as const;
    await insertReversal(tx, { ...planned, transfer_id: transfer.id, amount: share, cause_key, ...failed }, now);
  }
  const [first] = outside;
  if (ofOutside > 0 && first) {
    const owed = { cause: causeOf(`refund:${id}`), earnerId: await earnerOf(tx, payout.artist_id, first.transfer) };
    await publishPayoutFailed(
      tx,
      "reversal",
      { booking_id: payout.booking_id, amount: ofOutside, currency },
      { reason: paidOutside, owed },
    );
  }
}

const paidOutside = "It was paid outside the payment provider. Ask the artist to pay it back, and record how.";

export function sendReversals(services: Payments): Promise<void> {
  const { database, clock } = services;
  return sendDue(services, {
    claim: claimReversal,
    send: async (reversal, gateway, notMade) => {
      const isFirst = reversal.requested_at === null;
      const needsLookup = requiresProviderLookup(reversal, clock.now());
      const made = needsLookup ? await findEarlier(isFirst, gateway.findReversals(reversal.transfer_ref)) : [];
      const found = made.find(({ reversalId }) => reversalId === reversal.id);
      if (!found) notMade();
      const reported = found ?? (await create(gateway, reversal));
      await database.transaction((tx) => syncReversal(tx, reported, clock.now()));
    },
    record: async (tx, reversal, failure) => {
      const payout = await lockPayout(tx, reversal.payout_id);
      if (!(await recordCallFailure(tx, "transfer_reversals", reversal, failure)) || !failure.refused) return;
      const isOffset = (await offsetReversals(tx, payout.id, failure.at)) > 0;
      const earnerId = await earnerOf(tx, payout.artist_id, reversal);
      const refused = { id: reversal.id, cause: causeOf(reversal.cause_key), earnerId };
      if (!isOffset) await publishPayoutFailed(tx, "reversal", reversal, { reason: failure.message, refused });
    },
    idsOf: ({ id }) => ({ reversalId: id }),
    message: "a transfer was not reversed",
  });
}

const create = (
  gateway: PaymentGateway,
  { id: reversalId, key, transfer_ref: transfer, settled_amount: amount }: ClaimedReversal,
): Promise<ProviderReversal> => gateway.createReversal({ reversalId, key, transfer, amount });

/** Syncs a reported reversal. One from the dashboard completes a planned one of the same amount. Otherwise it pays what the artist owes, and the rest is owed to the artist again. */
export async function syncReversal(tx: Tx, reported: ProviderReversal, now: Date): Promise<"done" | "foreign"> {
  const payoutId = await payoutIdOf(tx, { id: null, ref: reported.transfer });
  if (!payoutId) return "foreign";
  const payout = await lockPayout(tx, payoutId);
  const transfer = (await lockTransfers(tx, payoutId)).find((one) => one.provider_ref === reported.transfer);
  if (!transfer) return "foreign";
  const known = await lockReversals(tx, transfer.id);
  if (known.some((one) => one.provider_ref === reported.ref && one.status === "succeeded")) return "done";
  const planned = findPlanned(transfer, known, reported);
  const row = planned ?? (await adopt(tx, { payout, transfer, known }, reported, now));
  await writeReversalMade(tx, row.id, reported, now);
  await writeReversed(tx, transfer, row.amount, now);
  const { artistReceivable, artistPayable, pspClearing } = accounts;
  const of = { cause: `reversal:${row.id}`, bookingId: payout.booking_id, paymentId: transfer.payment_id, at: now };
  await post(tx, {
    ...of,
    kind: planned ? "reversal" : "payout_returned",
    entries: move(row.amount, row.currency, {
      debit: pspClearing,
      credit: planned ? artistReceivable(payout.artist_id) : artistPayable(payout.artist_id),
    }),
  });
  await postConversion(tx, of, { booked: row, settled: reported });
  const offset = planned ? 0 : await offsetReversals(tx, payoutId, now);
  if (row.amount > offset)
    await publishReversed(
      tx,
      payout,
      { reversal: row, transfer },
      { amount: row.amount - offset, planned: planned !== undefined },
    );
  return "done";
}

function findPlanned(transfer: Transfer, known: readonly Reversal[], reported: ProviderReversal): Reversal | undefined {
  const open = known.filter(({ status }) => status !== "succeeded");
  const mine = open.find((one) => one.id === reported.reversalId);
  if (mine || reported.reversalId !== null) return mine;
  return open.find((one) => convertedPart(transfer, known, one) === reported.amount);
}

/** Stores a reversal from the dashboard, and the transfer with which an admin sends its amount again, if that is a cent or more. */
async function adopt(
  tx: Tx,
  { payout, transfer, known }: { payout: Payout; transfer: Transfer; known: readonly Reversal[] },
  reported: ProviderReversal,
  now: Date,
): Promise<Reversal> {
  const { id: transfer_id, currency } = transfer;
  const amount = adoptedPart(transfer, known, reported);
  const cause_key = `${adoptedCause}${reported.ref}`;
  await insertReversal(
    tx,
    { transfer_id, amount, currency, reason: "It was reversed at the payment provider.", cause_key },
    now,
  );
  const row = (await lockReversals(tx, transfer_id)).find((one) => one.cause_key === cause_key);
  if (!row) throw new Error(`the reversal ${reported.ref} was not stored`);
  if (amount === 0) return row;
  await insertReplacement(tx, { transfer, reversalId: row.id, amount, settled: reported, now });
  await changePayout(tx, payout.id, { amount: payout.amount + amount, paid_at: null }, now);
  return row;
}

const adoptedCause = "provider:";

/** Returns what a reversal from the dashboard is of the transfer, in minor units of its currency: with those before it never more than the whole, and 0 for less than one minor unit. */
function adoptedPart(transfer: Transfer, known: readonly Reversal[], reported: ProviderReversal): number {
  const { amount: whole, currency, settled_amount: sent } = transfer;
  if (sent === null || reported.currency === currency) return reported.amount;
  const made = known.filter(({ status }) => status === "succeeded");
  const adopted = made.filter(({ cause_key }) => cause_key.startsWith(adoptedCause));
  const settled = adopted.reduce((sum, one) => sum + (one.settled_amount ?? 0), reported.amount);
  const part = convertPart(Math.min(settled, sent), sent, whole) - sumOf(adopted);
  return Math.max(0, Math.min(part, whole - sumOf(made)));
}
