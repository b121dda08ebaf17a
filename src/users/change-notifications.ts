/** What this room tells open browsers, in the transaction of the cause. */
import type { Tx } from "#platform/db/index.ts";
import { signal } from "#realtime/index.ts";

/** What a person may do, who they are or where they are signed in has changed: their streams are asked about again. */
export const signalAccess = (tx: Tx, userId: string): Promise<void> => signal(tx, "access", { userIds: [userId] });

/** The same, and it shows in the admins' list of people or of those who ask to be one. */
export async function signalPerson(tx: Tx, userId: string): Promise<void> {
  await signalAccess(tx, userId);
  await signal(tx, "people", { admins: true });
}

/** The admins' list of claims, and the lists of those who claimed, show something else now. */
export const signalClaims = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  signal(tx, "claims", { userIds, admins: true });
