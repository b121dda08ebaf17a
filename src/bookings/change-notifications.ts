import type { Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { partiesOf } from "./parties.views.ts";

export async function broadcastBookingChange(tx: Tx, bookingId: string): Promise<void> {
  const parties = await partiesOf(tx, bookingId);
  if (parties) await broadcastToParties(tx, parties);
}

export const broadcastToParties = (tx: Tx, parties: { artist: string | null; promoter: string | null }) =>
  broadcastChange(tx, "bookings", { userIds: [parties.artist, parties.promoter], admins: true });

export const broadcastToOwner = (tx: Tx, userId: string): Promise<void> =>
  broadcastChange(tx, "bookings", { userIds: [userId], admins: true });
