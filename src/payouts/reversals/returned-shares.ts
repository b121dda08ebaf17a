import { sql } from "kysely";
import type { Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { splitOver, totalLeft } from "#platform/money.rules.ts";
import { payeeOf } from "../accounts/accounts.views.ts";
import { type ChargeLeft, disputeCause } from "../payouts.rules.ts";
import {
  changePayout,
  insertPayout,
  insertTransfer,
  lockPayoutOf,
  lockTransfers,
  type Payout,
  type Transfer,
} from "../payouts.store.ts";
import { lockReversals, reduceReversal } from "./reversals.store.ts";

/** Cancels unsent reversals (`untaken`) and sends the rest (`again`), in minor units. Throws a conflict (409) while the payout or a reversal is in progress, and if the payout went to another owner's account. */
export async function returnArtistShare(
  tx: Tx,
  share: {
    bookingId: string;
    artistId: string | null;
    currency: string;
    disputeId: string;
    amount: number;
    charges: readonly ChargeLeft[];
    now: Date;
  },
): Promise<{ artistId: string; untaken: number; again: number }> {
  const { bookingId, disputeId, artistId, currency, amount, charges, now } = share;
  const payout = await lockPayoutOf(tx, bookingId);
  if (!payout) {
    if (artistId === null) throw new Error(`the booking ${bookingId} has no payout and no artist`);
    await insertPayout(tx, { bookingId, artistId, currency, amount, dueAt: now, now });
    return { artistId, untaken: 0, again: amount };
  }
  if (payout.planned_at !== null && payout.paid_at === null)
    throw conflict(
      (await lockTransfers(tx, payout.id)).some(({ status }) => status === "failed")
        ? "A part of the payout was not sent. Send it again first, then return the share."
        : "The payout of this booking is in progress. Try again once it has arrived.",
    );
  const untaken = payout.planned_at === null ? 0 : await callOffReversals(tx, payout, { disputeId, max: amount, now });
  const again = amount - untaken;
  if (again > 0) await payAgain(tx, payout, { amount: again, disputeId, charges, now });
  return { artistId: payout.artist_id, untaken, again };
}

/** Cancels planned reversals of this dispute up to `max`. A larger reversal is replaced by one of the rest. Returns the sum. */
async function callOffReversals(
  tx: Tx,
  payout: Payout,
  { disputeId, max, now }: { disputeId: string; max: number; now: Date },
): Promise<number> {
  let left = max;
  for (const transfer of await lockTransfers(tx, payout.id))
    for (const reversal of await lockReversals(tx, transfer.id)) {
      if (left === 0) return max;
      if (!reversal.cause_key.startsWith(`refund:${disputeCause(disputeId)}:`) || reversal.status === "succeeded")
        continue;
      const isUnsent = reversal.status === "requested" && reversal.requested_at === null;
      if (reversal.needs_lookup || !(isUnsent || reversal.status === "failed"))
        throw conflict("The share is being reversed right now. Try again in a few minutes.");
      const part = Math.min(left, reversal.amount);
      await reduceReversal(tx, reversal, part, now);
      left -= part;
    }
  return max - left;
}

type Again = { amount: number; disputeId: string; charges: readonly ChargeLeft[]; now: Date };

/** Increases an unplanned payout. For a sent payout, adds transfers from what each charge still has. What was paid outside the provider took nothing from them. */
async function payAgain(tx: Tx, payout: Payout, { amount, disputeId, charges, now }: Again): Promise<void> {
  const grown = payout.amount + amount;
  if (payout.planned_at === null) return changePayout(tx, payout.id, { amount: grown }, now);
  const transfers = await lockTransfers(tx, payout.id);
  const open = charges.map((charge) => {
    const sent = transfers
      .filter((one) => one.payment_id === charge.paymentId && one.paid_outside_at === null)
      .reduce((sum, one) => sum + one.amount - one.amount_reversed, 0);
    return { ...charge, left: Math.max(0, charge.left - sent) };
  });
  if (amount > totalLeft(open)) throw conflict("The payments of this booking are less than the share.");
  const account = await requireSameOwner(tx, payout, transfers);
  for (const { paymentId, providerPayment, share } of splitOver(amount, open))
    await insertTransfer(tx, { payout, paymentId, providerPayment, amount: share, disputeId, account, now });
  await changePayout(tx, payout.id, { amount: grown, paid_at: null, wait_notified_at: null }, now);
}

/** Returns the account that the share is sent to, or the owner's next one. Throws a conflict (409) if the owner has no account yet, or another owner earned and lost the share. */
async function requireSameOwner(tx: Tx, payout: Payout, transfers: readonly Transfer[]): Promise<string> {
  const { rows } = await sql<{ account: string }>`
    select provider_account as account from artist_connect where artist_id = ${payout.artist_id} and provider_account is not null
    union all select f.provider_account from former_payment_accounts f join artist_connect c on c.user_id = f.user_id
      where c.artist_id = ${payout.artist_id}`.execute(tx);
  const own = new Set(rows.map(({ account }) => account));
  const isOutside = ({ paid_outside_at: at }: Transfer) => at !== null;
  // Imported payouts have no account. It is required only for reversed transfers.
  const isOthers = (one: Transfer) =>
    one.destination === null ? one.amount_reversed > 0 && !isOutside(one) : !own.has(one.destination);
  const payee = await payeeOf(tx, payout.artist_id);
  if (transfers.some((one) => isOutside(one) && one.destination === null && one.earner_id !== payee))
    throw conflict(
      "The payout was paid outside the provider without a payment account, and the artist's profile has another owner since, so the share cannot be returned here. Pay it to the owner who earned the payout.",
    );
  const account = rows[0]?.account;
  if (account === undefined && transfers.every(isOutside))
    throw conflict("The artist has no payment account yet. Return the share once there is one.");
  if (account !== undefined && !transfers.some(isOthers)) return account;
  throw conflict(
    "The payout went to a payment account of another owner, so the share cannot be returned here. Transfer it to that owner in the provider's dashboard.",
  );
}
