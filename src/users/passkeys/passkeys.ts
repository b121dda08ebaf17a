import type { Tx } from "#platform/db/index.ts";
import { deviceName } from "#platform/http/device-name.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import { type AuthenticatedSession, requireRecentCaller } from "../authentication/authenticated-session.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import type { AccountContext } from "../local-accounts/context.ts";
import { replaceSession } from "../local-accounts/replace-session.ts";
import { withUniqueName } from "../mfa/factors.store.ts";
import { cleanName, unusedName, passkeysPerUser, lifetimes } from "../rules.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { endSessions, type OpenSession, upgradeSession } from "../sessions/sessions.store.ts";
import { lockUser, isSuspended, requireUser } from "../store.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import {
  consumePasskeyChallenge,
  insertPasskey,
  readPasskeys,
  renameStoredPasskey,
  findPasskeyOwner,
  lockPasskey,
  markPasskeyUsed,
  type ChallengeOwner,
  type ChallengePurpose,
  insertPasskeyChallenge,
} from "./passkeys.store.ts";
import {
  type PasskeyResponse,
  registrationOptions,
  requirePasskeySite,
  verifyRegistration,
  type Credential,
  authenticationOptions,
  verifyAuthentication,
} from "./webauthn.ts";

/** Returns the browser's options. Needs recent authentication, because a passkey gives lasting access. */
export async function startRegistration(context: AccountContext, caller: AuthenticatedSession) {
  const { services } = context;
  requirePasskeySite(services);
  await requireRecentCaller(context, caller, {});
  await services.limits.hit(`passkey ${caller.userId} ${context.block}`, 30, 900);
  const present = await readPasskeys(services.database.db, caller.userId);
  if (present.length >= passkeysPerUser) throw tooMany();
  const options = await registrationOptions(services, caller, present);
  return openChallenge(services, "register", { session_id: caller.sessionId }, options);
}

const tooMany = () =>
  new AuthError(
    "too_many_enrolled_mfa_factors",
    `No more than ${passkeysPerUser} passkeys at a time. Remove one first.`,
  );

type Added = { id: string; name: string; createdAt: Date; session: OpenSession };

/** Adds the passkey, ends every other session and raises this one to aal2. Every address and number gets a link that undoes it. */
export async function finishRegistration(
  context: AccountContext,
  caller: AuthenticatedSession,
  response: PasskeyResponse,
): Promise<Added> {
  const { services } = context;
  await requireRecentCaller(context, caller, {});
  const added = await services.database.transaction((tx) => add(tx, context, caller, response));
  if (added instanceof AuthError) throw added;
  services.wake();
  return added;
}

/** Failures are returned, not thrown, because the challenge stays consumed. */
async function add(
  tx: Tx,
  context: AccountContext,
  caller: AuthenticatedSession,
  { challengeId: id, credential }: PasskeyResponse,
): Promise<Added | AuthError> {
  const { services } = context;
  const now = services.realClock.now();
  const user = await requireUser(tx, caller.userId);
  const owner = { session_id: caller.sessionId };
  const challenge = await consumePasskeyChallenge(tx, { id, purpose: "register", owner, now });
  if (challenge === undefined) return new AuthError("webauthn_challenge_expired");
  const made = await verifyRegistration(services, credential, challenge);
  if (made instanceof AuthError) return made;
  const present = await tx
    .selectFrom("factors")
    .select(["kind", "status", "friendly_name"])
    .where("user_id", "=", user.id)
    .execute();
  const isFirst = !present.some(({ status }) => status === "verified");
  // Another session may have set up a second factor since this call was authenticated.
  if (!isFirst && caller.aal !== "aal2") return new AuthError("insufficient_aal");
  if (present.filter(({ kind }) => kind === "passkey").length >= passkeysPerUser) return tooMany();
  const name = unusedName(
    deviceName(context.device.userAgent),
    present.map((one) => one.friendly_name),
  );
  const { credentialId, counter, secret } = made;
  const row = { user_id: user.id, credential_id: credentialId, friendly_name: name, secret, counter, now };
  const factorId = await insertPasskey(tx, row);
  if (factorId === undefined) return new AuthError("webauthn_credential_exists");
  await recordAccountChange(tx, context, user, { kind: "factor_added", factorId, isFirst, passkey: true });
  await endSessions(tx, user.id, "others", caller.sessionId);
  await broadcastAccountChange(tx, user.id);
  const current = { id: caller.sessionId, userId: user.id, amr: caller.amr };
  const session = await upgradeSession(tx, services, current, "mfa/webauthn");
  return { id: factorId, name, createdAt: now, session };
}

/** Throws 422 for a name of another factor of the account, and 404 for a passkey that is not the caller's. */
export async function renamePasskey({ services }: AccountContext, userId: string, id: string, wanted: string) {
  const name = cleanName(wanted);
  if (!name) throw new AuthError("validation_failed", "Enter a name.");
  const renamed = await withUniqueName(() =>
    services.database.transaction((tx) => renameStoredPasskey(tx, userId, id, name, services.realClock.now())),
  );
  if (!renamed) throw new AuthError("mfa_factor_not_found");
  return renamed;
}

/** `browser`: the secret of the cookie that the response must have. The options name no account. */
export async function startPasskeySignIn({ services, block, isShared }: AccountContext, browser: string) {
  await services.limits.hit(`passkey sign-in ${block}`, isShared ? 500 : 60, 900);
  const options = await authenticationOptions(services);
  return openChallenge(services, "sign_in", { browser_hash: tokenHash(browser) }, options);
}

/** Opens a session of the second level without a password, because the device verifies the user. Throws `webauthn_…`, `user_banned` or `email_not_confirmed`, and consumes the challenge even then. */
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
    await requireUser(tx, userId);
    const refused = await acceptPasskey(tx, context, userId, credential, challenge);
    return refused ?? upgradeSession(tx, services, { id: sessionId, userId, amr: caller.amr }, "mfa/webauthn");
  });
  if (raised instanceof AuthError) throw raised;
  await attempt.succeeded();
  services.wake();
  return raised;
}

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

/** Stores the challenge of these options for five minutes. Returns what the browser needs to respond. */
async function openChallenge<T extends { challenge: string }>(
  services: PlatformServices,
  purpose: ChallengePurpose,
  owner: ChallengeOwner,
  options: T,
): Promise<{ id: string; options: T; expiresAt: Date }> {
  const expiresAt = new Date(services.realClock.now().getTime() + lifetimes.challenge * 1000);
  const row = { purpose, ...owner, challenge: options.challenge, expires_at: expiresAt };
  const id = await services.database.transaction((tx) => insertPasskeyChallenge(tx, row));
  return { id, options, expiresAt };
}
