/** Codes and links. The response is `{}` for every address. */

import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import {
  recover,
  resendEmail,
  resendPhoneChange,
  sendReauthenticationCode,
  sendSignInLink,
  sendSignInSms,
} from "../../local-accounts/codes.ts";
import { type AuthCall, readBody, requireCaller, requireEmail, requirePhone } from "../call.ts";

const otpShape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
  channel: z.string().nullish(),
});

export async function postOtp(call: AuthCall) {
  const { email, phone, create_user: createUser, data, channel } = readBody(call, otpShape);
  if (!email && !phone) throw new AuthError("validation_failed", "One of email or phone must be set");
  if (email) {
    const input = { email: requireEmail(email), createUser: createUser ?? false, data: data ?? {} };
    await sendSignInLink(call.context, input);
    return {};
  }
  const number = requirePhone(phone);
  if (channel && channel !== "sms") throw new AuthError("not_served", "Codes are sent by SMS only.");
  await sendSignInSms(call.context, number);
  return {};
}

export async function postRecover(call: AuthCall) {
  await recover(call.context, requireEmail(readBody(call, z.object({ email: z.string().nullish() })).email));
  return {};
}

const resendShape = z.object({ type: z.string(), email: z.string().nullish(), phone: z.string().nullish() });

export async function postResend(call: AuthCall) {
  const { type, email, phone } = readBody(call, resendShape);
  if (type === "signup" || type === "email_change") await resendEmail(call.context, type, requireEmail(email));
  else if (type === "sms") await sendSignInSms(call.context, requirePhone(phone));
  else if (type === "phone_change") await resendPhoneChange(call.context, requirePhone(phone));
  else throw new AuthError("validation_failed", "Missing one of these types: signup, email_change, sms, phone_change");
  return {};
}

export async function getReauthenticate(call: AuthCall) {
  await sendReauthenticationCode(call.context, await requireCaller(call));
  return {};
}
