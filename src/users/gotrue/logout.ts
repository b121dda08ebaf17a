/** Signing out: this session, the others, or all. */
import { AuthError } from "../auth-errors.ts";
import { type LogoutScope, endSessions, logoutScopes } from "../sessions/sessions.store.ts";
import { findTokenSubject } from "../sessions/access-tokens.ts";
import { isRecentlyAuthenticated } from "../authentication/reauthentication.ts";
import { findCookieSession } from "./replace-session.ts";
import { type AuthCall, requireCaller } from "./call.ts";
import { clearRefreshCookie } from "./cookies.ts";

type Session = { userId: string; sessionId: string };
type Who = Session & { lacksFactor: boolean };

/**
 * POST /logout?scope=global|local|others. A session whose second factor is still to come, or whose last authentication is older than
 * five minutes, ends itself and no other: `global` ends it and is refused with insufficient_aal (401) or reauthentication_needed (403),
 * at which the client forgets the session. A browser whose access token has run out may still
 * end its own session by its cookie. The cookie of another session, into which the browser has signed in meanwhile, is left alone.
 */
export async function logOut(call: AuthCall): Promise<undefined> {
  const asked = call.query["scope"] ?? "global";
  const scope = logoutScopes.find((one) => one === asked);
  if (!scope) throw new AuthError("validation_failed", `Unsupported logout scope "${asked.slice(0, 40)}"`);
  const cookieSession = call.cookieMode ? await findCookieSession(call.services.database.db, call) : undefined;
  const named = call.bearer ? await findTokenSubject(call.services, call.bearer) : undefined;
  const goesOn = cookieSession && named && cookieSession.sessionId !== named.sessionId;
  const outlives = goesOn && !(scope === "global" && cookieSession.userId === named.userId);
  if (call.cookieMode && scope !== "others" && !outlives) clearRefreshCookie(call);
  const who = await findWho(call, scope, goesOn ? undefined : cookieSession);
  const errorCode = scope === "local" ? undefined : await errorForEndingOthers(call, who);
  if (!errorCode || scope === "global") {
    const ended = errorCode ? "local" : scope;
    await call.services.database.transaction((tx) => endSessions(tx, who.userId, ended, who.sessionId));
  }
  // At 401 and 403 the protocol's client forgets the session, which has ended; a session that goes on is refused with 400.
  if (errorCode)
    throw new AuthError(
      errorCode,
      undefined,
      {},
      scope === "global" && errorCode !== "insufficient_aal" ? 403 : undefined,
    );
  return undefined;
}

/** Why this session may not end the others: its second factor is still to come, or its last authentication is too old. */
async function errorForEndingOthers(
  call: AuthCall,
  who: Who,
): Promise<"insufficient_aal" | "reauthentication_needed" | undefined> {
  if (who.lacksFactor) return "insufficient_aal";
  if (await isRecentlyAuthenticated(call.services, who.sessionId)) return undefined;
  const other = await call.services.database.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", who.userId)
    .where("id", "<>", who.sessionId)
    .executeTakeFirst();
  return other && "reauthentication_needed";
}

async function findWho(call: AuthCall, scope: LogoutScope, cookieSession: Session | undefined): Promise<Who> {
  try {
    const { userId, sessionId, hasFactor, aal } = await requireCaller(call);
    return { userId, sessionId, lacksFactor: hasFactor && aal !== "aal2" };
  } catch (error) {
    if (scope === "local" && cookieSession) return { ...cookieSession, lacksFactor: true };
    throw error;
  }
}
