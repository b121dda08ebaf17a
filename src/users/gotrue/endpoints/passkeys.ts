import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import { readPasskeys } from "../../passkeys/passkeys.store.ts";
import { finishRegistration, renamePasskey, startRegistration } from "../../passkeys/register.ts";
import { signInWithPasskey, startPasskeySignIn } from "../../passkeys/sign-in.ts";
import { credentialShape, requirePasskeySite } from "../../passkeys/webauthn.ts";
import { nameLength } from "../../rules.ts";
import { type AuthCall, readBody, requireStrongCaller } from "../call.ts";
import { passkeySecret } from "../cookies.ts";
import { toSessionResponse } from "../responses.ts";
import { deleteFactor, requireFactorId } from "./factors.ts";

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
