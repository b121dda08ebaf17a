import type { Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";

/** Notifies a user's streams that permissions, data or sessions have changed. They authenticate again. */
export const broadcastAccessChange = (tx: Tx, userId: string): Promise<void> =>
  broadcastChange(tx, "access", { userIds: [userId] });

export async function broadcastAccountChange(tx: Tx, userId: string): Promise<void> {
  await broadcastAccessChange(tx, userId);
  await broadcastChange(tx, "people", { admins: true });
}

export const broadcastProfileClaimsChange = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  broadcastChange(tx, "claims", { userIds, admins: true });
