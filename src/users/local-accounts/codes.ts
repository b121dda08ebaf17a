/** Requested codes and links. Neither result nor time reveals whether an account exists. Every message is counted. */

import type { Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import {
  sendConfirmSignUp,
  sendEmailChangeNew,
  sendEmailChangeOld,
  sendMagicLink,
  sendPhoneCode,
  sendReauthentication,
  sendRecovery,
  sendSignUpKnown,
} from "../emails.ts";
import { cleanName } from "../rules.ts";
import { insertAccount, lockUser, lockUserByEmail, requireUser, retryOnDuplicate } from "../store.ts";
import { type CountSent, countMessage, countSignup, countSms } from "../verification/attempt-limits.ts";
import { withMinimumResponseTime } from "../verification/minimum-response-time.ts";
import { issueCode, newestSignupNonce } from "../verification/one-time-codes.store.ts";
import type { AccountContext } from "./context.ts";
import { cleanMetadata } from "./metadata.ts";

const minimumResponseMs = 200;

const quietly = ({ services }: AccountContext, work: (tx: Tx) => Promise<CountSent | void>): Promise<void> =>
  withMinimumResponseTime(services, minimumResponseMs, async () => {
    const countSent = await retryOnDuplicate(services, work);
    if (countSent) await countSent();
    services.wake();
  });

type SignInLinkInput = Readonly<{
  email: string;
  /** Creates a promoter's account without a password for an unknown address. */
  createUser: boolean;
  data: Readonly<Record<string, unknown>>;
}>;

export async function sendSignInLink(context: AccountContext, { email, createUser, data }: SignInLinkInput) {
  const metadata = cleanMetadata(data);
  if (createUser) await countSignup(context);
  await countMessage(context, email);
  return quietly(context, async (tx) => {
    const known = await lockUserByEmail(tx, email);
    if (!known && !createUser) return;
    const createdAt = context.services.realClock.now();
    const account = {
      email,
      name: cleanName(data["name"]) ?? email,
      role: "promoter",
      passwordHash: null,
      metadata,
      confirmed: false,
      createdAt,
    } as const;
    const userId = known?.id ?? (await insertAccount(tx, account));
    const issued = await issueCode(tx, context.services, { userId, kind: "magiclink", target: email });
    await sendMagicLink(tx, context.site, email, issued);
  });
}

export async function sendSignInSms(context: AccountContext, phone: string): Promise<void> {
  const countSent = await countSms(context, phone);
  return quietly(context, async (tx) => {
    const user = await tx
      .selectFrom("users")
      .select("id")
      .where("phone", "=", phone)
      .where("phone_confirmed_at", "is not", null)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (!user) return;
    const issued = await issueCode(tx, context.services, { userId: user.id, kind: "sms", target: phone });
    await sendPhoneCode(tx, phone, issued);
    return countSent;
  });
}

export async function recover(context: AccountContext, email: string): Promise<void> {
  await countMessage(context, email);
  return quietly(context, async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (!user) return;
    const issued = await issueCode(tx, context.services, { userId: user.id, kind: "recovery", target: email });
    await sendRecovery(tx, context.site, email, issued);
  });
}

/** Sends the email of a pending sign-up or change of address again. Of a change, to the new address until it has confirmed, then to the old one. */
export async function resendEmail(context: AccountContext, type: "signup" | "email_change", email: string) {
  await countMessage(context, email);
  const { services, site } = context;
  return quietly(context, async (tx) => {
    if (type === "signup") {
      const user = await lockUserByEmail(tx, email);
      if (!user) return;
      if (user.email_confirmed_at) {
        // A second sign-up with a known address also requests a confirmation. This email explains why it has no effect.
        await sendSignUpKnown(tx, site, email);
        return;
      }
      // A resent link still belongs to the browser that signed up.
      const nonceHash = await newestSignupNonce(tx, user.id);
      const issued = await issueCode(tx, services, { userId: user.id, kind: "signup", target: email, nonceHash });
      await sendConfirmSignUp(tx, site, email, issued);
      return;
    }
    const userId = await newestWaiting(tx, "new_email", email);
    if (!userId) return;
    const user = await lockUser(tx, userId);
    if (user?.email_change_new_ok && user.email) {
      const issued = await issueCode(tx, services, { userId, kind: "email_change_old", target: user.email });
      await sendEmailChangeOld(tx, site, user.email, issued, email);
      return;
    }
    const issued = await issueCode(tx, services, { userId, kind: "email_change_new", target: email });
    await sendEmailChangeNew(tx, site, email, issued);
  });
}

/** Returns the account that last requested this address or number. If several did, one message is sent, and the others may request again. */
const newestWaiting = async (tx: Tx, column: "new_email" | "new_phone", target: string): Promise<string | undefined> =>
  (
    await tx
      .selectFrom("users")
      .select("id")
      .where(column, "=", target)
      .where("deleted_at", "is", null)
      .orderBy("updated_at", "desc")
      .orderBy("id")
      .executeTakeFirst()
  )?.id;

export async function resendPhoneChange(context: AccountContext, phone: string): Promise<void> {
  const countSent = await countSms(context, phone, true);
  return quietly(context, async (tx) => {
    const userId = await newestWaiting(tx, "new_phone", phone);
    if (!userId) return;
    const issued = await issueCode(tx, context.services, { userId, kind: "phone_change", target: phone });
    await sendPhoneCode(tx, phone, issued);
    return countSent;
  });
}

/** Sends the caller a code for this session: to the verified mailbox, or to the verified phone of an account without one. */
export async function sendReauthenticationCode(context: AccountContext, caller: AuthenticatedSession): Promise<void> {
  const { services } = context;
  const countSent = caller.phone !== null && !caller.emailVerified ? await countSms(context, caller.phone) : undefined;
  if (!countSent) await countMessage(context, caller.userId);
  await services.database.transaction(async (tx) => {
    const user = await requireUser(tx, caller.userId);
    const wanted = { userId: user.id, kind: "reauthentication", target: caller.sessionId } as const;
    const issued = await issueCode(tx, services, wanted);
    if (user.email && user.email_confirmed_at) await sendReauthentication(tx, user.email, issued);
    else if (user.phone && user.phone_confirmed_at) await sendPhoneCode(tx, user.phone, issued);
    else throw new AuthError("validation_failed", "Confirm your email address first.");
  });
  await countSent?.();
  services.wake();
}
