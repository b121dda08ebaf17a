/** Opens a session for a provider's account, with its role. The account is found by issuer and subject, and by a verified address only the first time. */

import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { announceVerifiedEmail } from "../change-notifications.ts";
import { changeRole } from "../directory/admin-commands.ts";
import { changeIdentity, findUserOfIdentity, insertIdentity, lockIdentity } from "../identities/identities.store.ts";
import type { AccountContext } from "../local-accounts/context.ts";
import { replaceSession } from "../local-accounts/replace-session.ts";
import { lockAdmins } from "../roles/active-admins.ts";
import { notifyAdmins } from "../roles/admin-requests.ts";
import { deleteAdminRequest } from "../roles/roles.store.ts";
import { cleanName, fallbackRole, normalizeEmail } from "../rules.ts";
import { endSessions, type OpenSession } from "../sessions/sessions.store.ts";
import { changeUser, insertAccount, isSuspended, lockUser, lockUserByEmail, retryOnDuplicate } from "../store.ts";
import { codeKinds, revokeCodes } from "../verification/one-time-codes.store.ts";
import { OidcFailure, type ProvenIdentity } from "./provider.ts";

/** Returns a session of the first level: a second factor is still required. Throws OidcFailure and changes nothing. */
export async function signInWithIdentity(context: AccountContext, proven: ProvenIdentity, label: string) {
  try {
    return await retryOnDuplicate(context.services, (tx) => open(tx, context, proven, label));
  } finally {
    context.services.wake();
  }
}

async function open(tx: Tx, context: AccountContext, proven: ProvenIdentity, label: string): Promise<OpenSession> {
  const { services } = context;
  const now = services.realClock.now();
  if (proven.isAdmin !== null) await lockAdmins(tx);
  // Locks the user before the identity, as undoing a connection does.
  const userId = await findUserOfIdentity(tx, proven);
  const user = userId ? await lockUser(tx, userId) : await connect(tx, context, proven, label);
  if ((await lockIdentity(tx, proven))?.refused_at) throw new OidcFailure("disconnected");
  if (!user) throw new OidcFailure("disconnected");
  if (isSuspended(user, now)) throw new OidcFailure("suspended");
  await changeIdentity(tx, proven, { last_used_at: now });
  await applyRoleClaim(tx, services, user.id, proven, label);
  return replaceSession(tx, context, user.id, "oidc");
}

async function connect(tx: Tx, context: AccountContext, proven: ProvenIdentity, label: string) {
  if (!proven.verifiedEmail) throw new OidcFailure("unverified");
  const email = normalizeEmail(proven.verifiedEmail);
  if (!email) throw new OidcFailure("unusable_email");
  const now = context.services.realClock.now();
  const known = await lockUserByEmail(tx, email);
  if (!known) {
    const name = cleanName(proven.name) ?? email;
    const account = { email, name, passwordHash: null, confirmed: true, createdAt: now };
    const userId = await insertAccount(tx, { ...account, role: fallbackRole });
    await insertIdentity(tx, proven, userId, now);
    await recordActivity(tx, {
      type: "system",
      refId: userId,
      message: `${name} signed up with ${label} as ${fallbackRole}`,
      actorId: userId,
    });
    await announceVerifiedEmail(tx, userId, email);
    return lockUser(tx, userId);
  }
  if (isSuspended(known, now)) throw new OidcFailure("suspended");
  if (!known.email_confirmed_at) {
    // The sign-up with this address is unconfirmed: nothing of it can open the account.
    await changeUser(tx, known.id, now, { email_confirmed_at: now, password_hash: null });
    await endSessions(tx, known.id, "global");
    await revokeCodes(tx, known.id, codeKinds);
    await deleteAdminRequest(tx, known.id);
    await announceVerifiedEmail(tx, known.id, email);
  }
  await insertIdentity(tx, proven, known.id, now);
  const { issuer, subject } = proven;
  await recordAccountChange(tx, context, known, { kind: "identity_added", issuer, subject, label });
  return lockUser(tx, known.id);
}

/** Changes the role only when the claim appears or disappears: an admin's decision in between stays. Notifies admins if the last one stays, or if the address of a new one is unverified. */
async function applyRoleClaim(
  tx: Tx,
  services: PlatformServices,
  userId: string,
  proven: ProvenIdentity,
  label: string,
): Promise<void> {
  const identity = await lockIdentity(tx, proven);
  if (!identity || proven.isAdmin === null || proven.isAdmin === identity.admin_claimed) return;
  const { role, name } = await tx
    .selectFrom("profiles")
    .select(["role", "name"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const command = { services, actor: { userId: null, name: `The role claim of ${label}`, email: null }, userId };
  try {
    if (proven.isAdmin) {
      if (role !== "admin") await changeRole(tx, { ...command, role: "admin" });
      const roleBefore = role === "admin" ? null : role === "artist" ? "artist" : "promoter";
      await changeIdentity(tx, proven, { admin_claimed: true, role_before: roleBefore });
      return;
    }
    const before = identity.role_before === "artist" ? "artist" : fallbackRole;
    if (role === "admin" && identity.role_before) await changeRole(tx, { ...command, role: before });
  } catch (error) {
    if (!(error instanceof Problem && error.kind === "conflict")) throw error;
    const message = proven.isAdmin
      ? `${label} names ${name} an admin, but the email address of the account is not verified. The account becomes an admin at the first sign-in after an address is verified.`
      : `${label} no longer names this account an admin, but it is the last admin and stays one. Make another user an admin.`;
    await recordActivity(tx, { type: "system", refId: userId, message });
    await notifyAdmins(tx, services, `role claim ${proven.isAdmin ? "refused " : ""}${userId}`, message, true);
    return;
  }
  await changeIdentity(tx, proven, { admin_claimed: false, role_before: null });
}
