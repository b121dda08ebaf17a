import type { Tx } from "#platform/db/index.ts";
import { fallbackRole } from "../rules.ts";

/** Inserts a request that an admin decides. A decided one is not opened again. */
export const insertAdminRequest = (tx: Tx, userId: string, now: Date) =>
  tx
    .insertInto("admin_requests")
    .values({ user_id: userId, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();

/** Deletes the open request of a user and, in demo mode, revokes the role that it was granted as. */
export async function deleteAdminRequest(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("admin_requests").where("user_id", "=", userId).where("decided_at", "is", null).execute();
  await tx
    .updateTable("profiles")
    .set({ role: fallbackRole })
    .where("user_id", "=", userId)
    .where("role", "=", "admin")
    .execute();
}

/** Records the decision about the open request of a user. Returns false if there is none. `by` null: the operator decided. */
export async function recordAdminRequestDecision(
  tx: Tx,
  decision: { userId: string; granted: boolean; by: string | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("admin_requests")
    .set({ decided_at: decision.now, decided_by: decision.by, granted: decision.granted })
    .where("user_id", "=", decision.userId)
    .where("decided_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function grantAdminRole(tx: Tx, userId: string): Promise<string | undefined> {
  const profile = await tx
    .updateTable("profiles")
    .set({ role: "admin" })
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  return profile?.name;
}

export async function replaceFirstAdminToken(tx: Tx, token: { hash: Buffer; createdAt: Date; expiresAt: Date }) {
  await tx.deleteFrom("operator_tokens").where("used_at", "is", null).execute();
  await tx
    .insertInto("operator_tokens")
    .values({ hash: token.hash, purpose: "first_admin", created_at: token.createdAt, expires_at: token.expiresAt })
    .execute();
}

export async function consumeFirstAdminToken(tx: Tx, use: { hash: Buffer; userId: string; now: Date }) {
  const { numUpdatedRows } = await tx
    .updateTable("operator_tokens")
    .set({ used_at: use.now, used_by: use.userId })
    .where("hash", "=", use.hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", use.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
