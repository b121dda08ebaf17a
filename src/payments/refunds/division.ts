import type { Tx } from "#platform/db/index.ts";
import { releaseHeld } from "./release.ts";
import { takeFromLast } from "#platform/money.rules.ts";
import { planRefund } from "./refunds.ts";
import { lockChargesLeft } from "../stores/refunds.store.ts";

/**
 * Plans the refund and releases the retained part in the cancellation's transaction: once, under the booking's lock. `refund` and `keep` (minor units) are together what the decision covers.
 * A payment that arrives now stays held until its own event. The last payment is refunded first: the terms retain the deposit before the balance, which another payer may have paid. The commission (basis points) applies only to `keep`.
 */
export async function divideHeld(
  tx: Tx,
  division: {
    bookingId: string;
    artistId: string;
    currency: string;
    refund: number;
    keep: number;
    commissionBps: number;
    reason: string;
    now: Date;
    /** When the artist's payout is due. Absent: immediately. */
    dueAt?: Date;
  },
): Promise<void> {
  const { bookingId, reason, now } = division;
  const charges = await lockChargesLeft(tx, bookingId);
  const left = charges.map((charge) => charge.left);
  const atMost = left.reduce((sum, amount) => sum + amount, 0);
  const shares = takeFromLast(Math.min(division.refund, atMost), left);
  for (const [index, { paymentId }] of charges.entries()) {
    const amount = shares[index] ?? 0;
    if (amount > 0)
      await planRefund(tx, { paymentId, amount, reason, causeKey: `cancel:${bookingId}:${paymentId}`, now });
  }
  await releaseHeld(tx, { ...division, at: now });
}
