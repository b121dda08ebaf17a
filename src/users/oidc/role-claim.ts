import { recordActivity } from "#activity/index.ts";
import { Problem } from "#platform/errors.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { changeRole } from "../directory/admin-commands.ts";
import { notifyAdmins } from "../roles/admin-requests.ts";
import { fallbackRole } from "../rules.ts";
import { changeIdentity, lockIdentity } from "../identities/identities.store.ts";
import type { ProvenIdentity } from "./provider.ts";

/** Changes the role only when the claim appears or disappears: an admin's decision in between stays. Notifies admins if the last one stays. */
export async function applyRoleClaim(
  tx: Tx,
  services: PlatformServices,
  userId: string,
  proven: ProvenIdentity,
  label: string,
): Promise<void> {
  const identity = await lockIdentity(tx, proven);
  if (!identity || proven.isAdmin === null || proven.isAdmin === identity.admin_claimed) return;
  const { role } = await tx
    .selectFrom("profiles")
    .select("role")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const command = { services, actor: { userId: null, name: `The role claim of ${label}`, email: null }, userId };
  if (proven.isAdmin) {
    if (role !== "admin") await changeRole(tx, { ...command, role: "admin" });
    const roleBefore = role === "admin" ? null : role === "artist" ? "artist" : "promoter";
    await changeIdentity(tx, proven, { admin_claimed: true, role_before: roleBefore });
    return;
  }
  try {
    const before = identity.role_before === "artist" ? "artist" : fallbackRole;
    if (role === "admin" && identity.role_before) await changeRole(tx, { ...command, role: before });
  } catch (error) {
    if (!(error instanceof Problem && error.kind === "conflict")) throw error;
    const message = `${label} no longer names this account an admin, but it is the last admin and stays one. Make another user an admin.`;
    await recordActivity(tx, { type: "system", refId: userId, message });
    await notifyAdmins(tx, services, `role claim ${userId}`, message, true);
    return;
  }
  await changeIdentity(tx, proven, { admin_claimed: false, role_before: null });
}
