import { z } from "zod";
import { AuthError } from "../../auth-errors.ts";
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from "../../local-accounts/recovery-codes.ts";
import { type AuthCall, readBody, requireCaller, requireStrongCaller } from "../call.ts";
import { toSessionResponse } from "../responses.ts";

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
