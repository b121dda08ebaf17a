import { z } from "zod";
import { recordActivity } from "#activity/index.ts";
import { json, type Tx } from "#platform/db/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import {
  type AuthenticatedSession,
  type ReauthenticationInput,
  requireRecentCaller,
} from "../authentication/authenticated-session.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import { sendEmailChangeNew, sendEmailChangeOld, sendPhoneCode } from "../emails.ts";
import { passwordMatches } from "../providers/local/passwords.ts";
import { cleanName } from "../rules.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { type UserRow, changeUser, changeProfile, isTaken, requireUser } from "../store.ts";
import { countMessage, countPhoneChange, countSms } from "../verification/attempt-limits.ts";
import { withMinimumResponseTime } from "../verification/minimum-response-time.ts";
import { issueCode, revokeCodes } from "../verification/one-time-codes.store.ts";
import type { AccountContext } from "./context.ts";
import { mergeMetadata } from "./metadata.ts";
import { requirePassword } from "./sign-up.ts";

type AccountUpdate = Readonly<{
  email?: string | undefined;
  phone?: string | null | undefined;
  password?: string | undefined;
  /** Data to merge into the account's metadata. `name` is the profile's. */
  data?: Readonly<Record<string, unknown>> | undefined;
  reauthentication: ReauthenticationInput;
}>;
const metadataShape = z.record(z.string(), z.unknown()).catch({});

/** Milliseconds. A change of address takes a multiple of them, because an address in use gets no email. */
const minimumResponseMs = 200;

/** Makes all of the changes, or none. The own address or number cancels a pending change. Any other, and a password, needs recent authentication. */
export async function changeAccount(
  context: AccountContext,
  caller: AuthenticatedSession,
  { email, phone, password: newPasswordText, data, reauthentication }: AccountUpdate,
): Promise<void> {
  const { services } = context;
  const movesPhone = phone !== undefined && phone !== caller.phone;
  const movesEmail = email !== undefined && email !== caller.email.toLowerCase();
  if (newPasswordText !== undefined) await requirePassword(newPasswordText, [caller.email, caller.name]);
  const isGiven = reauthentication.password !== undefined || reauthentication.code !== undefined;
  if (newPasswordText !== undefined || movesPhone || movesEmail || isGiven)
    await requireRecentCaller(context, caller, reauthentication);
  if (email && movesEmail) await countMessage(context, email);
  const countSent = phone && movesPhone ? await countSms(context, phone, true) : undefined;
  if (countSent) await countPhoneChange(context, caller.userId);
  const password = newPasswordText === undefined ? undefined : await newPassword(context, caller, newPasswordText);
  const change = () =>
    services.database.transaction(async (tx) => {
      const user = await requireUser(tx, caller.userId);
      if (data) await changeData(tx, context, user, data);
      if (password) await changePassword(tx, context, caller, user, password);
      if (email && email === user.email?.toLowerCase()) await cancelEmailChange(tx, context, user);
      else if (email) await startEmailChange(tx, context, user, email, movesEmail);
      if (phone !== undefined) await movePhone(tx, context, caller, user, phone, movesPhone);
    });
  await (email || phone ? withMinimumResponseTime(services, minimumResponseMs, change) : change());
  await countSent?.();
  services.wake();
}

/** `isAuthenticated` as in startEmailChange. Removing the number ends every other session. A new one does so once it is confirmed. */
async function movePhone(
  tx: Tx,
  context: AccountContext,
  caller: AuthenticatedSession,
  user: UserRow,
  phone: string | null,
  isAuthenticated: boolean,
): Promise<void> {
  if (phone === user.phone) return cancelPhoneChange(tx, context, user);
  if (!isAuthenticated) throw new AuthError("reauthentication_needed");
  if (phone !== null) return startPhoneChange(tx, context, user, phone);
  await removePhone(tx, context, user);
  await endSessions(tx, user.id, "others", caller.sessionId);
}

async function changeData(tx: Tx, context: AccountContext, user: UserRow, data: NonNullable<AccountUpdate["data"]>) {
  const metadata = mergeMetadata(metadataShape.parse(user.user_metadata), data);
  await changeUser(tx, user.id, context.services.realClock.now(), { user_metadata: json(metadata) });
  const name = cleanName(data["name"]);
  if (!name) return;
  await changeProfile(tx, user.id, { name });
  await broadcastAccountChange(tx, user.id);
}

type NewPassword = { hash: string; hadHash: string | null };

