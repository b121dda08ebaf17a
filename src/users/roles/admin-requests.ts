/** Requests to become an admin, made at sign-up. Outside demo mode an admin decides, who is notified once the mailbox is verified. */

import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { sendRequestWaits } from "../emails.ts";
import { activeAdmins } from "./active-admins.ts";

export async function notifyAdminsOfRequest(tx: Tx, services: PlatformServices, userId: string): Promise<void> {
  const requester = await tx
    .selectFrom("admin_requests")
    .innerJoin("profiles", "profiles.user_id", "admin_requests.user_id")
    .select(["profiles.name", "profiles.email"])
    .where("admin_requests.user_id", "=", userId)
    .where("decided_at", "is", null)
    .executeTakeFirst();
  if (!requester) return;
  await notifyAdmins(
    tx,
    services,
    `admin-request ${userId}`,
    `${requester.name} (${requester.email}) requests to become an admin.`,
  );
}

/** Emails every admin about a request, or (`aboutAccount`) about an account that only an admin can correct. */
export async function notifyAdmins(
  tx: Tx,
  { config, realClock }: PlatformServices,
  key: string,
  message: string,
  aboutAccount = false,
): Promise<void> {
  for (const { id, email } of await activeAdmins(tx, realClock.now()))
    await sendRequestWaits(tx, config.publicUrl, { to: email, message, aboutAccount, dedupeKey: `${key} to ${id}` });
}
