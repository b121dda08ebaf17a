/** Signing out: this session, the others, or all. */
import { AuthFailure } from "../failures.ts";
import { type LogoutScope, endSessions, logoutScopes } from "../sessions.ts";
import { tokenHash } from "../tokens/refresh.ts";
import { type AuthCall, requireCaller } from "./call.ts";
import { dropRefreshToken, keptRefreshToken } from "./cookies.ts";

/**
 * POST /logout?scope=global|local|others. A session whose second factor is still to come ends itself and no other: `global` ends it
 * and is refused with insufficient_aal, at which the client forgets the session. A browser whose access token has run out may still end its own session by its cookie. */
export async function logOut(call: AuthCall): Promise<undefined> {
  const asked = call.query["scope"] ?? "global";
  const scope = logoutScopes.find((one) => one === asked);
  if (!scope) throw new AuthFailure("validation_failed", `Unsupported logout scope "${asked.slice(0, 40)}"`);
  if (call.cookieMode && scope !== "others") dropRefreshToken(call);
  const who = await findWho(call, scope);
  const mayEndOthers = scope === "local" || !who.lacksFactor;
  if (mayEndOthers || scope === "global") {
    const ended = mayEndOthers ? scope : "local";
    await call.services.database.transaction((tx) => endSessions(tx, who.userId, ended, who.sessionId));
  }
  if (!mayEndOthers) throw new AuthFailure("insufficient_aal");
  return undefined;
}

type Who = { userId: string; sessionId: string; lacksFactor: boolean };

async function findWho(call: AuthCall, scope: LogoutScope): Promise<Who> {
  try {
    const { userId, sessionId, hasFactor, aal } = await requireCaller(call);
    return { userId, sessionId, lacksFactor: hasFactor && aal !== "aal2" };
  } catch (error) {
    const kept = call.cookieMode && scope === "local" ? keptRefreshToken(call) : undefined;
    const session = kept && (await sessionOf(call, kept));
    if (session) return { userId: session.user_id, sessionId: session.id, lacksFactor: true };
    throw error;
  }
}

const sessionOf = (call: AuthCall, token: string) =>
  call.services.database.db
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .select(["sessions.id", "sessions.user_id"])
    .where("refresh_tokens.hash", "=", tokenHash(token))
    .executeTakeFirst();
