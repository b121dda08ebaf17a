import type { Selectable } from "kysely";
import { claimedFields, claimKey, type NextTry } from "#gateway/attempts.ts";
import { announce, type DB, firstRowOf, type Tx, updateById } from "#platform/db/index.ts";
import { convertPart } from "#platform/money.rules.ts";
import { madeFields, type Transfer } from "../payouts.store.ts";

export type Reversal = Selectable<DB["transfer_reversals"]>;

type NewReversal = Pick<Reversal, "transfer_id" | "amount" | "currency" | "reason" | "cause_key"> &
  Partial<Pick<Reversal, "status" | "last_error">>;

export const insertReversal = (tx: Tx, reversal: NewReversal, now: Date) => {
  announce(tx, "reversals");
  return tx
    .insertInto("transfer_reversals")
    .values({ ...reversal, next_try_at: now, created_at: now, updated_at: now })
    .onConflict((on) => on.column("cause_key").doNothing())
    .execute();
};

export const lockReversals = (tx: Tx, transferId: string): Promise<Reversal[]> =>
  tx
    .selectFrom("transfer_reversals")
    .selectAll()
    .where("transfer_id", "=", transferId)
    .orderBy("created_at")
    .orderBy("id")
    .forUpdate()
    .execute();

/** Removes a reversal that was not made. One of the rest replaces it if it is larger than `by`. */
export async function reduceReversal(tx: Tx, reversal: Reversal, by: number, now: Date): Promise<void> {
  const { id, transfer_id, currency, reason, cause_key, last_error } = reversal;
  const status = reversal.status === "failed" ? "failed" : "requested";
  const rest = { transfer_id, amount: reversal.amount - by, currency, reason, cause_key, status, last_error } as const;
  await tx.deleteFrom("transfer_reversals").where("id", "=", id).execute();
  if (rest.amount > 0) await insertReversal(tx, rest, now);
}

/** Reduces a transfer that was not made, or removes it if nothing is left of it. */
export async function reduceTransfer(tx: Tx, { id, amount: whole, settled_amount: settled }: Transfer, by: number) {
  const amount = whole - by;
  if (amount === 0) return tx.deleteFrom("transfers").where("id", "=", id).execute();
  const settled_amount = settled === null ? null : Math.max(1, convertPart(amount, whole, settled));
  return updateById(tx, "transfers", id, { amount, settled_amount });
}

export const writeReversalMade = (tx: Tx, id: string, made: Parameters<typeof madeFields>[0], now: Date) =>
  updateById(tx, "transfer_reversals", id, madeFields(made, now));

export type ClaimedReversal = Reversal & {
  transfer_ref: string;
  destination: string | null;
  earner_id: string | null;
  booking_id: string;
  payout_id: string;
  /** The amount to reverse, in minor units of the provider account's currency. */
  settled_amount: number;
  key: string;
};

/** Claims one due reversal whose transfer was made, with the transfer, because each converts what the others left of it. Its next attempt is scheduled first. */
export async function claimReversal(tx: Tx, now: Date, nextTry: NextTry): Promise<ClaimedReversal | undefined> {
  const row = await firstRowOf<Omit<ClaimedReversal, "settled_amount" | "key"> & { settled_amount: number | null }>(tx)`
    select r.*, t.provider_ref as transfer_ref, t.payout_id, t.destination, t.earner_id, p.booking_id
    from transfer_reversals r join transfers t on t.id = r.transfer_id join payouts p on p.id = t.payout_id
    where r.status in ('requested', 'submitted') and r.next_try_at <= ${now} and t.provider_ref is not null
    order by r.next_try_at, r.id limit 1 for update of r, t skip locked`;
  if (!row) return undefined;
  const transfer = await tx
    .selectFrom("transfers")
    .selectAll()
    .where("id", "=", row.transfer_id)
    .executeTakeFirstOrThrow();
  const all = await tx.selectFrom("transfer_reversals").selectAll().where("transfer_id", "=", transfer.id).execute();
  const settled = { settled_amount: convertedPart(transfer, all, row), settled_currency: transfer.settled_currency };
  const claimed = claimedFields(row, now, nextTry);
  await updateById(tx, "transfer_reversals", row.id, { ...claimed, ...settled, status: "submitted" });
  return { ...row, ...settled, key: claimKey(row, claimed) };
}

/** Returns what a reversal takes, in minor units of the transfer's currency. `all`: every reversal of the transfer. */
export function convertedPart(
  transfer: ConvertedRow & { currency: string; settled_currency: string | null },
  all: readonly ConvertedRow[],
  reversal: ConvertedRow,
): number {
  if (reversal.settled_amount !== null) return reversal.settled_amount;
  const { settled_amount: sent, settled_currency: currency } = transfer;
  if (sent === null || currency === transfer.currency) return reversal.amount;
  const earlier = all.filter((one) => one.settled_amount !== null);
  const before = earlier.reduce((sum, { amount }) => sum + amount, 0);
  const reversed = earlier.reduce((sum, { settled_amount: amount }) => sum + (amount ?? 0), 0);
  return Math.max(1, convertPart(before + reversal.amount, transfer.amount, sent) - reversed);
}
type ConvertedRow = { amount: number; settled_amount: number | null };
