/** Recent authentication, which is required before changes of sign-in data, ends of other sessions and irreversible actions. */

import { Problem } from "#platform/errors.ts";
import { limitBlock } from "#platform/http/client-address.ts";
import { type Actor, type Context, requireActor } from "#platform/http/context.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { authProvider } from "../providers/provider-choice.ts";
import { lifetimes } from "../rules.ts";
import { amrShape } from "../sessions/access-tokens.ts";
import { recordReauthentication } from "../sessions/sessions.store.ts";

export type ReauthenticationInput = { password?: string | undefined; code?: string | undefined };
type Who = Pick<Actor, "userId" | "sessionId" | "email">;

/**
 * Passes if the user authenticated in this session within the last five minutes, or does now by the password or the emailed code. A valid
 * one counts for the next five minutes of this session. Throws 403 `reauthentication_needed` without one and 403 or 422
 * `reauthentication_not_valid` for a wrong one. Attempts are counted.
 */
async function requireRecentAuthentication(
  services: PlatformServices,
  who: Who,
  block: string,
  given: ReauthenticationInput,
): Promise<void> {
  if (given.password === undefined && given.code === undefined) {
    if (await isRecentlyAuthenticated(services, who.sessionId)) return;
    throw new Problem("forbidden", "Enter your password again to continue.", { code: "reauthentication_needed" });
  }
  const provider = authProvider(services);
  if (given.password === undefined) await provider.verifyCode(who, block, given.code ?? "");
  else {
    await services.limits.hit(`fresh proof ${who.userId} ${block}`, 10, 900);
    await provider.verifyPassword(who, given.password);
  }
  await services.database.transaction((tx) => recordReauthentication(tx, who.sessionId, services.realClock.now()));
}

/** The same for the caller of an API call. Returns the caller. */
export async function requireRecentActor(context: Context, given: ReauthenticationInput = {}): Promise<Actor> {
  const actor = requireActor(context);
  await requireRecentAuthentication(context.services, actor, limitBlock(context.request), given);
  return actor;
}

/** The same under /auth/v1, with GoTrue's status (400) if nothing is given. */
export async function requireRecentCaller(
  services: PlatformServices,
  who: Who,
  block: string,
  given: ReauthenticationInput,
): Promise<void> {
  try {
    await requireRecentAuthentication(services, who, block, given);
  } catch (error) {
    const isNeeded = error instanceof Problem && error.code === "reauthentication_needed";
    throw isNeeded ? new AuthError("reauthentication_needed", error.message) : error;
  }
}

/** Returns true if the newest sign-in method or reauthentication of the session is at most five minutes old. */
export async function isRecentlyAuthenticated(services: PlatformServices, sessionId: string): Promise<boolean> {
  const session = await services.database.db
    .selectFrom("sessions")
    .select(["amr", "reauthenticated_at"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  const again = (session?.reauthenticated_at?.getTime() ?? 0) / 1000;
  const newest = Math.max(again, ...amrShape.parse(session?.amr).map((one) => one.timestamp));
  return services.realClock.now().getTime() / 1000 - newest <= lifetimes.recentAuthentication;
}
