import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import { signUp } from "../../local-accounts/sign-up.ts";
import { type AuthCall, readBody, requireEmail } from "../call.ts";
import { signupSecret } from "../cookies.ts";
import { toSignUpResponse } from "../responses.ts";

const shape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});

export async function postSignup(call: AuthCall) {
  const body = readBody(call, shape);
  if (!body.email) throw new AuthError(body.phone ? "phone_provider_disabled" : "anonymous_provider_disabled");
  const email = requireEmail(body.email);
  const nonce = signupSecret.current(call);
  const input = { email, password: body.password, data: body.data ?? {}, nonce };
  const metadata = await signUp(call.context, input);
  signupSecret.set(call, nonce);
  return toSignUpResponse(call.context.services, email, metadata);
}
