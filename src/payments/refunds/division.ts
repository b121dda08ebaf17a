import type { Tx } from "#platform/db/index.ts";
import { splitOver, takeFromLast, totalLeft } from "#platform/money.rules.ts";
import { lockChargesLeft } from "../stores/refunds.store.ts";
import { planRefund } from "./refunds.ts";
import { releaseHeld } from "./release.ts";

/** Divides held money once, under the booking's lock, into `refund` and `keep` (minor units), of which the commission (basis points) is taken. The last payment is refunded first: the terms retain the deposit first, and another payer may have paid the balance. A payment that arrives now stays held until its own event. */
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
  const atMost = Math.min(division.refund, totalLeft(charges));
  for (const { paymentId, share } of splitOver(atMost, charges, takeFromLast))
    await planRefund(tx, { paymentId, amount: share, reason, causeKey: `cancel:${bookingId}:${paymentId}`, now });
  await releaseHeld(tx, { ...division, at: now });
}
