/** A passkey instead of a password, and after one as the second factor. Either gives a session of the second level, because the device verifies the user. */

import type { Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import type { AccountContext } from "../local-accounts/context.ts";
import { replaceSession } from "../local-accounts/replace-session.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { type OpenSession, upgradeSession } from "../sessions/sessions.store.ts";
import { isSuspended, lockUser } from "../store.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import { openChallenge } from "./challenges.ts";
import {
  consumePasskeyChallenge,
  findPasskeyOwner,
  lockPasskey,
  markPasskeyUsed,
  readPasskeys,
} from "./passkeys.store.ts";
import { type Credential, type PasskeyResponse, authenticationOptions, verifyAuthentication } from "./webauthn.ts";

/** `browser`: the secret of the cookie that the response must have. The options name no account. */
export async function startPasskeySignIn({ services, block, isShared }: AccountContext, browser: string) {
  await services.limits.hit(`passkey sign-in ${block}`, isShared ? 500 : 60, 900);
  const options = await authenticationOptions(services);
  return openChallenge(services, "sign_in", { browser_hash: tokenHash(browser) }, options);
}

/** Opens a session of the second level. Throws `webauthn_…`, `user_banned` or `email_not_confirmed`, and consumes the challenge even then. */
export async function signInWithPasskey(
  context: AccountContext,
  response: PasskeyResponse,
  browser: string | undefined,
): Promise<OpenSession> {
  const opened = await context.services.database.transaction((tx) => open(tx, context, response, browser));
  if (opened instanceof AuthError) throw opened;
  context.services.wake();
  return opened;
}

async function open(tx: Tx, context: AccountContext, { challengeId: id, credential }: PasskeyResponse, browser = "") {
  const { services } = context;
  const now = services.realClock.now();
  const owner = { browser_hash: tokenHash(browser) };
  const challenge = await consumePasskeyChallenge(tx, { id, purpose: "sign_in", owner, now });
  if (challenge === undefined) return new AuthError("webauthn_challenge_expired");
  const ownerId = await findPasskeyOwner(tx, credential.id);
  const user = ownerId && (await lockUser(tx, ownerId));
  if (!user) return new AuthError("webauthn_credential_not_found");
  const refused = await acceptPasskey(tx, context, user.id, credential, challenge);
  if (refused) return refused;
  if (isSuspended(user, now)) return new AuthError("user_banned");
  if (!user.email_confirmed_at && !user.phone_confirmed_at) return new AuthError("email_not_confirmed");
  const { sessionId, amr } = await replaceSession(tx, context, user.id, "passkey");
  return upgradeSession(tx, services, { id: sessionId, userId: user.id, amr }, "passkey");
}

/** Requests any passkey of the account. Throws `mfa_factor_not_found` if `factorId` is none of them. */
export async function startPasskeyFactor(
  { services, block }: AccountContext,
  { userId, sessionId }: AuthenticatedSession,
  factorId: string,
) {
  await services.limits.hit(`passkey ${userId} ${block}`, 30, 900);
  const present = await readPasskeys(services.database.db, userId);
  if (!present.some(({ id }) => id === factorId)) throw new AuthError("mfa_factor_not_found");
  const options = await authenticationOptions(services, present);
  return openChallenge(services, "second_factor", { session_id: sessionId }, options);
}

/** Raises the session to aal2. Counted like the codes of an authenticator app. */
export async function verifyPasskeyFactor(
  context: AccountContext,
  caller: AuthenticatedSession,
  { challengeId: id, credential }: PasskeyResponse,
): Promise<OpenSession> {
  const { services } = context;
  const { userId, sessionId } = caller;
  const attempt = await countFactorCode(context, userId);
  const raised = await services.database.transaction(async (tx) => {
    const wanted = { id, purpose: "second_factor", owner: { session_id: sessionId } } as const;
    const challenge = await consumePasskeyChallenge(tx, { ...wanted, now: services.realClock.now() });
    if (challenge === undefined) return new AuthError("webauthn_challenge_expired");
    if (!(await lockUser(tx, userId))) return new AuthError("user_not_found");
    const refused = await acceptPasskey(tx, context, userId, credential, challenge);
    return refused ?? upgradeSession(tx, services, { id: sessionId, userId, amr: caller.amr }, "mfa/webauthn");
  });
  if (raised instanceof AuthError) throw raised;
  await attempt.succeeded();
  services.wake();
  return raised;
}

/** Checks the signature by the user's own passkey and records its use. Returns the error if it is invalid. */
async function acceptPasskey(
  tx: Tx,
  { services }: AccountContext,
  userId: string,
  credential: Credential,
  challenge: string,
): Promise<AuthError | undefined> {
  const stored = await lockPasskey(tx, userId, credential.id);
  if (!stored) return new AuthError("webauthn_credential_not_found");
  const counter = await verifyAuthentication(services, credential, { userId, challenge, stored });
  if (counter instanceof AuthError) return counter;
  await markPasskeyUsed(tx, stored.id, counter, services.realClock.now());
  return undefined;
}
