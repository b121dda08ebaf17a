import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { disputeCause, type PayoutReversed } from "../payouts.rules.ts";
import type { Payout } from "../payouts.store.ts";
import type { Reversal } from "./reversals.store.ts";

/** Publishes that an amount was reversed, by this reversal or instead of it. */
export const publishReversed = (
  tx: Tx,
  { booking_id: bookingId, currency }: Payout,
  { id: reversalId, cause_key }: Reversal,
  reversed: Pick<PayoutReversed, "amount" | "planned" | "paidOutside">,
): Promise<void> =>
  publish(tx, "payout.reversed", {
    reversalId,
    bookingId,
    currency,
    ...reversed,
    cause: causeOf(cause_key),
  } satisfies PayoutReversed);

export const causeOf = (cause: string): "refund" | "dispute" =>
  cause.startsWith(`refund:${disputeCause("")}`) ? "dispute" : "refund";
