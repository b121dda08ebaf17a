/** POST /verify: returns a session, or a message after the first half of a change of address. */

import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import { type VerificationType, verificationKinds, verify } from "../../local-accounts/verify.ts";
import { type AuthCall, readBody, requireEmail, requirePhone } from "../call.ts";
import { signupSecret } from "../cookies.ts";
import { toSessionResponse } from "../responses.ts";

const shape = z.object({
  type: z.string(),
  token_hash: z.string().max(400).nullish(),
  token: z.string().max(400).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});

export async function postVerify(call: AuthCall) {
  const body = readBody(call, shape);
  const input = { type: verificationType(body.type), signupNonce: signupSecret.read(call), ...presentedOf(body) };
  const verified = await verify(call.context, input);
  if ("session" in verified) return toSessionResponse(call, verified.session);
  return { code: 200, msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email" };
}

function verificationType(type: string): VerificationType {
  if (type === "invite") throw new AuthError("otp_expired");
  if (!Object.hasOwn(verificationKinds, type))
    throw new AuthError("validation_failed", "Verify requires a verification type");
  return type as VerificationType;
}

function presentedOf({ token_hash: linkToken, token: code, email, phone }: z.infer<typeof shape>) {
  if (linkToken) return { linkToken };
  if (!code || (!email && !phone))
    throw new AuthError("validation_failed", "Only an email address or phone number should be provided on verify");
  return { code, target: email ? requireEmail(email) : requirePhone(phone) };
}