async function newPassword(context: AccountContext, caller: AuthenticatedSession, password: string) {
  const { password_hash: hadHash } = await context.services.database.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", caller.userId)
    .executeTakeFirstOrThrow();
  if (hadHash && (await passwordMatches(context.services, hadHash, password))) throw new AuthError("same_password");
  return { hash: await context.services.authTiming.hashPassword(password), hadHash };
}

/** Changes the password, ends every other session, voids reset messages and cancels pending changes, because the reason may be an attacker. */
async function changePassword(
  tx: Tx,
  context: AccountContext,
  caller: AuthenticatedSession,
  user: UserRow,
  password: NewPassword,
): Promise<void> {
  if (user.password_hash !== password.hadHash)
    throw new AuthError("same_password", "The password was changed elsewhere a moment ago.");
  const now = context.services.realClock.now();
  await changeUser(tx, user.id, now, { password_hash: password.hash, password_changed_at: now });
  await endSessions(tx, user.id, "others", caller.sessionId);
  await revokeCodes(tx, user.id, ["recovery", "magiclink", "sms"]);
  await cancelEmailChange(tx, context, user);
  await cancelPhoneChange(tx, context, user);
  await recordAccountChange(tx, context, user, { kind: "password" });
}

async function cancelEmailChange(tx: Tx, context: AccountContext, user: UserRow): Promise<void> {
  if (!user.new_email) return;
  const none = { new_email: null, email_change_old_ok: false, email_change_new_ok: false };
  await changeUser(tx, user.id, context.services.realClock.now(), none);
  await revokeCodes(tx, user.id, ["email_change_old", "email_change_new"]);
}

/** `isAuthenticated`: recent authentication was checked before the account was locked. False if the account changed since then. */
async function startEmailChange(
  tx: Tx,
  context: AccountContext,
  user: UserRow,
  email: string,
  isAuthenticated: boolean,
): Promise<void> {
  if (!isAuthenticated) throw new AuthError("reauthentication_needed");
  const { services, site } = context;
  // A code for another address must not confirm this one.
  if (email !== user.new_email) await revokeCodes(tx, user.id, ["email_change_old", "email_change_new"]);
  await changeUser(tx, user.id, services.realClock.now(), {
    new_email: email,
    email_change_old_ok: false,
    email_change_new_ok: false,
  });
  if (!(await isTaken(tx, user.id, "email", email))) {
    const issued = await issueCode(tx, services, { userId: user.id, kind: "email_change_new", target: email });
    await sendEmailChangeNew(tx, site, email, issued);
  }
  if (user.email && user.email_confirmed_at) {
    const issued = await issueCode(tx, services, { userId: user.id, kind: "email_change_old", target: user.email });
    await sendEmailChangeOld(tx, site, user.email, issued, email);
  }
}

type Context = Pick<AccountContext, "services" | "site">;

/** The change needs recent authentication, applies once verified, and can be undone from every address. */
async function startPhoneChange(tx: Tx, context: Context, user: UserRow, phone: string): Promise<void> {
  await changeUser(tx, user.id, context.services.realClock.now(), { new_phone: phone });
  const issued = await issueCode(tx, context.services, { userId: user.id, kind: "phone_change", target: phone });
  await sendPhoneCode(tx, phone, issued);
}

async function cancelPhoneChange(tx: Tx, context: Context, user: UserRow): Promise<void> {
  if (!user.new_phone) return;
  await changeUser(tx, user.id, context.services.realClock.now(), { new_phone: null });
  await revokeCodes(tx, user.id, ["phone_change"]);
}

async function removePhone(tx: Tx, context: Context, user: UserRow): Promise<void> {
  const none = { phone: null, phone_confirmed_at: null, new_phone: null };
  await changeUser(tx, user.id, context.services.realClock.now(), none);
  await finishChange(tx, context, user, null);
}

export async function confirmPhone(tx: Tx, context: Context, user: UserRow, target: string) {
  if (user.new_phone !== target) return new AuthError("otp_expired");
  const now = context.services.realClock.now();
  if (await isTaken(tx, user.id, "phone", target)) {
    await changeUser(tx, user.id, now, { new_phone: null });
    return new AuthError("phone_exists");
  }
  await changeUser(tx, user.id, now, { phone: target, phone_confirmed_at: now, new_phone: null });
  await finishChange(tx, context, user, target);
  return undefined;
}

async function finishChange(tx: Tx, context: Context, before: UserRow, phone: string | null): Promise<void> {
  await revokeCodes(tx, before.id, ["sms", "phone_change"]);
  await recordActivity(tx, {
    type: "system",
    refId: before.id,
    actorId: before.id,
    message: phone ? "A user changed their phone number" : "A user removed their phone number",
  });
  await recordAccountChange(tx, context, before, { kind: "phone" });
}
