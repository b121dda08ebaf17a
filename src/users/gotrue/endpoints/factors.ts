import { z } from "zod";
import { reauthentication } from "../../account/api.ts";
import { AuthError } from "../../auth-errors.ts";
import { challengeFactor, enrolFactor, removeFactor, verifyFactor } from "../../local-accounts/factors.ts";
import { startPasskeyFactor, verifyPasskeyFactor } from "../../passkeys/sign-in.ts";
import { credentialShape } from "../../passkeys/webauthn.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "../call.ts";
import { toSessionResponse } from "../responses.ts";

const reauthenticationShape = z.object(reauthentication);

const enrolShape = reauthenticationShape.extend({
  factor_type: z.string(),
  friendly_name: z.string().max(100).nullish(),
  issuer: z.string().max(100).nullish(),
});

export async function postFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const { factor_type: kind, friendly_name: name, issuer, password, code } = readBody(call, enrolShape);
  if (kind !== "totp") throw new AuthError("not_served", "Only authenticator apps (totp) are offered here.");
  const wanted = { name, issuer, reauthentication: { password, code } };
  const { id, friendlyName, qrCode, secret, uri } = await enrolFactor(call.context, caller, wanted);
  return { id, type: "totp", friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } };
}

export function requireFactorId(call: AuthCall): string {
  if (!z.uuid().safeParse(call.factorId).success) throw new AuthError("mfa_factor_not_found");
  return call.factorId;
}

export async function postChallenge(call: AuthCall) {
  const caller = await requireCaller(call);
  const factorId = requireFactorId(call);
  // The server chooses the site of a passkey. The caller's value is ignored.
  const isPasskey = readBody(call, z.object({ webauthn: z.unknown().optional() })).webauthn !== undefined;
  if (!isPasskey) {
    const { id, expiresAt } = await challengeFactor(call.context, caller, factorId);
    return { id, type: "totp", expires_at: Math.floor(expiresAt.getTime() / 1000) };
  }
  const { id, options, expiresAt } = await startPasskeyFactor(call.context, caller, factorId);
  const webauthn = { type: "request", credential_options: { publicKey: options } };
  return { id, type: "webauthn", webauthn, expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

const verifyShape = z.object({
  challenge_id: z.string(),
  code: z.string().max(20).optional(),
  webauthn: z.object({ credential_response: credentialShape }).optional(),
});

export async function postFactorCode(call: AuthCall) {
  const caller = await requireCaller(call);
  const factorId = requireFactorId(call);
  const { challenge_id: challengeId, code = "", webauthn } = readBody(call, verifyShape);
  if (!z.uuid().safeParse(challengeId).success) throw new AuthError("mfa_challenge_expired");
  if (webauthn) {
    const response = { challengeId, credential: webauthn.credential_response };
    return toSessionResponse(call, await verifyPasskeyFactor(call.context, caller, response));
  }
  return toSessionResponse(call, await verifyFactor(call.context, caller, { factorId, challengeId, code }));
}

export async function deleteFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const id = requireFactorId(call);
  await removeFactor(call.context, caller, id, readBody(call, reauthenticationShape));
  return { id };
}
