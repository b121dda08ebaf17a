import type { Actor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError, asProblem } from "../auth-errors.ts";
import { authProvider } from "../providers/choice.ts";
import { expiryOf } from "../sessions/access-tokens.ts";
import { requireSecondFactor, requireSession } from "./authenticated-session.ts";

/**
 * Finds who presents this access token; null without one. The token proves user, session and level; everything else is read now.
 * Throws for: a bad or expired token (401 `bad_jwt`), an ended session (401 `session_not_found`), a person whose second factor
 * is still to come (401 `insufficient_aal`), a suspended one (401 `user_banned`: the session went with it).
 */
export async function authenticate(services: PlatformServices, bearer: string | undefined): Promise<Actor | null> {
  if (!bearer) return null;
  try {
    const { userId, sessionId, role, email, emailVerified, name, aal } = requireSecondFactor(
      await requireSession(services, bearer),
    );
    return { userId, sessionId, role, email, emailVerified, name, aal };
  } catch (error) {
    throw error instanceof AuthError ? asProblem(error) : error;
  }
}

/** How open streams ask who their bearer is: a hosted provider is asked again each time, whatever it said a moment ago. */
export const streamAuth = (services: PlatformServices) => ({
  authenticate: async (bearer: string, sessionId: string): Promise<Actor | null> => {
    await authProvider(services).invalidateSession(sessionId);
    return authenticate(services, bearer);
  },
  expiryOf,
});
