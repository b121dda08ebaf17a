/** Recovery codes under the protocol's names. They belong to a verified authenticator app and go with it. */
import { z } from "zod";
import type { Reader, Tx } from "#platform/db/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import {
  makeRecoveryCodes as makeHashedCodes,
  deleteRecoveryCodes,
  findRecoveryCode,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from "../mfa/recovery-codes.store.ts";
import type { AuthenticatedSession } from "../authentication/authenticated-session.ts";
import { endSessions, upgradeSession } from "../sessions/sessions.store.ts";
import { type UserRow, lockUser } from "../store.ts";
import { requireRecentCaller } from "../authentication/reauthentication.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "./call.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import { presentSession } from "./present.ts";

const type = "recovery_code";

async function countCodes(reader: Reader, userId: string): Promise<{ total: number; remaining: number }> {
  const rows = await reader.selectFrom("recovery_codes").select("used_at").where("user_id", "=", userId).execute();
  return { total: rows.length, remaining: rows.filter((row) => row.used_at === null).length };
}

/** GET /factors/recovery-codes: how many are left, never which. */
export async function readRecoveryCodes(call: AuthCall) {
  const { userId } = await requireStrongCaller(call);
  const counted = await countCodes(call.services.database.db, userId);
  if (counted.total === 0) throw new AuthError("mfa_factor_not_found", "There are no recovery codes yet.");
  return { id: userId, type, ...counted };
}

/** POST /factors/recovery-codes and …/regenerate: ten codes, shown this once; older ones are void. */
export async function makeRecoveryCodes(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  if (!caller.hasFactor) throw new AuthError("mfa_factor_not_found", "Please set up an authenticator app first.");
  await requireRecentCaller(call.services, caller, call.device.ip, {});
  const made = await makeHashedCodes(call.services);
  await call.services.database.transaction(async (tx: Tx) => {
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AuthError("user_not_found");
    await replaceRecoveryCodes(tx, call.services, caller.userId, made);
    await settleChange(tx, call, caller, user, true);
  });
  const codes = made.map(({ code }) => code);
  call.services.wake();
  return { id: caller.userId, type, friendly_name: "Recovery codes", total: codes.length, codes };
}

const verifyShape = z.object({ code: z.string().max(60) });

/** POST /factors/recovery-codes/verify: the session becomes aal2 once per code. */
export async function verifyRecoveryCode(call: AuthCall) {
  const caller = await requireCaller(call);
  const { code } = readBody(call, verifyShape);
  const tried = await countFactorCode(call, caller.userId);
  const session = { id: caller.sessionId, userId: caller.userId, amr: caller.amr };
  const found = caller.hasFactor ? await findRecoveryCode(call.services, caller.userId, code) : undefined;
  const open = await call.services.database.transaction(async (tx) =>
    found && (await takeRecoveryCode(tx, call.services, caller.userId, found))
      ? upgradeSession(tx, call.services, session, "recovery_code")
      : undefined,
  );
  if (!open) throw new AuthError("mfa_verification_failed", "Invalid recovery code entered");
  await tried.succeeded();
  return presentSession(call, open);
}

/** DELETE /factors/recovery-codes */
export async function removeRecoveryCodes(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  await requireRecentCaller(call.services, caller, call.device.ip, {});
  await call.services.database.transaction(async (tx) => {
    const user = await lockUser(tx, caller.userId);
    if (!user) throw new AuthError("user_not_found");
    const { numDeletedRows } = await deleteRecoveryCodes(tx, caller.userId);
    if (numDeletedRows > 0n) await settleChange(tx, call, caller, user, false);
  });
  call.services.wake();
  return { id: caller.userId };
}

/** The owner is notified, and every other session ends. */
async function settleChange(
  tx: Tx,
  call: AuthCall,
  caller: AuthenticatedSession,
  user: UserRow,
  made: boolean,
): Promise<void> {
  await recordAccountChange(tx, call, user, { kind: "recovery_codes", made });
  await endSessions(tx, user.id, "others", caller.sessionId);
}
