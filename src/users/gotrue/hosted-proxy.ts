/** The same endpoints in front of a hosted GoTrue. A fixed table of its calls is forwarded, and browsers get the refresh token in a cookie only. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import { requireSession, requireRecentCaller } from "../authentication/authenticated-session.ts";
import { type ServiceResponse, callService, checkService, errorCodeOf } from "../providers/gotrue-hosted/client.ts";
import {
  invalidateSessions,
  rejectEndedSession,
  syncSession,
  verifyHostedToken,
} from "../providers/gotrue-hosted/sessions.ts";
import { hostedUserShape } from "../providers/gotrue-hosted/sync.store.ts";
import { type LogoutScope, endSessions, logoutScopes } from "../sessions/sessions.store.ts";
import { type AuthCall, readBody, readCall } from "./call.ts";
import { cookiePlaceholder, clearRefreshCookie, setRefreshCookie } from "./cookies.ts";
import { userUpdateShape } from "./endpoints/user.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";
/** The fronted calls. Addresses come from this table, and no path reaches the service's administration. GET /verify would use a link. */
const fronted: readonly (readonly [Method, string])[] = [
  ["GET", "/health"],
  ["GET", "/settings"],
  ["GET", "/.well-known/jwks.json"],
  ["POST", "/signup"],
  ["POST", "/token"],
  ["POST", "/logout"],
  ["POST", "/verify"],
  ["POST", "/otp"],
  ["POST", "/magiclink"],
  ["POST", "/recover"],
  ["POST", "/resend"],
  ["GET", "/reauthenticate"],
  ["GET", "/user"],
  ["PUT", "/user"],
  ["POST", "/factors"],
  ["POST", "/factors/:factorId/challenge"],
  ["POST", "/factors/:factorId/verify"],
  ["DELETE", "/factors/:factorId"],
  ["GET", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes/regenerate"],
  ["POST", "/factors/recovery-codes/verify"],
  ["DELETE", "/factors/recovery-codes"],
];
const passedOn = ["x-supabase-api-version", "x-client-info", "user-agent"] as const;
const passedBack = ["x-supabase-api-version", "retry-after"] as const;
/** Error codes of a renewal after which the cookie is useless. A rate limit is not one of them. */
const deadCodes = new Set([
  "refresh_token_not_found",
  "refresh_token_already_used",
  "session_expired",
  "session_not_found",
]);

export const hostedProxyRoutes = (services: PlatformServices) => async (app: FastifyInstance) => {
  app.addHook("onReady", () => checkService(services));
  for (const [method, url] of fronted)
    app.route({
      method,
      url,
      handler: (request, reply) => passOn(readCall(services, request, reply), { method, url }, request, reply),
    });
  app.all("/*", async () => {
    throw new AuthError("not_served", "This endpoint is not offered here.");
  });
};

async function passOn(
  call: AuthCall,
  to: { method: Method; url: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { services } = call.context;
  const query = queryOf(call, to.url);
  const isRefresh = query["grant_type"] === "refresh_token";
  const body = to.method === "GET" ? undefined : bodyFor(call, to.method, isRefresh);
  await requireRecentForChange(call, to, { scope: query["scope"], body });
  const response = await callService(services, {
    method: to.method,
    path: pathOf(call, to.url),
    query,
    bearer: call.bearer,
    headers: {
      ...headersOf(request),
      ...(call.context.device.ip ? { "x-forwarded-for": call.context.device.ip } : {}),
    },
    body,
  });
  if (to.url === "/logout") await followLogout(call, response, query["scope"]);
  else if (response.ok && to.method !== "GET" && call.bearer) await followChange(call, call.bearer);
  if (isRefresh && call.cookieMode && deadCodes.has(errorCodeOf(response))) clearRefreshCookie(call);
  // The client ends the session after any error that it does not repeat.
  if (isRefresh && call.cookieMode && response.status === 429) throw new AuthError("hosted_unreachable");
  for (const name of passedBack) {
    const value = response.headers.get(name);
    if (value) reply.header(name, value);
  }
  reply.header(
    "cache-control",
    to.url.startsWith("/.well-known") ? (response.headers.get("cache-control") ?? "no-store") : "no-store",
  );
  return reply.code(response.status).send(response.ok ? await welcome(call, response) : response.body);
}

/** Requires recent authentication here for a change of sign-in data: the service requires less, and only where it is so configured. */
async function requireRecentForChange(
  call: AuthCall,
  to: { method: Method; url: string },
  { scope, body }: { scope: string | undefined; body: unknown },
): Promise<void> {
  const { email, phone, password } = to.method === "PUT" ? userUpdateShape.parse(body) : {};
  const changesUser = Boolean(email) || Boolean(phone) || (password ?? undefined) !== undefined;
  const isFactorUse = to.url.endsWith("/challenge") || to.url.endsWith("/verify");
  const changesFactor = to.method !== "GET" && to.url.startsWith("/factors") && !isFactorUse;
  const endsOthers = to.url === "/logout" && scope === "others";
  if (!changesUser && !changesFactor && !endsOthers) return;
  await requireRecentCaller(call.context, await requireSession(call.context.services, call.bearer), {});
}

function pathOf(call: AuthCall, url: string): string {
  if (!url.includes(":factorId")) return url;
  if (!z.uuid().safeParse(call.factorId).success) throw new AuthError("mfa_factor_not_found");
  return url.replace(":factorId", call.factorId);
}

/** Returns the parameters of the fronted calls. Emails link to our own root, regardless of the requested address. */
function queryOf(call: AuthCall, url: string): Record<string, string> {
  const { grant_type: grant, scope, redirect_to: back } = call.query;
  if (url === "/token") {
    if (grant === "password" || grant === "refresh_token") return { grant_type: grant };
    if (grant && ["pkce", "id_token", "web3"].includes(grant)) throw new AuthError("not_served");
    throw new AuthError("validation_failed", "unsupported_grant_type");
  }
  if (url === "/logout") {
    const requested = logoutScopes.find((one) => one === (scope ?? "global"));
    if (!requested)
      throw new AuthError("validation_failed", `Unsupported logout scope "${String(scope).slice(0, 40)}"`);
    return { scope: requested };
  }
  return back === undefined ? {} : { redirect_to: call.context.site };
}

const headersOf = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    passedOn.flatMap((name) => (typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : [])),
  );

/** Returns the body for the service. PUT /user (the only PUT) is rebuilt: the service would read a name in another case as well. */
function bodyFor(call: AuthCall, method: Method, isRefresh: boolean): unknown {
  if (method === "PUT") return readBody(call, userUpdateShape);
  if (!isRefresh || !call.cookieMode) return call.body;
  const token = call.context.currentRefreshToken;
  if (!token) throw new AuthError("refresh_token_not_found");
  return { refresh_token: token };
}

/** Ends sessions that the service has ended here too, immediately and in every process. */
async function followLogout(call: AuthCall, response: ServiceResponse, scope: string | undefined): Promise<void> {
  const { services } = call.context;
  if (call.cookieMode && scope !== "others") clearRefreshCookie(call);
  if (!response.ok || !call.bearer) return;
  const { sub, session_id } = await verifyHostedToken(services, call.bearer);
  await services.database.transaction((tx) => endSessions(tx, sub, scope as LogoutScope, session_id));
}

async function followChange(call: AuthCall, bearer: string): Promise<void> {
  const { services } = call.context;
  const { sub } = await verifyHostedToken(services, bearer);
  await invalidateSessions(services, sub);
}

const sessionShape = z.object({ access_token: z.string(), refresh_token: z.string(), user: hostedUserShape });

/** Stores the session of a response with its origin, throws if it was ended here, and hides its refresh token. */
async function welcome(call: AuthCall, response: ServiceResponse): Promise<unknown> {
  const session = sessionShape.safeParse(response.body);
  if (!session.success) return response.body;
  const { access_token: token, refresh_token: refreshToken, user } = session.data;
  const { services, device } = call.context;
  try {
    const claims = await verifyHostedToken(services, token);
    await rejectEndedSession(services, claims, token);
    await syncSession(services, claims, { ...user, requestedAt: response.requestedAt }, device);
  } catch (error) {
    if (!(error instanceof AuthError) || error.code !== "session_not_found") throw error;
    if (call.cookieMode) clearRefreshCookie(call);
    throw new AuthError("refresh_token_not_found");
  }
  if (!call.cookieMode) return response.body;
  setRefreshCookie(call, refreshToken);
  return { ...(response.body as object), refresh_token: cookiePlaceholder };
}
