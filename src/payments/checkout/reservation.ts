/** Reserves the payment of one amount for one booking in the caller's transaction, before any provider is asked. */
import { sql } from "kysely";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { isAmount } from "../money.rules.ts";
import { isCurrency, type PaymentKind } from "../rules.ts";
import { databaseTime, lockLive, type Payment } from "../store.ts";

export type Reservation = {
  bookingId: string;
  kind: PaymentKind;
  /** Minor units, from the booking's snapshot. */
  amount: number;
  currency: string;
  /** What the payer reads on the provider's page, such as "Deposit for Electric Dreams". */
  title: string;
  /** One more line, such as the date and the place. */
  description?: string;
  /** An absolute address of a picture. */
  imageUrl?: string | null;
  payerEmail?: string | null;
  /** Whom the provider's page and its records name as the payer. */
  payerName?: string | null;
  now?: Date;
};

/**
 * Reserves the payment of one amount, or answers the live one. The database allows one per booking and kind.
 * Refuses what was paid already, and amounts and currencies that no provider takes.
 */
export async function reservePayment(tx: Tx, want: Reservation): Promise<Payment> {
  if (!isAmount(want.amount) || want.amount === 0)
    throw new Problem("invalid", "There is nothing to pay for this booking.");
  if (!isCurrency(want.currency))
    throw new Problem("invalid", `Payments in ${want.currency.toUpperCase()} are not taken here.`);
  const now = want.now ?? (await databaseTime(tx));
  await tx
    .insertInto("payments")
    .values({
      booking_id: want.bookingId,
      kind: want.kind,
      amount: want.amount,
      currency: want.currency,
      title: want.title,
      description: want.description ?? "",
      image_url: want.imageUrl ?? null,
      payer_email: want.payerEmail ?? null,
      payer_name: want.payerName ?? null,
      provider: "stripe",
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) =>
      on
        .columns(["booking_id", "kind"])
        .where(sql<boolean>`checkout_state in ('reserved','open','paid')`)
        .doNothing(),
    )
    .execute();
  const live = await lockLive(tx, want.bookingId, want.kind);
  if (!live) throw new Problem("conflict", "Another payment for this booking has just ended. Please try again.");
  if (live.checkout_state === "paid") throw new Problem("conflict", `The ${want.kind} is already paid.`);
  if (live.amount !== want.amount || live.currency !== want.currency) {
    throw new Problem("conflict", "A payment page with other terms is still open. Please try again in a few minutes.");
  }
  return live;
}
