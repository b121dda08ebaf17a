import type { Reader, Tx } from "#platform/db/index.ts";
import { recordAccountChange } from "../account-changes/account-changes.store.ts";
import { AuthError } from "../auth-errors.ts";
import { type AuthenticatedSession, requireRecentCaller } from "../authentication/authenticated-session.ts";
import {
  deleteRecoveryCodes,
  makeHashedCodes,
  findRecoveryCode,
  replaceRecoveryCodes,
  consumeRecoveryCode,
} from "../mfa/recovery-codes.store.ts";
import { endSessions, upgradeSession } from "../sessions/sessions.store.ts";
import { requireUser, type UserRow } from "../store.ts";
import { countFactorCode } from "../verification/attempt-limits.ts";
import type { AccountContext } from "./context.ts";

export async function countRecoveryCodes(reader: Reader, userId: string) {
  const rows = await reader.selectFrom("recovery_codes").select("used_at").where("user_id", "=", userId).execute();
  return { total: rows.length, remaining: rows.filter((row) => row.used_at === null).length };
}

/** Makes and returns ten codes, and voids older ones. They cannot be read again. Needs recent authentication. */
export async function makeRecoveryCodes(
  context: AccountContext,
  caller: AuthenticatedSession,
): Promise<readonly string[]> {
  const { services } = context;
  if (!caller.hasFactor) throw new AuthError("mfa_factor_not_found", "Set up a second factor first.");
  await requireRecentCaller(context, caller, {});
  const made = await makeHashedCodes(services);
  await services.database.transaction(async (tx) => {
    const user = await requireUser(tx, caller.userId);
    await replaceRecoveryCodes(tx, services, caller.userId, made);
    await recordChange(tx, context, caller, user, true);
  });
  services.wake();
  return made.map(({ code }) => code);
}

export async function verifyRecoveryCode(context: AccountContext, caller: AuthenticatedSession, code: string) {
  const { services } = context;
  const attempt = await countFactorCode(context, caller.userId);
  const session = { id: caller.sessionId, userId: caller.userId, amr: caller.amr };
  const found = caller.hasFactor ? await findRecoveryCode(services, caller.userId, code) : undefined;
  const open = await services.database.transaction(async (tx) => {
    if (!found) return undefined;
    const user = await requireUser(tx, caller.userId);
    if (!(await consumeRecoveryCode(tx, services, caller.userId, found))) return undefined;
    const { remaining: left } = await countRecoveryCodes(tx, caller.userId);
    await recordAccountChange(tx, context, user, { kind: "recovery_code_used", left });
    return upgradeSession(tx, services, session, "recovery_code");
  });
  if (!open)
    throw new AuthError(
      "mfa_verification_failed",
      "This recovery code is wrong or was already used. Enter another one.",
    );
  await attempt.succeeded();
  services.wake();
  return open;
}

export async function removeRecoveryCodes(context: AccountContext, caller: AuthenticatedSession): Promise<void> {
  const { services } = context;
  await requireRecentCaller(context, caller, {});
  await services.database.transaction(async (tx) => {
    const user = await requireUser(tx, caller.userId);
    const { numDeletedRows } = await deleteRecoveryCodes(tx, caller.userId);
    if (numDeletedRows > 0n) await recordChange(tx, context, caller, user, false);
  });
  services.wake();
}

async function recordChange(
  tx: Tx,
  context: AccountContext,
  caller: AuthenticatedSession,
  user: UserRow,
  made: boolean,
): Promise<void> {
  await recordAccountChange(tx, context, user, { kind: "recovery_codes", made });
  await endSessions(tx, user.id, "others", caller.sessionId);
}
