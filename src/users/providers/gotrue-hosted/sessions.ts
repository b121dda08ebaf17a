/** Sessions of a hosted GoTrue, queried at most once a minute over all processes. Role, suspension and the end of a session are decided here. */

import { type JWTPayload, errors, jwtVerify } from "jose";
import { z } from "zod";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../../auth-errors.ts";
import { broadcastAccessChange } from "../../change-notifications.ts";
import { lifetimes } from "../../rules.ts";
import { type AccessTokenClaims, assuranceLevels } from "../../sessions/access-tokens.ts";
import { endSession } from "../../sessions/sessions.store.ts";
import { callService, errorCodeOf, requireHostedConfig, serviceKeys, type ServiceResponse } from "./client.ts";
import {
  type FetchedUser,
  hostedUserShape,
  type SessionOrigin,
  syncAccount,
  markEndReported,
  requireSessionCheck,
} from "./sync.store.ts";

const trustSeconds = 60;
const claimsShape = z.object({
  sub: z.uuid(),
  session_id: z.uuid(),
  aal: z.enum(assuranceLevels).catch("aal1"),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).min(1),
  is_anonymous: z.boolean().catch(false),
});
type HostedClaims = z.infer<typeof claimsShape>;

/** Errors of the service that mean that the session is over. Others are failures, also a gateway's 403 or 404. */
const overCodes = new Set(["session_not_found", "session_expired", "user_not_found", "user_banned", "bad_jwt"]);

const isOver = (response: ServiceResponse): boolean => overCodes.has(errorCodeOf(response));

/** Returns the token's claims after the service confirmed its session. Stores user and session here. */
export async function readHostedToken(services: PlatformServices, token: string): Promise<AccessTokenClaims> {
  const claims = await verifyHostedToken(services, token);
  if (!(await wasCheckedRecently(services, claims))) {
    await rejectEndedSession(services, claims, token);
    await syncSession(services, claims, await fetchUser(services, token, claims));
  }
  return { userId: claims.sub, sessionId: claims.session_id, aal: claims.aal };
}

async function wasCheckedRecently(services: PlatformServices, claims: HostedClaims): Promise<boolean> {
  const row = await services.database.db
    .selectFrom("sessions")
    .select("checked_at")
    .where("id", "=", claims.session_id)
    .where("user_id", "=", claims.sub)
    .executeTakeFirst();
  const now = services.realClock.now().getTime();
  return row?.checked_at != null && Math.abs(now - row.checked_at.getTime()) <= trustSeconds * 1000;
}

/** Checks signature, issuer, audience, time and age (at most 180 days, as for local sessions). */
export async function verifyHostedToken(services: PlatformServices, token: string): Promise<HostedClaims> {
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, serviceKeys(services), {
      audience: "authenticated",
      issuer: requireHostedConfig(services).issuer,
      requiredClaims: ["exp", "iat"],
      algorithms: ["ES256", "RS256", "EdDSA"],
      currentDate: services.realClock.now(),
    }));
  } catch (error) {
    throw new AuthError(isUnreachable(error) ? "hosted_unreachable" : "bad_jwt");
  }
  const claims = claimsShape.safeParse(payload);
  if (!claims.success) throw new AuthError("bad_jwt");
  if (claims.data.is_anonymous) throw new AuthError("anonymous_provider_disabled");
  const openedAt = Math.min(...claims.data.amr.map((one) => one.timestamp));
  if (services.realClock.now().getTime() / 1000 - openedAt > lifetimes.sessionAtMost)
    throw new AuthError("session_not_found");
  return claims.data;
}

/** jose has an error code for each invalid token. Without one the keys could not be fetched. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true;
  return error instanceof errors.JOSEError ? error.code === "ERR_JOSE_GENERIC" : error instanceof TypeError;
}

/** Throws session_not_found for a session that was ended here, and ends it at the service too. */
export async function rejectEndedSession(services: PlatformServices, claims: HostedClaims, token: string) {
  const { database } = services;
  const mark = await database.db
    .selectFrom("ended_sessions")
    .select("notified")
    .where("id", "=", claims.session_id)
    .executeTakeFirst();
  if (!mark) return;
  if (!mark.notified && (await endSessionAtService(services, token)))
    await database.transaction((tx) => markEndReported(tx, claims.session_id));
  throw new AuthError("session_not_found");
}

/** Ends a session at the service by its own token. Logs and returns false if the service does not confirm it. */
export async function endSessionAtService(services: PlatformServices, token: string): Promise<boolean> {
  try {
    const response = await callService(services, {
      method: "POST",
      path: "/logout",
      query: { scope: "local" },
      bearer: token,
      body: {},
    });
    if (response.ok || isOver(response)) return true;
    services.log.warn({ status: response.status }, "a session could not be ended at the sign-in service");
  } catch (error) {
    services.log.warn({ err: error }, "a session could not be ended at the sign-in service");
  }
  return false;
}

async function fetchUser(services: PlatformServices, token: string, claims: HostedClaims): Promise<FetchedUser> {
  const response = await callService(services, { method: "GET", path: "/user", bearer: token });
  const user = response.ok ? hostedUserShape.safeParse(response.body) : undefined;
  if (user?.success && user.data.id === claims.sub) return { ...user.data, requestedAt: response.requestedAt };
  if (response.ok || !isOver(response)) throw new AuthError("hosted_unreachable");
  await services.database.transaction((tx) => endSession(tx, claims.sub, claims.session_id));
  throw new AuthError("session_not_found");
}

export async function syncSession(
  services: PlatformServices,
  claims: HostedClaims,
  user: FetchedUser,
  origin: SessionOrigin = { userAgent: null, ip: null },
): Promise<void> {
  await syncAccount(services, user, { id: claims.session_id, aal: claims.aal, amr: claims.amr }, origin);
  services.wake();
}

export const invalidateSession = (services: PlatformServices, sessionId: string) =>
  services.database.transaction((tx) => requireSessionCheck(tx, { column: "id", value: sessionId }));

/** Makes the next request of each of the user's sessions query the service again, in every process. Open streams do so immediately. */
export const invalidateSessions = (services: PlatformServices, userId: string) =>
  services.database.transaction(async (tx) => {
    await requireSessionCheck(tx, { column: "user_id", value: userId });
    await broadcastAccessChange(tx, userId);
  });
