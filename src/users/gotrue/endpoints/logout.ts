import { AuthError } from "../../auth-errors.ts";
import { findSessionOfToken } from "../../local-accounts/replace-session.ts";
import { type SignOutRefused, signOut } from "../../local-accounts/sign-out.ts";
import { findTokenSubject } from "../../sessions/access-tokens.ts";
import { type LogoutScope, logoutScopes } from "../../sessions/sessions.store.ts";
import { type AuthCall, requireCaller } from "../call.ts";
import { clearRefreshCookie } from "../cookies.ts";

type Session = { userId: string; sessionId: string };

/** A browser with an expired access token may end its own session by cookie. The cookie of another session does not change. */
export async function postLogout(call: AuthCall): Promise<undefined> {
  const requested = call.query["scope"] ?? "global";
  const scope = logoutScopes.find((one) => one === requested);
  if (!scope) throw new AuthError("validation_failed", `Unsupported logout scope "${requested.slice(0, 40)}"`);
  const { services, currentRefreshToken } = call.context;
  const cookieSession = await findSessionOfToken(services.database.db, currentRefreshToken);
  const named = call.bearer ? await findTokenSubject(services, call.bearer) : undefined;
  const isOther = cookieSession && named && cookieSession.sessionId !== named.sessionId;
  const outlives = isOther && !(scope === "global" && cookieSession.userId === named.userId);
  if (call.cookieMode && scope !== "others" && !outlives) clearRefreshCookie(call);
  const who = await findSigningOut(call, scope, isOther ? undefined : cookieSession);
  const refused = await signOut(call.context, who, scope);
  if (refused) throw errorOf(refused, scope);
  return undefined;
}

/** At 401 and 403 the protocol's client removes its session. If the session continues, the status is 400. */
const errorOf = (refused: SignOutRefused, scope: LogoutScope): AuthError =>
  new AuthError(refused, undefined, {}, scope === "global" && refused !== "insufficient_aal" ? 403 : undefined);

async function findSigningOut(call: AuthCall, scope: LogoutScope, cookieSession: Session | undefined) {
  try {
    const { userId, sessionId, hasFactor, aal } = await requireCaller(call);
    return { userId, sessionId, lacksFactor: hasFactor && aal !== "aal2" };
  } catch (error) {
    if (scope === "local" && cookieSession) return { ...cookieSession, lacksFactor: true };
    throw error;
  }
}
