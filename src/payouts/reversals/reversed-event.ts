import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { earnerOf } from "../accounts/accounts.views.ts";
import { disputeCause, type PayoutReversed } from "../payouts.rules.ts";
import type { Payout, Transfer } from "../payouts.store.ts";
import type { Reversal } from "./reversals.store.ts";

/** Publishes that an amount was reversed, by this reversal or instead of it. */
export const publishReversed = async (
  tx: Tx,
  { booking_id: bookingId, artist_id: artistId, currency }: Payout,
  { reversal: { id: reversalId, cause_key }, transfer }: Readonly<{ reversal: Reversal; transfer: Transfer }>,
  reversed: Pick<PayoutReversed, "amount" | "planned" | "paidOutside">,
): Promise<void> =>
  publish(tx, "payout.reversed", {
    reversalId,
    bookingId,
    currency,
    ...reversed,
    cause: causeOf(cause_key),
    earnerId: await earnerOf(tx, artistId, transfer),
  } satisfies PayoutReversed);

export const causeOf = (cause: string): "refund" | "dispute" =>
  cause.startsWith(`refund:${disputeCause("")}`) ? "dispute" : "refund";
