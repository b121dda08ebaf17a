import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import type { PayoutFailed } from "../payouts.rules.ts";
import { ownerOf } from "./accounts.views.ts";

export async function broadcastPayoutChange(tx: Tx, { artist_id: artistId }: { artist_id: string }): Promise<void> {
  const userIds = [await ownerOf(tx, artistId)];
  await broadcastChange(tx, "money", { userIds, admins: true });
  await broadcastChange(tx, "bookings", { userIds, admins: true });
}

/** Publishes that a payout, transfer or reversal was refused. Each attempt is an event of its own. */
export const publishPayoutFailed = (
  tx: Tx,
  what: PayoutFailed["what"],
  row: { booking_id: string; amount: number; currency: string },
  why: Pick<PayoutFailed, "reason" | "owed" | "refused">,
): Promise<void> =>
  publish(tx, "payout.failed", {
    what,
    bookingId: row.booking_id,
    amount: row.amount,
    currency: row.currency,
    ...why,
  } satisfies PayoutFailed);
