/** Codes and links that are asked for: sign-in without a password, recovery, resending. Unknown addresses get the same answer. */
import { z } from "zod";
import { sqlState, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import {
  sendConfirmSignUp,
  sendEmailChangeNew,
  sendMagicLink,
  sendPhoneCode,
  sendReauthentication,
  sendRecovery,
  sendSignUpKnown,
} from "../emails.ts";
import { cleanName, lifetimes } from "../rules.ts";
import { insertAccount, lockUser, lockUserByEmail } from "../store.ts";
import { issueCode, newestSignupNonce } from "../verification/one-time-codes.store.ts";
import { type AuthCall, readBody, requireCaller, requireEmail, requirePhone } from "./call.ts";
import { countMessage, countSignup, countSms } from "../verification/attempt-limits.ts";
import { cleanMetadata } from "./metadata.ts";
import { withMinimumResponseTime } from "./minimum-response-time.ts";

/** Milliseconds whose multiples these answers take; above what writing a message needs. */
const minimumResponseMs = 200;

const otpShape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
  channel: z.string().nullish(),
});

/** Runs the work and answers `{}` after the minimum response time, whatever it did. */
async function quietly(call: AuthCall, work: (tx: Tx) => Promise<unknown>): Promise<Record<string, never>> {
  const once = () => call.services.database.transaction(work);
  return withMinimumResponseTime(call.services, minimumResponseMs, async () => {
    try {
      await once();
    } catch (error) {
      if (sqlState(error) !== "23505") throw error;
      await once();
    }
    call.services.wake();
    return {};
  });
}

/** POST /otp: a link and a code by mail, or a code by SMS to a proven number. `create_user` makes a promoter's account that has no password. */
export async function sendOtp(call: AuthCall) {
  const body = readBody(call, otpShape);
  if (!body.email && !body.phone) throw new AuthError("validation_failed", "One of email or phone must be set");
  if (!body.email) return sendOtpBySms(call, requirePhone(body.phone), body.channel);
  const email = requireEmail(body.email);
  const data = body.data ?? {};
  const metadata = cleanMetadata(data);
  if (body.create_user) await countSignup(call);
  await countMessage(call, email);
  return quietly(call, async (tx) => {
    const known = await lockUserByEmail(tx, email);
    if (!known && !body.create_user) return;
    const createdAt = call.services.clock.now();
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
    await sendMagicLink(
      tx,
      call.site,
      email,
      await issueCode(tx, call.services, { userId, kind: "magiclink", target: email, seconds: lifetimes.signInLink }),
    );
  });
}

async function sendOtpBySms(call: AuthCall, phone: string, channel: string | null | undefined) {
  if (channel && channel !== "sms") throw new AuthError("not_served", "Codes are sent by SMS only.");
  await countSms(call, phone);
  return quietly(call, async (tx) => {
    const user = await tx
      .selectFrom("users")
      .select("id")
      .where("phone", "=", phone)
      .where("phone_confirmed_at", "is not", null)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (user)
      await sendPhoneCode(
        tx,
        phone,
        await issueCode(tx, call.services, { userId: user.id, kind: "sms", target: phone, seconds: lifetimes.code }),
      );
  });
}

/** POST /recover */
export async function recover(call: AuthCall) {
  const email = requireEmail(readBody(call, z.object({ email: z.string().nullish() })).email);
  await countMessage(call, email);
  return quietly(call, async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (!user) return;
    await sendRecovery(
      tx,
      call.site,
      email,
      await issueCode(tx, call.services, {
        userId: user.id,
        kind: "recovery",
        target: email,
        seconds: lifetimes.recoveryLink,
      }),
    );
  });
}

const resendShape = z.object({ type: z.string(), email: z.string().nullish(), phone: z.string().nullish() });

/** POST /resend: the message of a sign-up or of a change that still waits. */
export async function resend(call: AuthCall) {
  const body = readBody(call, resendShape);
  if (body.type === "signup" || body.type === "email_change")
    return resendMail(call, body.type, requireEmail(body.email));
  if (body.type === "sms" || body.type === "phone_change") return resendSms(call, body.type, requirePhone(body.phone));
  throw new AuthError("validation_failed", "Missing one of these types: signup, email_change, sms, phone_change");
}

async function resendMail(call: AuthCall, type: "signup" | "email_change", email: string) {
  await countMessage(call, email);
  const { services, site } = call;
  return quietly(call, async (tx) => {
    if (type === "signup") {
      const user = await lockUserByEmail(tx, email);
      if (!user) return;
      if (user.email_confirmed_at) {
        // Whoever signed up again with a known address is told to confirm it; this says why nothing comes of that.
        await sendSignUpKnown(tx, site, email);
        return;
      }
      // However often the link is asked for, it stays the one of the browser that signed up.
      const nonceHash = await newestSignupNonce(tx, user.id);
      const issued = await issueCode(tx, services, {
        userId: user.id,
        kind: "signup",
        target: email,
        seconds: lifetimes.signupLink,
        nonceHash,
      });
      await sendConfirmSignUp(tx, site, email, issued);
      return;
    }
    const userId = await newestWaiting(tx, "new_email", email);
    if (!userId) return;
    const wanted = { userId, kind: "email_change_new", target: email, seconds: lifetimes.emailChangeLink } as const;
    await sendEmailChangeNew(tx, site, email, await issueCode(tx, services, wanted));
  });
}

/** Who asked last to move to an address or number. One message however many ask for the same: the others may ask again. */
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

async function resendSms(call: AuthCall, type: "sms" | "phone_change", phone: string) {
  if (type === "sms") return sendOtpBySms(call, phone, "sms");
  await countSms(call, phone);
  return quietly(call, async (tx) => {
    const userId = await newestWaiting(tx, "new_phone", phone);
    if (!userId) return;
    const wanted = { userId, kind: "phone_change", target: phone, seconds: lifetimes.code } as const;
    await sendPhoneCode(tx, phone, await issueCode(tx, call.services, wanted));
  });
}

/** GET /reauthenticate: a code for this session, to the proven mailbox, or to the proven phone of an account without one. */
export async function reauthenticate(call: AuthCall) {
  const caller = await requireCaller(call);
  await countMessage(call, caller.userId);
  await call.services.database.transaction(async (tx) => {
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AuthError("user_not_found");
    const issued = await issueCode(tx, call.services, {
      userId: user.id,
      kind: "reauthentication",
      target: caller.sessionId,
      seconds: lifetimes.code,
    });
    if (user.email && user.email_confirmed_at) await sendReauthentication(tx, user.email, issued);
    else if (user.phone && user.phone_confirmed_at) await sendPhoneCode(tx, user.phone, issued);
    else throw new AuthError("validation_failed", "Please confirm your e-mail address first.");
  });
  call.services.wake();
  return {};
}
