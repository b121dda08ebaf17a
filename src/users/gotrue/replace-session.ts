/** A sign-in in a browser that is signed in already: the former session ends, because nobody would find it any more. */
import type { Reader, Tx } from "#platform/db/index.ts";
import { type AmrMethod, type OpenSession, endSession, openSession } from "../sessions/sessions.store.ts";
import { tokenHash } from "../sessions/refresh-tokens.store.ts";
import type { AuthCall } from "./call.ts";
import { readRefreshCookie } from "./cookies.ts";

type CookieSession = { userId: string; sessionId: string };

/** The session of the browser's cookie, whoever it belongs to; undefined without one. */
export async function findCookieSession(reader: Reader, call: AuthCall): Promise<CookieSession | undefined> {
  const token = readRefreshCookie(call);
  if (token === undefined) return undefined;
  return reader
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .select(["sessions.id as sessionId", "sessions.user_id as userId"])
    .where("refresh_tokens.hash", "=", tokenHash(token))
    .executeTakeFirst();
}

/** Opens a session for a sign-in; in cookie mode it ends the one that this browser's cookie named (ASVS 7.2.4). */
export async function replaceSession(tx: Tx, call: AuthCall, userId: string, method: AmrMethod): Promise<OpenSession> {
  const former = call.cookieMode ? await findCookieSession(tx, call) : undefined;
  if (former) await endSession(tx, former.userId, former.sessionId);
  return openSession(tx, call.services, userId, method, call.device);
}
