/** What the accounts notify open browsers of, in the transaction of the cause. */
import type { Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";

/** What a person may do, who they are or where they are signed in has changed: their streams are asked about again. */
export const broadcastAccessChange = (tx: Tx, userId: string): Promise<void> =>
  broadcastChange(tx, "access", { userIds: [userId] });

/** The same, and it shows in the admins' list of people or of those who ask to be one. */
export async function broadcastAccountChange(tx: Tx, userId: string): Promise<void> {
  await broadcastAccessChange(tx, userId);
  await broadcastChange(tx, "people", { admins: true });
}

/** The admins' list of claims, and the lists of those who claimed, show something else now. */
export const broadcastProfileClaimsChange = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  broadcastChange(tx, "claims", { userIds, admins: true });
