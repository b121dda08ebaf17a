import { z } from "zod";
import { reauthentication } from "../../account/api.ts";
import { AuthError } from "../../auth-errors.ts";
import { challengeFactor, enrolFactor, removeFactor, verifyFactor } from "../../local-accounts/factors.ts";
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from "../../local-accounts/recovery-codes.ts";
import { readPasskeys } from "../../passkeys/passkeys.store.ts";
import {
  finishRegistration,
  renamePasskey,
  startRegistration,
  startPasskeyFactor,
  verifyPasskeyFactor,
  signInWithPasskey,
  startPasskeySignIn,
} from "../../passkeys/passkeys.ts";
import { credentialShape, requirePasskeySite } from "../../passkeys/webauthn.ts";
import { nameLength } from "../../rules.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "../call.ts";
import { passkeySecret } from "../cookies.ts";
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

function requireFactorId(call: AuthCall): string {
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

type Opened = { id: string; options: object; expiresAt: Date };
const toChallenge = ({ id, options, expiresAt }: Opened) => ({
  challenge_id: id,
  options,
  expires_at: Math.floor(expiresAt.getTime() / 1000),
});

const responseShape = z.object({ challenge_id: z.string(), credential: credentialShape });

function readResponse(call: AuthCall) {
  const { challenge_id: challengeId, credential } = readBody(call, responseShape);
  if (!z.uuid().safeParse(challengeId).success) throw new AuthError("webauthn_challenge_expired");
  return { challengeId, credential };
}

export async function postRegistrationOptions(call: AuthCall) {
  return toChallenge(await startRegistration(call.context, await requireStrongCaller(call)));
}

export async function postRegistration(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const { id, name, createdAt, session } = await finishRegistration(call.context, caller, readResponse(call));
  return { id, friendly_name: name, created_at: createdAt, session: await toSessionResponse(call, session) };
}

export async function postAuthenticationOptions(call: AuthCall) {
  requirePasskeySite(call.context.services);
  const browser = passkeySecret.current(call);
  const opened = await startPasskeySignIn(call.context, browser);
  passkeySecret.set(call, browser);
  return toChallenge(opened);
}

export async function postAuthentication(call: AuthCall) {
  return toSessionResponse(call, await signInWithPasskey(call.context, readResponse(call), passkeySecret.read(call)));
}

type Row = { id: string; friendly_name: string; created_at: Date; last_used_at: Date | null };
const toPasskey = ({ id, friendly_name, created_at, last_used_at }: Row) => ({
  id,
  friendly_name,
  created_at,
  ...(last_used_at ? { last_used_at } : {}),
});

export async function getPasskeys(call: AuthCall) {
  const { userId } = await requireStrongCaller(call);
  return (await readPasskeys(call.context.services.database.db, userId)).map(toPasskey);
}

export async function patchPasskey(call: AuthCall) {
  const { userId } = await requireStrongCaller(call);
  const { friendly_name: name } = readBody(call, z.object({ friendly_name: z.string().max(nameLength.max) }));
  return toPasskey(await renamePasskey(call.context, userId, requireFactorId(call), name));
}

export const deletePasskey = async (call: AuthCall) => void (await deleteFactor(call));

const type = "recovery_code";

export async function getRecoveryCodes(call: AuthCall) {
  const { userId } = await requireStrongCaller(call);
  const counted = await countRecoveryCodes(call.context.services.database.db, userId);
  if (counted.total === 0) throw new AuthError("mfa_factor_not_found", "There are no recovery codes yet.");
  return { id: userId, type, ...counted };
}

export async function postRecoveryCodes(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const codes = await makeRecoveryCodes(call.context, caller);
  return { id: caller.userId, type, friendly_name: "Recovery codes", total: codes.length, codes };
}

export async function postRecoveryCode(call: AuthCall) {
  const caller = await requireCaller(call);
  const { code } = readBody(call, z.object({ code: z.string().max(60) }));
  return toSessionResponse(call, await verifyRecoveryCode(call.context, caller, code));
}

export async function deleteRecoveryCodes(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  await removeRecoveryCodes(call.context, caller);
  return { id: caller.userId };
}
