import type { Reader, Tx } from "#platform/db/index.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import { type AmrMethod, endSession, openSession } from "../sessions/sessions.store.ts";
import type { AccountContext } from "./context.ts";

export async function findSessionOfToken(reader: Reader, refreshToken: string | undefined) {
  if (refreshToken === undefined) return undefined;
  return reader
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .select(["sessions.id as sessionId", "sessions.user_id as userId"])
    .where("refresh_tokens.hash", "=", tokenHash(refreshToken))
    .executeTakeFirst();
}

/** Opens a session for a sign-in, and ends the browser's former one (ASVS 7.2.4). */
export async function replaceSession(tx: Tx, context: AccountContext, userId: string, method: AmrMethod) {
  const former = await findSessionOfToken(tx, context.currentRefreshToken);
  if (former) await endSession(tx, former.userId, former.sessionId);
  return openSession(tx, context.services, userId, method, context.device);
}
