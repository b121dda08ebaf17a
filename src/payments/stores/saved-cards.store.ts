import type { Selectable } from "kysely";
import type { NextTry } from "#gateway/attempts.ts";
import type { ProviderCard } from "#gateway/card-gateway.ts";
import { announce, type DB, type Reader, type Tx } from "#platform/db/index.ts";

export type SavedCard = Selectable<DB["saved_cards"]>;

export const insertSavedCard = async (
  tx: Tx,
  { paymentId, bookingId, card, now }: { paymentId: string; bookingId: string; card: ProviderCard; now: Date },
): Promise<boolean> =>
  (await tx
    .insertInto("saved_cards")
    .values({
      method: card.method,
      customer: card.customer,
      booking_id: bookingId,
      payment_id: paymentId,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      saved_at: now,
    })
    .onConflict((on) => on.doNothing())
    .returning("method")
    .executeTakeFirst()) !== undefined;

export const savedCardOf = (reader: Reader, bookingId: string): Promise<SavedCard | undefined> =>
  reader
    .selectFrom("saved_cards")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .where("removal_requested_at", "is", null)
    .executeTakeFirst();

export const requestCardRemoval = (tx: Tx, bookingId: string, now: Date) => {
  announce(tx, "card_removals");
  return tx
    .updateTable("saved_cards")
    .set({ removal_requested_at: now, next_try_at: now })
    .where("booking_id", "=", bookingId)
    .where("removal_requested_at", "is", null)
    .execute();
};

export async function claimRemoval(tx: Tx, now: Date, nextTry: NextTry) {
  const row = await tx
    .selectFrom("saved_cards")
    .select(["method", "booking_id", "attempts"])
    .where("removal_requested_at", "is not", null)
    .where("removed_at", "is", null)
    .where("next_try_at", "<=", now)
    .orderBy("next_try_at")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return undefined;
  const attempts = row.attempts + 1;
  await tx
    .updateTable("saved_cards")
    .set({ attempts, next_try_at: nextTry(attempts) })
    .where("method", "=", row.method)
    .execute();
  return row;
}

export const recordCardRemoval = (tx: Tx, method: string, outcome: { removedAt: Date } | { error: string }) =>
  tx
    .updateTable("saved_cards")
    .set("removedAt" in outcome ? { removed_at: outcome.removedAt, last_error: null } : { last_error: outcome.error })
    .where("method", "=", method)
    .execute();

export const findSavedCard = (reader: Reader, method: string): Promise<SavedCard | undefined> =>
  reader.selectFrom("saved_cards").selectAll().where("method", "=", method).executeTakeFirst();
