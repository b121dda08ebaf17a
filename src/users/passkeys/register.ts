import type { Tx } from "#platform/db/index.ts";
import { deviceName } from "#platform/http/device-name.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import { requireRecentCaller } from "../authentication/reauthentication.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import type { AccountContext } from "../local-accounts/context.ts";
import { withUniqueName } from "../mfa/factors.store.ts";
import { cleanName, unusedName, passkeysPerUser } from "../rules.ts";
import { endSessions, type OpenSession, upgradeSession } from "../sessions/sessions.store.ts";
import { lockUser } from "../store.ts";
import { openChallenge } from "./challenges.ts";
import { consumePasskeyChallenge, insertPasskey, readPasskeys, renameStoredPasskey } from "./passkeys.store.ts";
import { type PasskeyResponse, registrationOptions, requirePasskeySite, verifyRegistration } from "./webauthn.ts";

/** Returns the browser's options. Needs recent authentication, because a passkey gives lasting access. */
export async function startRegistration(context: AccountContext, caller: AuthenticatedSession) {
  const { services } = context;
  requirePasskeySite(services);
  await requireRecentCaller(services, caller, context.block, {});
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
  await requireRecentCaller(services, caller, context.block, {});
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
  const user = await lockUser(tx, caller.userId);
  if (!user) return new AuthError("user_not_found");
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
