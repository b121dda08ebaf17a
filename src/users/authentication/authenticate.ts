import type { IncomingHttpHeaders } from "node:http";
import { allowCall } from "#platform/http/access.ts";
import { type Actor, requireActor } from "#platform/http/context.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError, asProblem } from "../auth-errors.ts";
import { authProvider } from "../providers/provider-choice.ts";
import type { Role } from "../rules.ts";
import { expiryOf } from "../sessions/access-tokens.ts";
import { requireSecondFactor, requireSession } from "./authenticated-session.ts";

/** Returns the user, or null without a token. Role and suspension are read now. Throws 401: bad_jwt, session_not_found, insufficient_aal or user_banned. */
export async function authenticate(services: PlatformServices, bearer: string | undefined): Promise<Actor | null> {
  if (!bearer) return null;
  try {
    const { userId, sessionId, role, email, emailVerified, name, aal, isRecent } = requireSecondFactor(
      await requireSession(services, bearer),
    );
    return { userId, sessionId, role, email, emailVerified, name, aal, isRecent };
  } catch (error) {
    throw error instanceof AuthError ? asProblem(error) : error;
  }
}

/** Returns the user of a request outside oRPC, for a file. Throws as the API does: 401 without a user, 403 for another role. Names the user in the log. */
export async function requireRole(
  services: PlatformServices,
  request: { headers: IncomingHttpHeaders; accountId?: string },
  role: Role,
): Promise<Actor> {
  const actor = await authenticate(services, bearerOf(request.headers));
  allowCall(role, { actor, services });
  const caller = requireActor({ actor });
  request.accountId = caller.userId;
  return caller;
}

/** Authentication for open streams. A hosted provider is queried again each time. */
export const streamAuth = (services: PlatformServices) => ({
  authenticate: async (bearer: string, sessionId: string): Promise<Actor | null> => {
    await authProvider(services).invalidateSession(sessionId);
    return authenticate(services, bearer);
  },
  expiryOf,
});
