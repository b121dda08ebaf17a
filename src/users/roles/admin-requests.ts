/** The wish to be an admin, from a sign-up: outside demo mode it waits for an admin, who hears of it once the mailbox is proven. */
import { activeAdmins } from "./active-admins.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services.ts";
import { sendRequestWaits } from "../emails.ts";
import { fallbackRole } from "../rules.ts";

/** The wish to be an admin waits for one; a wish that was decided before is not opened again. */
export const requestAdmin = (tx: Tx, userId: string, now: Date) =>
  tx
    .insertInto("admin_requests")
    .values({ user_id: userId, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();

/**
 * Forgets what a stranger may have wished on somebody's address: the open request and, in demo mode, the role itself. Name and the
 * other roles stay, because they open nothing of anybody else's.
 */
export async function withdrawAdminRequest(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("admin_requests").where("user_id", "=", userId).where("decided_at", "is", null).execute();
  await tx
    .updateTable("profiles")
    .set({ role: fallbackRole })
    .where("user_id", "=", userId)
    .where("role", "=", "admin")
    .execute();
}

/** Tells the admins of the open request of a person whose mailbox has just been proven. */
export async function notifyAdminsOfRequest(tx: Tx, services: PlatformServices, userId: string): Promise<void> {
  const asking = await tx
    .selectFrom("admin_requests")
    .innerJoin("profiles", "profiles.user_id", "admin_requests.user_id")
    .select(["profiles.name", "profiles.email"])
    .where("admin_requests.user_id", "=", userId)
    .where("decided_at", "is", null)
    .executeTakeFirst();
  if (!asking) return;
  await notifyAdmins(
    tx,
    services,
    `admin-request ${userId}`,
    `${asking.name} (${asking.email}) asks to become an admin.`,
  );
}

/** One letter to each admin who can sign in, once per key. */
export async function notifyAdmins(tx: Tx, services: PlatformServices, key: string, sentence: string): Promise<void> {
  for (const { id, email } of await activeAdmins(tx, services.clock.now()))
    await sendRequestWaits(tx, services.config.publicUrl, { to: email, sentence, dedupeKey: `${key} to ${id}` });
}
