import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { clientAddress, limitBlock } from "#platform/http/client-address.ts";
import { passedUnlistedProxy, bearerOf, siteOf } from "#platform/http/request-headers.ts";
import { setCookie } from "#platform/http/request.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "../auth-errors.ts";
import {
  type AuthenticatedSession,
  requireSecondFactor,
  requireSession,
} from "../authentication/authenticated-session.ts";
import type { AccountContext } from "../local-accounts/context.ts";
import { normalizeEmail, normalizePhone } from "../rules.ts";
import { readRefreshCookie } from "./cookies.ts";

export type AuthCall = Readonly<{
  context: AccountContext;
  body: unknown;
  query: Readonly<Record<string, string | undefined>>;
  factorId: string;
  bearer: string | undefined;
  cookies: Readonly<Record<string, string | undefined>>;
  cookieMode: boolean;
  setCookie(name: string, value: string, options?: Parameters<typeof setCookie>[4]): void;
}>;

/** Reads the call. Links in emails start with the configured address, or on loopback with the requested one. Throws for a browser of another site that requests cookies, and for a repeated parameter of the address. */
export function readCall(services: PlatformServices, request: FastifyRequest, reply: FastifyReply): AuthCall {
  const ip = clientAddress(request);
  const site = siteOf(request.headers.host, services.config.publicUrl);
  const cookieMode = request.headers["x-token-mode"] === "cookie";
  if (cookieMode) refuseOtherSites(request, [site, services.config.publicUrl]);
  return {
    context: {
      services,
      device: { userAgent: request.headers["user-agent"] ?? null, ip },
      block: limitBlock({ id: request.id, ip }),
      isShared: passedUnlistedProxy(request.headers, request.raw.socket.remoteAddress, services.config.trustedProxies),
      site,
      currentRefreshToken: cookieMode ? readRefreshCookie(services, request.cookies) : undefined,
    },
    body: request.body ?? {},
    query: readQuery(request.query as Record<string, string | string[] | undefined>),
    factorId: (request.params as { factorId?: string }).factorId ?? "",
    bearer: bearerOf(request.headers),
    cookies: request.cookies,
    cookieMode,
    setCookie: (name, value, options) => setCookie(reply, services, name, value, options),
  };
}

/** Throws for a parameter that the address has twice, because either value could be meant. */
function readQuery(given: Readonly<Record<string, string | string[] | undefined>>): AuthCall["query"] {
  const repeated = Object.keys(given).find((name) => Array.isArray(given[name]));
  if (repeated === undefined) return given as AuthCall["query"];
  throw new AuthError("validation_failed", `The address has "${repeated.slice(0, 40)}" more than once.`);
}

function refuseOtherSites(request: FastifyRequest, sites: readonly string[]): void {
  const { origin } = request.headers;
  const fetchSite = request.headers["sec-fetch-site"];
  if (origin !== undefined && !sites.some((site) => new URL(site).origin === origin)) throw new AuthError("cross_site");
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") throw new AuthError("cross_site");
}

/** Parses the body by a shape. Unknown names are ignored, because clients of the protocol send more than we serve. */
export function readBody<T>(call: AuthCall, shape: z.ZodType<T>): T {
  const read = shape.safeParse(call.body);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new AuthError("validation_failed", issue ? `${issue.path.join(".") || "body"}: ${issue.message}` : undefined);
}

export function requireEmail(text: unknown): string {
  const email = normalizeEmail(text);
  if (!email) throw new AuthError("validation_failed", "Unable to validate email address: invalid format");
  return email;
}

export function requirePhone(text: unknown): string {
  const phone = normalizePhone(text);
  if (!phone)
    throw new AuthError(
      "validation_failed",
      "Enter the phone number with + and the country code, like +1 512 555 0148.",
    );
  return phone;
}

export const requireCaller = (call: AuthCall): Promise<AuthenticatedSession> =>
  requireSession(call.context.services, call.bearer);

export const requireStrongCaller = async (call: AuthCall): Promise<AuthenticatedSession> =>
  requireSecondFactor(await requireCaller(call));
