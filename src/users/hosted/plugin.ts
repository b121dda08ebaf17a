/** The same door in front of a hosted GoTrue: its calls pass through, and browsers still get the refresh token in a cookie only. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { Floor } from "#platform/services.ts";
import { AuthFailure } from "../failures.ts";
import { type AuthCall, readCall } from "../gotrue/call.ts";
import { cookiePlaceholder, dropRefreshToken, keepRefreshToken, keptRefreshToken } from "../gotrue/cookies.ts";
import { forgetHosted, hostedUrl, tellHosted } from "./session.ts";

const passedOn = [
  "authorization",
  "apikey",
  "content-type",
  "x-supabase-api-version",
  "x-client-info",
  "user-agent",
] as const;
const passedBack = ["content-type", "x-supabase-api-version", "retry-after", "cache-control"] as const;

/** Passes every call on, but for the service's own administration. */
export const hostedRoutes =
  (services: Floor): FastifyPluginAsync =>
  async (app) => {
    app.all("/*", async (request, reply) => {
      const path = request.url.slice(app.prefix.length);
      if (/^\/(admin|invite|generate_link)\b/.test(path)) throw new AuthFailure("not_served");
      const call = readCall(services, request, reply);
      return passOn(call, path, request, reply);
    });
  };

async function passOn(call: AuthCall, path: string, request: FastifyRequest, reply: FastifyReply) {
  const { services } = call;
  const address = new URL(hostedUrl(services, path));
  if (address.searchParams.has("redirect_to")) address.searchParams.set("redirect_to", call.site);
  const isRefresh = address.pathname.endsWith("/token") && address.searchParams.get("grant_type") === "refresh_token";
  const answer = await fetch(address, {
    method: request.method,
    headers: { ...headersOf(request), "x-forwarded-for": request.ip },
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
    ...(["GET", "HEAD"].includes(request.method) ? {} : { body: bodyFor(call, isRefresh) }),
  }).catch(() => {
    throw new AuthFailure("hosted_unreachable");
  });
  if (request.method !== "GET") forgetHosted(services, call.bearer);
  const text = await answer.text();
  if (answer.ok && request.method !== "GET" && /^\/(logout|user|factors)\b/.test(path))
    await tellHosted(services, call.bearer);
  if (call.cookieMode && isLogout(address) && address.searchParams.get("scope") !== "others") dropRefreshToken(call);
  if (call.cookieMode && isRefresh && answer.status >= 400 && answer.status < 500) dropRefreshToken(call);
  for (const name of passedBack) {
    const value = answer.headers.get(name);
    if (value) reply.header(name, value);
  }
  if (!answer.headers.has("cache-control")) reply.header("cache-control", "no-store");
  if (answer.status >= 300 && answer.status < 400) return reply.redirect(`${call.site}/auth`, 303);
  return reply
    .code(answer.status)
    .send(answer.ok && call.cookieMode ? hideRefreshToken(call, text) : text || undefined);
}

const isLogout = (address: URL) => address.pathname.endsWith("/logout");

const headersOf = (request: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    passedOn.flatMap((name) => (typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : [])),
  );

function bodyFor(call: AuthCall, isRefresh: boolean): string {
  if (!isRefresh || !call.cookieMode) return JSON.stringify(call.body);
  const token = keptRefreshToken(call);
  if (!token) throw new AuthFailure("refresh_token_not_found");
  return JSON.stringify({ refresh_token: token });
}

/** Takes the refresh token out of an answer and puts it into the cookie. */
function hideRefreshToken(call: AuthCall, text: string): string {
  if (!text.includes('"refresh_token"')) return text;
  const body = JSON.parse(text) as { refresh_token?: unknown };
  if (typeof body.refresh_token !== "string") return text;
  keepRefreshToken(call, body.refresh_token);
  return JSON.stringify({ ...body, refresh_token: cookiePlaceholder });
}
