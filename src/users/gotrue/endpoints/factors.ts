import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import { challengeFactor, enrolFactor, removeFactor, verifyFactor } from "../../local-accounts/factors.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "../call.ts";
import { toSessionResponse } from "../responses.ts";

const reauthenticationShape = z.object({
  password: z.string().max(256).optional(),
  code: z.string().max(20).optional(),
});

const enrolShape = reauthenticationShape.extend({
  factor_type: z.string(),
  friendly_name: z.string().max(100).nullish(),
  issuer: z.string().max(100).nullish(),
});

export async function postFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const { factor_type: kind, friendly_name: name, issuer, password, code } = readBody(call, enrolShape);
  if (kind !== "totp") throw new AuthError("not_served", "Only authenticator apps (totp) are offered here.");
  const reauthentication = { password, code };
  const added = await enrolFactor(call.context, caller, { name, issuer, reauthentication });
  const { id, friendlyName, qrCode, secret, uri } = added;
  return { id, type: "totp", friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } };
}

/** Text that is no UUID names no factor. */
function requireFactorId(call: AuthCall): string {
  if (!z.uuid().safeParse(call.factorId).success) throw new AuthError("mfa_factor_not_found");
  return call.factorId;
}

export async function postChallenge(call: AuthCall) {
  const { id, expiresAt } = await challengeFactor(call.context, await requireCaller(call), requireFactorId(call));
  return { id, type: "totp", expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

const verifyShape = z.object({ challenge_id: z.string(), code: z.string().max(20) });

/** POST /factors/{id}/verify: the session becomes aal2. */
export async function postFactorCode(call: AuthCall) {
  const caller = await requireCaller(call);
  const factorId = requireFactorId(call);
  const { challenge_id: challengeId, code } = readBody(call, verifyShape);
  if (!z.uuid().safeParse(challengeId).success) throw new AuthError("mfa_challenge_expired");
  return toSessionResponse(call, await verifyFactor(call.context, caller, { factorId, challengeId, code }));
}

/** DELETE /factors/{id}: needs the second level and recent authentication, or a password or code in the body. */
export async function deleteFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const id = requireFactorId(call);
  await removeFactor(call.context, caller, id, readBody(call, reauthenticationShape));
  return { id };
}
