import { timingSafeEqual } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import { announceVerifiedEmail } from "../change-notifications.ts";
import { deleteAdminRequest } from "../roles/roles.store.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { type OpenSession, type AmrMethod, endSessions } from "../sessions/sessions.store.ts";
import {
  type UserRow,
  changeUser,
  isSuspended,
  isTaken,
  lockUser,
  changeProfile,
  recordFormerEmail,
  retryOnDuplicate,
} from "../store.ts";
import { countCode } from "../verification/attempt-limits.ts";
import { failWithMinimumResponseTime } from "../verification/minimum-response-time.ts";
import {
  type CodeKind,
  type OneTimeToken,
  consumeCode,
  consumeLinkToken,
  revokeCodes,
} from "../verification/one-time-codes.store.ts";
import { confirmPhone } from "./change-account.ts";
import type { AccountContext } from "./context.ts";
import { replaceSession } from "./replace-session.ts";

export const verificationKinds = {
  signup: ["signup"],
  email: ["magiclink", "signup"],
  magiclink: ["magiclink"],
  recovery: ["recovery"],
  email_change: ["email_change_new", "email_change_old"],
  sms: ["sms"],
  phone_change: ["phone_change"],
} as const satisfies Record<string, readonly CodeKind[]>;
export type VerificationType = keyof typeof verificationKinds;

type VerificationInput = Readonly<
  { type: VerificationType; signupNonce: string | undefined } & (
    | { linkToken: string }
    | { code: string; target: string }
  )
>;

type Verified = { session: OpenSession } | { half: true };

/** `typed`: a code was entered, not a link opened. */
type Context = AccountContext & Readonly<{ signupNonce: string | undefined; typed: boolean }>;

/** Milliseconds. An error response takes a multiple of them, because a wrong code costs a write only if one is pending. */
const minimumResponseMs = 100;

/** Consumes a token or code: opens a session, or records the first half of a change of address. Entered codes are counted. */
export async function verify(accountContext: AccountContext, input: VerificationInput): Promise<Verified> {
  const { services } = accountContext;
  const kinds = verificationKinds[input.type];
  const typed = "code" in input;
  const context = { ...accountContext, signupNonce: input.signupNonce, typed };
  const attempt = typed ? await countCode(context, input.target) : undefined;
  const verified = await failWithMinimumResponseTime(services, minimumResponseMs, async () => {
    const found = await retryOnDuplicate(services, async (tx): Promise<Verified | AuthError> => {
      const token = typed
        ? await consumeCode(tx, services, { kinds, target: input.target, code: input.code })
        : await consumeLinkToken(tx, services, kinds, input.linkToken);
      return token ? accept(tx, context, token) : new AuthError("otp_expired");
    });
    if (found instanceof AuthError) throw found;
    return found;
  });
  await attempt?.succeeded();
  services.wake();
  return verified;
}

const methods = { signup: "email/signup", magiclink: "magiclink", recovery: "recovery" } as const;

/** Applies a consumed token. Failures are returned, not thrown, because the token stays consumed. */
async function accept(tx: Tx, context: Context, token: OneTimeToken): Promise<Verified | AuthError> {
  const user = await lockUser(tx, token.userId);
  if (!user) return new AuthError("otp_expired");
  if (isSuspended(user, context.services.realClock.now())) return new AuthError("user_banned");
  switch (token.kind) {
    case "email_change_old":
    case "email_change_new":
      return changeEmail(tx, context, user, token);
    case "phone_change":
      return changePhone(tx, context, user, token);
    case "reauthentication":
      return new AuthError("otp_expired");
    case "sms":
      return user.phone === token.target
        ? { session: await replaceSession(tx, context, user.id, "otp") }
        : new AuthError("otp_expired");
    default:
      return verifyMailbox(tx, context, user, token, methods[token.kind]);
  }
}

/** Verifies the mailbox. The first time, only the link in the browser that signed up retains the password: a stranger may have chosen it. */
async function verifyMailbox(tx: Tx, context: Context, user: UserRow, token: OneTimeToken, method: AmrMethod) {
  if (user.email?.toLowerCase() !== token.target) return new AuthError("otp_expired");
  const now = context.services.realClock.now();
  if (!user.email_confirmed_at) {
    const retainsPassword = token.kind === "signup" && !context.typed && isSameBrowser(context, token);
    await changeUser(tx, user.id, now, {
      email_confirmed_at: now,
      ...(retainsPassword ? {} : { password_hash: null }),
    });
    if (!retainsPassword) await endSessions(tx, user.id, "global");
    if (!isSameBrowser(context, token)) await deleteAdminRequest(tx, user.id);
    await revokeCodes(tx, user.id, ["signup"]);
    await announceVerifiedEmail(tx, user.id, token.target);
  }
  return { session: await replaceSession(tx, context, user.id, method) };
}

function isSameBrowser({ signupNonce }: Context, token: OneTimeToken): boolean {
  return (
    signupNonce !== undefined && token.nonceHash !== null && timingSafeEqual(tokenHash(signupNonce), token.nonceHash)
  );
}

/** Verifies the new number and ends every session except the one that is opened here. */
async function changePhone(tx: Tx, context: Context, user: UserRow, token: OneTimeToken) {
  const refused = await confirmPhone(tx, context, user, token.target);
  if (refused) return refused;
  await endSessions(tx, user.id, "global");
  return { session: await replaceSession(tx, context, user.id, "otp") };
}

/** Both mailboxes must agree. The second consent makes the change, notifies both, and ends every other session. */
async function changeEmail(
  tx: Tx,
  context: Context,
  user: UserRow,
  token: OneTimeToken,
): Promise<Verified | AuthError> {
  const wanted = user.new_email;
  const isOld = token.kind === "email_change_old";
  if (!wanted || token.target !== (isOld ? user.email?.toLowerCase() : wanted)) return new AuthError("otp_expired");
  const now = context.services.realClock.now();
  const oldAgrees = isOld || user.email_change_old_ok || !user.email_confirmed_at;
  const newAgrees = !isOld || user.email_change_new_ok;
  if (!oldAgrees || !newAgrees) {
    await changeUser(tx, user.id, now, { email_change_old_ok: oldAgrees, email_change_new_ok: newAgrees });
    return { half: true };
  }
  const noChange = { idle_sign_up_hash: null, new_email: null, email_change_old_ok: false, email_change_new_ok: false };
  await revokeCodes(tx, user.id, ["email_change_old", "email_change_new", "recovery", "magiclink", "signup"]);
  if (await isTaken(tx, user.id, "email", wanted)) {
    await changeUser(tx, user.id, now, noChange);
    return new AuthError("email_exists");
  }
  await changeUser(tx, user.id, now, { ...noChange, email: wanted, email_confirmed_at: now });
  await changeProfile(tx, user.id, { email: wanted });
  await recordAccountChange(tx, context, user, { kind: "email" });
  const former = await recordFormerEmail(tx, user.id, user);
  await endSessions(tx, user.id, "global");
  await announceVerifiedEmail(tx, user.id, wanted, former);
  return { session: await replaceSession(tx, context, user.id, "email_change") };
}
