import type { Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import type { AccessChanged, EmailVerified } from "./rules.ts";

export const broadcastAccessChange = (tx: Tx, userId: string): Promise<void> =>
  broadcastChange(tx, "access", { userIds: [userId] });

export async function broadcastAccountChange(tx: Tx, userId: string): Promise<void> {
  await broadcastAccessChange(tx, userId);
  await broadcastChange(tx, "users", { admins: true });
}

export async function announceAccessChange(tx: Tx, userId: string, cause: AccessChanged["cause"]): Promise<void> {
  await broadcastAccountChange(tx, userId);
  await publish(tx, "user.access_changed", { userId, cause } satisfies AccessChanged);
}

export async function announceVerifiedEmail(tx: Tx, userId: string, email: string, former?: string): Promise<void> {
  await broadcastAccountChange(tx, userId);
  await publish(tx, "user.email_verified", { userId, email, ...(former && { former }) } satisfies EmailVerified);
}

export const broadcastProfileClaimsChange = (tx: Tx, userIds: readonly string[]): Promise<void> =>
  broadcastChange(tx, "claims", { userIds, admins: true });
