import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import { renewSession } from "../../local-accounts/session-renewal.ts";
import { type SignInName, signInWithPassword } from "../../local-accounts/sign-in.ts";
import type { OpenSession } from "../../sessions/sessions.store.ts";
import { type AuthCall, readBody, requireEmail, requirePhone } from "../call.ts";
import { toSessionResponse } from "../responses.ts";

export async function postToken(call: AuthCall) {
  const grant = call.query["grant_type"];
  if (grant === "password") return toSessionResponse(call, await withTokenStatus(byPassword(call)));
  if (grant === "refresh_token") return toSessionResponse(call, await withTokenStatus(byRefreshToken(call)));
  if (grant && ["pkce", "id_token", "web3"].includes(grant)) throw new AuthError("not_served");
  throw new AuthError("validation_failed", "unsupported_grant_type");
}

const passwordShape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
});

async function byPassword(call: AuthCall): Promise<OpenSession> {
  const body = readBody(call, passwordShape);
  return signInWithPassword(call.context, signInName(body), body.password ?? "");
}

function signInName({ email, phone }: z.infer<typeof passwordShape>): SignInName {
  if (email && phone)
    throw new AuthError("validation_failed", "Only an email address or phone number should be provided on login.");
  if (!email && !phone) throw new AuthError("validation_failed", "missing email or phone");
  return email ? { column: "email", value: requireEmail(email) } : { column: "phone", value: requirePhone(phone) };
}

const refreshShape = z.object({ refresh_token: z.string().max(400).nullish() });

/** The cookies do not change after a failure: when the response arrives, the browser may have another session's. An expired token grants nothing. */
async function byRefreshToken(call: AuthCall): Promise<OpenSession> {
  const presented = call.cookieMode ? call.context.currentRefreshToken : readBody(call, refreshShape).refresh_token;
  if (!presented) throw new AuthError("refresh_token_not_found");
  return renewSession(call.context, presented);
}

/** The protocol returns 400 for a suspended account at this endpoint, and 403 elsewhere. */
async function withTokenStatus<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AuthError && error.code === "user_banned"
      ? new AuthError("user_banned", undefined, {}, 400)
      : error;
  }
}
