import { hasRow, type Reader, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import {
  type AuthenticatedSession,
  type ReauthenticationInput,
  requireRecentCaller,
} from "../authentication/authenticated-session.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import {
  deleteChallenge,
  deleteFactor,
  deleteUnverifiedFactors,
  insertChallenge,
  insertFactor,
  lockFactor,
  markFactorVerified,
  withUniqueName,
} from "../mfa/factors.store.ts";
import { deleteRecoveryCodes } from "../mfa/recovery-codes.store.ts";
import { acceptedStep, enrolmentOf, newSecret, secretPurpose } from "../mfa/totp.ts";
import { cleanName, factorsPerUser, lifetimes } from "../rules.ts";
import { type OpenSession, endSessions, upgradeSession, downgradeSessions } from "../sessions/sessions.store.ts";
import { requireUser, type UserRow } from "../store.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import type { AccountContext } from "./context.ts";

type NewFactor = Readonly<{
  name: string | null | undefined;
  issuer: string | null | undefined;
  reauthentication: ReauthenticationInput;
}>;

/** Adds an unverified factor. Needs recent authentication, because an authenticator app gives lasting access. */
export async function enrolFactor(context: AccountContext, caller: AuthenticatedSession, wanted: NewFactor) {
  const { services } = context;
  await requireRecentCaller(context, caller, wanted.reauthentication);
  const secret = newSecret();
  const friendlyName = cleanName(wanted.name) ?? "";
  const now = services.realClock.now();
  const id = await withUniqueName(() =>
    services.database.transaction(async (tx) => {
      await requireUser(tx, caller.userId);
      await deleteUnverifiedFactors(tx, caller.userId);
      const present = await tx
        .selectFrom("factors")
        .select("id")
        .where("user_id", "=", caller.userId)
        .where("kind", "=", "totp")
        .execute();
      if (present.length >= factorsPerUser) throw new AuthError("too_many_enrolled_mfa_factors");
      const factor = {
        user_id: caller.userId,
        friendly_name: friendlyName,
        secret: services.keys.encrypt(secretPurpose, secret),
        created_at: now,
        updated_at: now,
      };
      return insertFactor(tx, factor);
    }),
  );
  const { uri, qrCode } = enrolmentOf(secret, caller.email || caller.name, cleanName(wanted.issuer) ?? "Stagedoor");
  return { id, friendlyName, qrCode, secret, uri };
}

export async function challengeFactor(
  { services, block }: AccountContext,
  caller: AuthenticatedSession,
  factorId: string,
) {
  await services.limits.hit(`factor challenge ${caller.userId} ${block}`, 30, 900);
  const expiresAt = new Date(services.realClock.now().getTime() + lifetimes.challenge * 1000);
  const id = await services.database.transaction(async (tx) => {
    if ((await lockFactor(tx, caller.userId, factorId))?.kind !== "totp") throw new AuthError("mfa_factor_not_found");
    const challenge = { factor_id: factorId, session_id: caller.sessionId, expires_at: expiresAt };
    return insertChallenge(tx, challenge);
  });
  return { id, expiresAt };
}

type FactorCode = Readonly<{ factorId: string; challengeId: string; code: string }>;

/** Raises the session to aal2. A code works once. Verifying a new factor needs recent authentication. */
export async function verifyFactor(context: AccountContext, caller: AuthenticatedSession, given: FactorCode) {
  const { services } = context;
  if (!(await isFactorVerified(services.database.db, caller.userId, given.factorId)))
    await requireRecentCaller(context, caller, {});
  const attempt = await countFactorCode(context, caller.userId);
  const verified = await services.database.transaction((tx) => acceptCode(tx, context, caller, given));
  if (verified instanceof AuthError) throw verified;
  await attempt.succeeded();
  services.wake();
  return verified;
}

async function acceptCode(
  tx: Tx,
  context: AccountContext,
  caller: AuthenticatedSession,
  { factorId, challengeId, code }: FactorCode,
): Promise<OpenSession | AuthError> {
  const { services } = context;
  const now = services.realClock.now();
  const factor = await lockFactor(tx, caller.userId, factorId);
  if (factor?.kind !== "totp") return new AuthError("mfa_factor_not_found");
  if (factor.status === "unverified" && caller.hasFactor && caller.aal !== "aal2")
    return new AuthError("insufficient_aal");
  const challenge = await tx
    .selectFrom("factor_challenges")
    .select("id")
    .where("id", "=", challengeId)
    .where("factor_id", "=", factorId)
    .where("session_id", "=", caller.sessionId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!challenge) return new AuthError("mfa_challenge_expired");
  const step = acceptedStep(
    services.keys.decrypt(secretPurpose, factor.secret),
    code.replaceAll(/\s/g, ""),
    now,
    factor.last_step,
  );
  if (step === undefined) return new AuthError("mfa_verification_failed");
  await deleteChallenge(tx, challenge.id);
  await markFactorVerified(tx, factorId, step, now);
  if (factor.status === "unverified") {
    const user = await requireUser(tx, caller.userId);
    const change = { kind: "factor_added", factorId, isFirst: !caller.hasFactor, passkey: false } as const;
    await recordAccountChange(tx, context, user, change);
    await endSessions(tx, caller.userId, "others", caller.sessionId);
    await broadcastAccountChange(tx, caller.userId);
  }
  return upgradeSession(tx, services, { id: caller.sessionId, userId: caller.userId, amr: caller.amr }, "totp");
}

const isFactorVerified = (reader: Reader, userId: string, factorId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from factors where id = ${factorId} and user_id = ${userId} and status = 'verified'`;

/** Removes a factor and ends every other session. A verified one needs the second level and recent authentication. */
export async function removeFactor(
  context: AccountContext,
  caller: AuthenticatedSession,
  factorId: string,
  reauthentication: ReauthenticationInput,
): Promise<void> {
  const { services } = context;
  if (await isFactorVerified(services.database.db, caller.userId, factorId))
    await requireRecentCaller(context, caller, reauthentication);
  await services.database.transaction(async (tx) => {
    const user = await requireUser(tx, caller.userId);
    const factor = await lockFactor(tx, caller.userId, factorId);
    if (!factor) throw new AuthError("mfa_factor_not_found");
    await deleteFactor(tx, factorId);
    if (factor.status !== "verified") return;
    const others = await tx
      .selectFrom("factors")
      .select("kind")
      .where("user_id", "=", caller.userId)
      .where("status", "=", "verified")
      .execute();
    const left = others.length > 0;
    const isLastPasskey = factor.kind === "passkey" && !others.some(({ kind }) => kind === "passkey");
    if (isLastPasskey && !hasAnotherWayIn(services, user)) throw new AuthError("last_way_in");
    if (!left) await deleteRecoveryCodes(tx, caller.userId);
    await endSessions(tx, caller.userId, "others", caller.sessionId);
    await downgradeSessions(tx, caller.userId, left ? caller.sessionId : undefined);
    await recordAccountChange(tx, context, user, { kind: "factor_removed", isLast: !left, factors: [factor] });
    await broadcastAccountChange(tx, caller.userId);
  });
  services.wake();
}

/** Returns true if the user can sign in without a passkey: by an emailed code, or by the number with the password or a code by SMS. */
function hasAnotherWayIn({ config }: PlatformServices, user: UserRow): boolean {
  const hasCodes = config.demo || config.twilio !== undefined;
  return Boolean(user.email_confirmed_at ?? (user.phone_confirmed_at && (user.password_hash ?? hasCodes)));
}
