/** Recovery codes under the protocol's names. They belong to a verified authenticator app and go with it. */
import { z } from "zod";
import type { Reader, Tx } from "#platform/db/index.ts";
import { AuthError } from "../auth-errors.ts";
import { deleteRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from "../mfa/recovery-codes.store.ts";
import { upgradeSession } from "../sessions/sessions.store.ts";
import { lockUser } from "../store.ts";
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
  const codes = await call.services.database.transaction(async (tx: Tx) => {
    await lockUser(tx, caller.userId);
    return replaceRecoveryCodes(tx, call.services, caller.userId);
  });
  return { id: caller.userId, type, friendly_name: "Recovery codes", total: codes.length, codes };
}

const verifyShape = z.object({ code: z.string().max(60) });

/** POST /factors/recovery-codes/verify: the session becomes aal2 once per code. */
export async function verifyRecoveryCode(call: AuthCall) {
  const caller = await requireCaller(call);
  const { code } = readBody(call, verifyShape);
  const tried = await countFactorCode(call, caller.userId);
  const session = { id: caller.sessionId, userId: caller.userId, amr: caller.amr };
  const open = await call.services.database.transaction(async (tx) =>
    caller.hasFactor && (await takeRecoveryCode(tx, call.services, caller.userId, code))
      ? upgradeSession(tx, call.services, session, "recovery_code")
      : undefined,
  );
  if (!open) throw new AuthError("mfa_verification_failed", "Invalid recovery code entered");
  await tried.succeeded();
  return presentSession(call, open);
}

/** DELETE /factors/recovery-codes */
export async function removeRecoveryCodes(call: AuthCall) {
  const { userId } = await requireStrongCaller(call);
  await call.services.database.transaction((tx) => deleteRecoveryCodes(tx, userId));
  return { id: userId };
}
