import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, notFound, conflict } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { announceAccessChange, broadcastAccountChange } from "../change-notifications.ts";
import { sendAdminNotice, sendAdminRequestRefused, sendRoleChanged, sendSuspended } from "../emails.ts";
import { deleteFactorsOf } from "../mfa/factors.store.ts";
import { deleteRecoveryCodes } from "../mfa/recovery-codes.store.ts";
import { activeAdmins, lockAdmins } from "../roles/active-admins.ts";
import { replaceFirstAdminToken, recordAdminRequestDecision, consumeFirstAdminToken } from "../roles/roles.store.ts";
import { type Role, lifetimes, permanentSuspensionEnd } from "../rules.ts";
import { randomToken, tokenHash } from "../sessions/refresh-tokens.store.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { changeProfile, changeUser, isSuspended, requireUser } from "../store.ts";

type CommandActor = { userId: string | null; name: string; email: string | null };
export type AdminCommand = { services: PlatformServices; actor: CommandActor; userId: string };

async function lockPerson(tx: Tx, userId: string) {
  const person = await tx
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select([
      "profiles.user_id",
      "profiles.name",
      "profiles.email",
      "profiles.role",
      "users.banned_until",
      "users.email_confirmed_at",
    ])
    .where("profiles.user_id", "=", userId)
    .where("users.deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!person) throw notFound("There is no such user.");
  return person;
}

/** Throws a conflict (409) if this user is the only admin who can sign in. Suspended users and unverified mailboxes cannot. */
async function requireAnotherAdmin(tx: Tx, services: PlatformServices, userId: string, message: string) {
  const others = (await activeAdmins(tx, services.realClock.now())).filter(({ id }) => id !== userId);
  if (others.length === 0) throw conflict(message);
}

/** Throws for an unverified mailbox, because a stranger may have signed up with another user's address. */
function requireProvenMailbox(person: { email_confirmed_at: Date | null }): void {
  if (!person.email_confirmed_at) throw conflict("This user has not confirmed their email address yet.");
}

const record = (tx: Tx, { actor, userId }: AdminCommand, message: string, meta?: object): Promise<void> =>
  recordActivity(tx, { type: "system", refId: userId, actorId: actor.userId, message, meta });

async function notifyActor(tx: Tx, { services, actor }: AdminCommand, message: string): Promise<void> {
  if (actor.email) await sendAdminNotice(tx, services.config.publicUrl, actor.email, message);
}

/** Changes a role from the next request on and emails both sides. Throws for the last admin, and if the role is no longer `from`. */
export async function changeRole(tx: Tx, command: AdminCommand & { role: Role; from?: Role | undefined }) {
  const { services, actor, userId, role, from } = command;
  await lockAdmins(tx);
  const person = await lockPerson(tx, userId);
  if (person.role === role) return;
  if (from && person.role !== from)
    throw conflict(`The role of this user is now ${person.role}. Review the change again.`);
  if (role === "admin") requireProvenMailbox(person);
  if (person.role === "admin")
    await requireAnotherAdmin(tx, services, userId, "This is the last admin. Make another user an admin first.");
  await changeProfile(tx, userId, { role });
  if (role === "admin") await recordRequestDecision(tx, command, true);
  await announceAccessChange(tx, userId, "role");
  await record(tx, command, `${actor.name} changed the role of ${person.name} from ${person.role} to ${role}`, {
    from: person.role,
    to: role,
  });
  const site = services.config.publicUrl;
  if (person.email_confirmed_at) await sendRoleChanged(tx, site, person.email, person.name, role);
  if (actor.userId !== userId)
    await notifyActor(
      tx,
      command,
      `You changed the role of ${person.name} (${person.email}) from ${person.role} to ${role}.`,
    );
}

/** Suspends a user and ends every session. Throws for the last admin, for oneself and for a suspended user. */
export async function suspend(tx: Tx, command: AdminCommand & { reason: string }): Promise<void> {
  const { services, actor, userId, reason } = command;
  if (actor.userId === userId) throw conflict("You cannot suspend yourself.");
  await lockAdmins(tx);
  const person = await lockPerson(tx, userId);
  const now = services.realClock.now();
  if (isSuspended(person, now)) throw conflict("This user is already suspended.");
  if (person.role === "admin")
    await requireAnotherAdmin(tx, services, userId, "This is the last admin, who cannot be suspended.");
  await changeUser(tx, userId, now, {
    banned_until: permanentSuspensionEnd,
    suspended_reason: reason,
  });
  await endSessions(tx, userId, "global");
  await announceAccessChange(tx, userId, "suspended");
  await record(tx, command, `${actor.name} suspended ${person.name}`, { reason });
  if (person.email_confirmed_at) await sendSuspended(tx, services.config.publicUrl, person.email, true);
  await notifyActor(tx, command, `You suspended ${person.name} (${person.email}): ${reason}`);
}

/** Signs a user out everywhere, for a lost device or a stolen session. The account stays open (ASVS 7.4.5). */
export async function endUserSessions(tx: Tx, command: AdminCommand & { reason: string }): Promise<void> {
  const { actor, userId, reason } = command;
  if (actor.userId === userId) throw conflict("Sign yourself out on your account page.");
  const person = await lockPerson(tx, userId);
  const ended = await endSessions(tx, userId, "global");
  await record(tx, command, `${actor.name} signed ${person.name} out everywhere`, { reason, ended });
  await notifyActor(tx, command, `You signed ${person.name} (${person.email}) out everywhere: ${reason}`);
}

export async function restore(tx: Tx, command: AdminCommand): Promise<void> {
  const { services, actor, userId } = command;
  const person = await lockPerson(tx, userId);
  if (!person.banned_until) return;
  await changeUser(tx, userId, services.realClock.now(), { banned_until: null, suspended_reason: null });
  await announceAccessChange(tx, userId, "restored");
  await record(tx, command, `${actor.name} restored ${person.name}`);
  if (person.email_confirmed_at) await sendSuspended(tx, services.config.publicUrl, person.email, false);
  await notifyActor(tx, command, `You ended the suspension of ${person.name} (${person.email}).`);
}

export async function resetSecondFactor(tx: Tx, command: AdminCommand & { reason: string }): Promise<void> {
  const { services, actor, userId, reason } = command;
  if (actor.userId === userId) throw conflict("Remove your own second factor on your account page.");
  const person = await lockPerson(tx, userId);
  const before = await requireUser(tx, userId);
  const factors = await deleteFactorsOf(tx, userId);
  if (factors.length === 0) throw conflict("This user has no second factor.");
  await deleteRecoveryCodes(tx, userId);
  await endSessions(tx, userId, "global");
  await broadcastAccountChange(tx, userId);
  await record(tx, command, `${actor.name} removed the second factor of ${person.name}`, { reason });
  const site = services.config.publicUrl;
  const verified = factors.filter(({ status }) => status === "verified");
  if (verified.length > 0)
    await recordAccountChange(tx, { services, site }, before, {
      kind: "factor_removed",
      isLast: true,
      byAdmin: true,
      factors: verified,
    });
  await notifyActor(tx, command, `You removed the second factor of ${person.name} (${person.email}): ${reason}`);
}

const recordRequestDecision = (tx: Tx, { services, actor, userId }: AdminCommand, granted: boolean) =>
  recordAdminRequestDecision(tx, { userId, granted, by: actor.userId, now: services.realClock.now() });

/** Decides a request to become an admin. Throws if it is granted to an unverified mailbox. */
export async function decideRequest(tx: Tx, command: AdminCommand & { granted: boolean }): Promise<void> {
  const { services, actor, userId, granted } = command;
  // Locks the admins before the user, as everywhere, to prevent a deadlock of two admins.
  await lockAdmins(tx);
  const person = await lockPerson(tx, userId);
  if (granted) requireProvenMailbox(person);
  if (!(await recordRequestDecision(tx, command, granted)))
    throw notFound("There is no such request, or it was already decided.");
  // A grant to a user who is already an admin changes no role, but the list of requests.
  await broadcastAccountChange(tx, userId);
  if (granted) return changeRole(tx, { services, actor, userId, role: "admin" });
  await record(tx, command, `${actor.name} refused to make ${person.name} an admin`);
  const site = services.config.publicUrl;
  if (person.email_confirmed_at) await sendAdminRequestRefused(tx, site, person.email, person.name);
  await notifyActor(tx, command, `You refused to make ${person.name} (${person.email}) an admin.`);
}

/** Makes the operator's token that makes one signed-in user the first admin. It is valid for an hour, once, and voids an older one. */
export async function makeFirstAdminToken(tx: Tx, services: PlatformServices): Promise<string> {
  const now = services.realClock.now();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + lifetimes.operatorToken * 1000);
  await replaceFirstAdminToken(tx, { hash: tokenHash(token), createdAt: now, expiresAt });
  return token;
}

export async function becomeFirstAdmin(
  tx: Tx,
  services: PlatformServices,
  person: { userId: string; name: string },
  token: string,
): Promise<void> {
  const now = services.realClock.now();
  if (!(await consumeFirstAdminToken(tx, { hash: tokenHash(token), userId: person.userId, now })))
    throw new Problem(
      "forbidden",
      "This token is wrong, used or older than an hour. Create a new one on the command line.",
      { code: "operator_token_invalid" },
    );
  await changeRole(tx, {
    services,
    actor: { userId: null, name: "The operator CLI", email: null },
    userId: person.userId,
    role: "admin",
  });
}
