/** The account's own view and its changes: name and data, password, e-mail, phone. */
import { z } from "zod";
import { json, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { sendEmailChangeNew, sendEmailChangeOld } from "../emails.ts";
import { hashPassword, passwordMatches } from "../providers/local/passwords.ts";
import { cleanName, lifetimes, passwordLength } from "../rules.ts";
import { endSessions } from "../sessions/sessions.store.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import { requireRecentCaller } from "../authentication/reauthentication.ts";
import { type UserRow, changeUser, lockUser, changeProfile } from "../store.ts";
import { issueCode, revokeCodes } from "../verification/one-time-codes.store.ts";
import { type AuthCall, readBody, requireCaller, requireEmail, requirePhone, requireStrongCaller } from "./call.ts";
import { countMessage, countPhoneChange, countSms } from "../verification/attempt-limits.ts";
import { mergeMetadata } from "./metadata.ts";
import { cancelPhoneChange, removePhone, startPhoneChange } from "./phone.ts";
import { presentUser } from "./present.ts";
import { requirePassword } from "./signup.ts";
import { withMinimumResponseTime } from "./minimum-response-time.ts";

/** GET /user */
export async function readUser(call: AuthCall) {
  const { userId } = await requireCaller(call);
  return presentUser(call.services.database.db, userId);
}

const shape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  nonce: z.string().max(20).nullish(),
  current_password: z.string().max(passwordLength.max).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});
const metadataShape = z.record(z.string(), z.unknown()).catch({});

/** Milliseconds whose multiples a change of address takes: one that somebody has already is sent no email. */
const minimumResponseMs = 200;

/**
 * PUT /user: all of the changes, or none. The own address or number takes back a change that waits; `phone: ""` removes the number.
 * Another password, address or number needs recent authentication: one of the last five minutes, or `current_password`, or as `nonce`
 * the code of GET /reauthenticate. Either of the two, sent alone, counts for the next five minutes.
 */
export async function updateUser(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const body = readBody(call, shape);
  const email = body.email ? requireEmail(body.email) : undefined;
  const phone = body.phone ? requirePhone(body.phone) : body.phone === "" ? null : undefined;
  const movesPhone = phone !== undefined && phone !== caller.phone;
  const movesEmail = email !== undefined && email !== caller.email.toLowerCase();
  const newPasswordText = body.password ?? undefined;
  if (newPasswordText !== undefined) await requirePassword(newPasswordText, [caller.email, caller.name]);
  const proof = { password: body.current_password ?? undefined, code: body.nonce ?? undefined };
  if (
    newPasswordText !== undefined ||
    movesPhone ||
    movesEmail ||
    proof.password !== undefined ||
    proof.code !== undefined
  )
    await requireRecentCaller(call.services, caller, call.device.ip, proof);
  if (email && movesEmail) await countMessage(call, email);
  if (phone && movesPhone) {
    await countPhoneChange(call, caller.userId);
    await countSms(call, phone);
  }
  const password = newPasswordText === undefined ? undefined : await newPassword(call, caller, newPasswordText);
  const change = () =>
    call.services.database.transaction(async (tx) => {
      const user = await lockUser(tx, caller.userId);
      if (!user) throw new AuthError("user_not_found");
      if (body.data) await changeData(tx, call, user, body.data);
      if (password) await changePassword(tx, call, caller, user, password);
      if (email && email === user.email?.toLowerCase()) await cancelEmailChange(tx, call, user);
      else if (email) await moveEmail(tx, call, user, email, movesEmail);
      if (phone !== undefined) await movePhone(tx, call, caller, user, phone, movesPhone);
    });
  await (email || phone ? withMinimumResponseTime(call.services, minimumResponseMs, change) : change());
  call.services.wake();
  return presentUser(call.services.database.db, caller.userId);
}

/** `proven`: recent authentication was asked for, before the account was locked. It was not when the account changed meanwhile. */
async function moveEmail(tx: Tx, call: AuthCall, user: UserRow, email: string, proven: boolean): Promise<void> {
  if (!proven) throw new AuthError("reauthentication_needed");
  return startEmailChange(tx, call, user, email);
}

