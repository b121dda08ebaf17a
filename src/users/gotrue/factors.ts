/** The second factor under the protocol's names: an authenticator app. */
import { z } from "zod";
import { brokenConstraint, type Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import {
  deleteChallenge,
  deleteFactor,
  deleteUnverifiedFactors,
  insertChallenge,
  insertFactor,
  lockFactor,
  markFactorVerified,
} from "../mfa/factors.store.ts";
import { deleteRecoveryCodes } from "../mfa/recovery-codes.store.ts";
import { acceptedStep, enrolmentOf, newSecret, secretPurpose } from "../mfa/totp.ts";
import { requireRecentCaller } from "../authentication/reauthentication.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { cleanName, factorsPerUser, lifetimes } from "../rules.ts";
import { type OpenSession, endSessions, upgradeSession, downgradeSessions } from "../sessions/sessions.store.ts";
import { broadcastAccountChange } from "../change-notifications.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import { lockUser } from "../store.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "./call.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import { presentSession } from "./present.ts";

const proofShape = z.object({ password: z.string().max(256).optional(), code: z.string().max(20).optional() });

const enrolShape = z.object({
  factor_type: z.string(),
  friendly_name: z.string().max(100).nullish(),
  issuer: z.string().max(100).nullish(),
});

/** POST /factors: asks for recent authentication, because an authenticator app is a way in that stays. */
export async function enrolFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  await requireRecentCaller(call.services, caller, call.device.ip, readBody(call, proofShape));
  const body = readBody(call, enrolShape);
  if (body.factor_type !== "totp")
    throw new AuthError("not_served", "Only authenticator apps (totp) are offered here.");
  const { services } = call;
  const secret = newSecret();
  const friendlyName = cleanName(body.friendly_name) ?? "";
  const now = services.clock.now();
  const id = await named(() =>
    services.database.transaction(async (tx) => {
      await lockUser(tx, caller.userId);
      await deleteUnverifiedFactors(tx, caller.userId);
      const present = await tx.selectFrom("factors").select("id").where("user_id", "=", caller.userId).execute();
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
  const { uri, qrCode } = enrolmentOf(secret, caller.email || caller.name, cleanName(body.issuer) ?? "Stagedoor");
  return { id, type: "totp", friendly_name: friendlyName, totp: { qr_code: qrCode, secret, uri } };
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw brokenConstraint(error) === "factors_name" ? new AuthError("mfa_factor_name_conflict") : error;
  }
}

/** An id that is none names no factor. */
function requireFactorId(call: AuthCall): string {
  if (!z.uuid().safeParse(call.factorId).success) throw new AuthError("mfa_factor_not_found");
  return call.factorId;
}

/** POST /factors/{id}/challenge */
export async function challengeFactor(call: AuthCall) {
  const caller = await requireCaller(call);
  const factorId = requireFactorId(call);
  const expiresAt = new Date(call.services.clock.now().getTime() + lifetimes.challenge * 1000);
  const id = await call.services.database.transaction(async (tx) => {
    if (!(await lockFactor(tx, caller.userId, factorId))) throw new AuthError("mfa_factor_not_found");
    const challenge = { factor_id: factorId, session_id: caller.sessionId, expires_at: expiresAt };
    return insertChallenge(tx, challenge);
  });
  return { id, type: "totp", expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

const verifyShape = z.object({ challenge_id: z.string(), code: z.string().max(20) });

/** POST /factors/{id}/verify: the session becomes aal2. A code works once. Turning a new factor on asks for recent authentication. */
export async function verifyFactor(call: AuthCall) {
  const caller = await requireCaller(call);
  const factorId = requireFactorId(call);
  const body = readBody(call, verifyShape);
  if (!(await isVerified(call, caller.userId, factorId)))
    await requireRecentCaller(call.services, caller, call.device.ip, {});
  if (!z.uuid().safeParse(body.challenge_id).success) throw new AuthError("mfa_challenge_expired");
  const tried = await countFactorCode(call, caller.userId);
  const verified = await call.services.database.transaction((tx) => proveFactor(tx, call, caller, factorId, body));
  if (verified instanceof AuthError) throw verified;
  await tried.succeeded();
  call.services.wake();
  return presentSession(call, verified);
}

async function proveFactor(
  tx: Tx,
  call: AuthCall,
  caller: AuthenticatedSession,
  factorId: string,
  body: z.infer<typeof verifyShape>,
): Promise<OpenSession | AuthError> {
  const { services } = call;
  const now = services.clock.now();
  const factor = await lockFactor(tx, caller.userId, factorId);
  if (!factor) return new AuthError("mfa_factor_not_found");
  if (factor.status === "unverified" && caller.hasFactor && caller.aal !== "aal2")
    return new AuthError("insufficient_aal");
  const challenge = await tx
    .selectFrom("factor_challenges")
    .select("id")
    .where("id", "=", body.challenge_id)
    .where("factor_id", "=", factorId)
    .where("session_id", "=", caller.sessionId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!challenge) return new AuthError("mfa_challenge_expired");
  const step = acceptedStep(
    services.keys.decrypt(secretPurpose, factor.secret),
    body.code.replaceAll(/\s/g, ""),
    now,
    factor.last_step,
  );
  if (step === undefined) return new AuthError("mfa_verification_failed");
  await deleteChallenge(tx, challenge.id);
  await markFactorVerified(tx, factorId, step, now);
  if (factor.status === "unverified") {
    const user = await lockUser(tx, caller.userId);
    if (!user) return new AuthError("user_not_found");
    const change = { kind: "factor_added", factorId, isFirst: !caller.hasFactor } as const;
    await recordAccountChange(tx, call, user, change);
    await endSessions(tx, caller.userId, "others", caller.sessionId);
    await broadcastAccountChange(tx, caller.userId);
  }
  return upgradeSession(tx, services, { id: caller.sessionId, userId: caller.userId, amr: caller.amr }, "totp");
}

const isVerified = async (call: AuthCall, userId: string, id: string): Promise<boolean> =>
  (await call.services.database.db
    .selectFrom("factors")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("status", "=", "verified")
    .executeTakeFirst()) !== undefined;

/**
 * DELETE /factors/{id}: a verified factor is removed by a session of the second level only, and after a recent authentication or
 * with a proof in the body; clients that send no body verify a factor again first. Every other session ends: the factor may have
 * been lost or stolen.
 */
export async function removeFactor(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const factorId = requireFactorId(call);
  if (await isVerified(call, caller.userId, factorId))
    await requireRecentCaller(call.services, caller, call.device.ip, readBody(call, proofShape));
  await call.services.database.transaction(async (tx) => {
    const factor = await lockFactor(tx, caller.userId, factorId);
    if (!factor) throw new AuthError("mfa_factor_not_found");
    await deleteFactor(tx, factorId);
    if (factor.status !== "verified") return;
    const left = await tx
      .selectFrom("factors")
      .select("id")
      .where("user_id", "=", caller.userId)
      .where("status", "=", "verified")
      .executeTakeFirst();
    if (!left) await deleteRecoveryCodes(tx, caller.userId);
    await endSessions(tx, caller.userId, "others", caller.sessionId);
    await downgradeSessions(tx, caller.userId, left ? caller.sessionId : null);
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AuthError("user_not_found");
    await recordAccountChange(tx, call, user, { kind: "factor_removed", isLast: !left, factors: [factor] });
    await broadcastAccountChange(tx, caller.userId);
  });
  call.services.wake();
  return { id: factorId };
}