/** `proven` as in moveEmail. A number that is removed ends every other session; another one does so once it is confirmed. */
async function movePhone(
  tx: Tx,
  call: AuthCall,
  caller: AuthenticatedSession,
  user: UserRow,
  phone: string | null,
  proven: boolean,
): Promise<void> {
  if (phone === user.phone) return cancelPhoneChange(tx, call, user);
  if (!proven) throw new AuthError("reauthentication_needed");
  if (phone !== null) return startPhoneChange(tx, call, user, phone);
  await removePhone(tx, call, user);
  await endSessions(tx, user.id, "others", caller.sessionId);
}

async function changeData(tx: Tx, call: AuthCall, user: UserRow, data: Record<string, unknown>): Promise<void> {
  const metadata = mergeMetadata(metadataShape.parse(user.user_metadata), data);
  await changeUser(tx, user.id, call.services.clock.now(), { user_metadata: json(metadata) });
  const name = cleanName(data["name"]);
  if (!name) return;
  await changeProfile(tx, user.id, { name });
  await broadcastAccountChange(tx, user.id);
}

type NewPassword = { hash: string; hadHash: string | null };

/** Hashes a new password before anything is locked. */
async function newPassword(call: AuthCall, caller: AuthenticatedSession, password: string): Promise<NewPassword> {
  const { password_hash: hadHash } = await call.services.database.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", caller.userId)
    .executeTakeFirstOrThrow();
  if (hadHash && (await passwordMatches(call.services, hadHash, password))) throw new AuthError("same_password");
  return { hash: await hashPassword(call.services, password), hadHash };
}

/**
 * Every other session ends. What was sent to reset the old password is void, and so are changes of address and number that wait: whoever
 * sets a new password because somebody else is in the account must not have to look for them.
 */
async function changePassword(
  tx: Tx,
  call: AuthCall,
  caller: AuthenticatedSession,
  user: UserRow,
  password: NewPassword,
): Promise<void> {
  if (user.password_hash !== password.hadHash)
    throw new AuthError("same_password", "The password was changed elsewhere a moment ago.");
  const now = call.services.clock.now();
  await changeUser(tx, user.id, now, { password_hash: password.hash, password_changed_at: now });
  await endSessions(tx, user.id, "others", caller.sessionId);
  await revokeCodes(tx, user.id, ["recovery", "magiclink", "sms"]);
  await cancelEmailChange(tx, call, user);
  await cancelPhoneChange(tx, call, user);
  await recordAccountChange(tx, call, user, { kind: "password" });
}

async function cancelEmailChange(tx: Tx, call: AuthCall, user: UserRow): Promise<void> {
  if (!user.new_email) return;
  const none = { new_email: null, email_change_old_ok: false, email_change_new_ok: false };
  await changeUser(tx, user.id, call.services.clock.now(), none);
  await revokeCodes(tx, user.id, ["email_change_old", "email_change_new"]);
}

async function startEmailChange(tx: Tx, call: AuthCall, user: UserRow, email: string): Promise<void> {
  const { services, site } = call;
  // What agrees to another address must not agree to this one.
  if (email !== user.new_email) await revokeCodes(tx, user.id, ["email_change_old", "email_change_new"]);
  await changeUser(tx, user.id, services.clock.now(), {
    new_email: email,
    email_change_old_ok: false,
    email_change_new_ok: false,
  });
  const seconds = lifetimes.emailChangeLink;
  const known = await tx
    .selectFrom("users")
    .select("id")
    .where((where) => where(where.fn<string>("lower", ["email"]), "=", email))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!known)
    await sendEmailChangeNew(
      tx,
      site,
      email,
      await issueCode(tx, services, { userId: user.id, kind: "email_change_new", target: email, seconds }),
    );
  if (user.email && user.email_confirmed_at) {
    await sendEmailChangeOld(
      tx,
      site,
      user.email,
      await issueCode(tx, services, { userId: user.id, kind: "email_change_old", target: user.email, seconds }),
      email,
    );
  }
}
