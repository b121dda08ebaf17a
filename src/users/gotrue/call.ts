import type { FastifyReply, FastifyRequest } from "fastify";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Reader } from "#platform/db/index.ts";
import type { DB } from "#platform/db/schema.ts";
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
import { normalizeEmail, normalizePhone, lifetimes } from "../rules.ts";
import { signAccessToken } from "../sessions/access-tokens.ts";
import { randomToken } from "../sessions/refresh-tokens.store.ts";
import type { OpenSession } from "../sessions/sessions.store.ts";

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

/** Reads the call. Links in emails start with the configured address, or on loopback with the requested one. Throws for a browser of another site that requests cookies. */
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
    query: request.query as Record<string, string | undefined>,
    factorId: (request.params as { factorId?: string }).factorId ?? "",
    bearer: bearerOf(request.headers),
    cookies: request.cookies,
    cookieMode,
    setCookie: (name, value, options) => setCookie(reply, services, name, value, options),
  };
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

const metadataShape = z.record(z.string(), z.unknown()).catch({});

type Factor = Pick<
  Selectable<DB["factors"]>,
  "id" | "kind" | "friendly_name" | "status" | "created_at" | "updated_at" | "last_used_at"
>;

export async function toUserResponse(reader: Reader, userId: string) {
  const user = await reader
    .selectFrom("users")
    .leftJoin("profiles", "profiles.user_id", "users.id")
    .selectAll("users")
    .select("profiles.name as profile_name")
    .where("users.id", "=", userId)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  if (!user) throw new AuthError("user_not_found");
  const factors = await reader
    .selectFrom("factors")
    .select(["id", "kind", "friendly_name", "status", "created_at", "updated_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const email = user.email ?? "";
  return {
    id: user.id,
    aud: "authenticated",
    role: "authenticated",
    email,
    ...(user.email_confirmed_at
      ? { email_confirmed_at: user.email_confirmed_at, confirmed_at: user.email_confirmed_at }
      : {}),
    phone: user.phone ?? "",
    ...(user.phone_confirmed_at ? { phone_confirmed_at: user.phone_confirmed_at } : {}),
    ...(user.new_email ? { new_email: user.new_email } : {}),
    ...(user.new_phone ? { new_phone: user.new_phone } : {}),
    ...(user.last_sign_in_at ? { last_sign_in_at: user.last_sign_in_at } : {}),
    app_metadata: { provider: "email", providers: ["email"], has_password: user.password_hash !== null },
    user_metadata: { ...metadataShape.parse(user.user_metadata), name: user.profile_name ?? email },
    identities: [identity(user.id, email, user.email_confirmed_at !== null, user)],
    factors: factors.map(toFactorResponse),
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  };
}

type Times = { created_at: Date; last_sign_in_at: Date | null };

const identity = (userId: string, email: string, verified: boolean, times: Times) => ({
  identity_id: userId,
  id: userId,
  user_id: userId,
  identity_data: { sub: userId, email, email_verified: verified, phone_verified: false },
  provider: "email",
  email,
  created_at: times.created_at,
  updated_at: times.created_at,
  last_sign_in_at: times.last_sign_in_at ?? times.created_at,
});

const toFactorResponse = (factor: Factor) => ({
  id: factor.id,
  friendly_name: factor.friendly_name,
  factor_type: factor.kind === "passkey" ? "webauthn" : "totp",
  status: factor.status,
  ...(factor.last_used_at ? { last_challenged_at: factor.last_used_at } : {}),
  created_at: factor.created_at,
  updated_at: factor.updated_at,
});

/** Returns the response to a sign-up, made only from the input: it is the same for a known and an unknown address. */
export function toSignUpResponse(services: PlatformServices, email: string, metadata: Record<string, unknown>) {
  const at = services.realClock.now();
  const id = pseudonym(services.keys.hmac("sign-up answer", email));
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    confirmation_sent_at: at,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: metadata,
    identities: [identity(id, email, false, { created_at: at, last_sign_in_at: null })],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  };
}

function pseudonym(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export async function toSessionResponse(call: AuthCall, open: OpenSession) {
  const { services } = call.context;
  const { token, expiresAt } = await signAccessToken(services, open);
  if (call.cookieMode && !open.unchanged) setRefreshCookie(call, open.refreshToken);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: lifetimes.accessToken,
    expires_at: expiresAt,
    refresh_token: call.cookieMode ? cookiePlaceholder : open.refreshToken,
    user: await toUserResponse(services.database.db, open.userId),
  };
}

/** Cookie mode: an HttpOnly cookie has the refresh token. Under https its name starts with __Host-, which plain http cannot have (decision 0010). */
const isHttps = (services: PlatformServices) => services.config.publicUrl.startsWith("https:");

export const cookiePlaceholder = "cookie";
/** Readable by scripts and without a secret. A public page renders the right header before paint with it. */
const signedInCookie = "signed_in";

type Cookie = "refresh" | "signup" | "passkey" | "oidc";
const nameOf = (services: PlatformServices, cookie: Cookie) =>
  `${isHttps(services) ? "__Host-" : "stagedoor_"}${cookie}`;
const place = (services: PlatformServices) => ({ path: isHttps(services) ? "/" : "/auth/v1" });

export function setRefreshCookie({ context: { services }, setCookie }: AuthCall, token: string): void {
  setCookie(nameOf(services, "refresh"), token, { ...place(services), maxAgeSeconds: lifetimes.sessionIdle });
  setCookie(signedInCookie, "1", { httpOnly: false, maxAgeSeconds: lifetimes.sessionIdle });
}

export function clearRefreshCookie({ context: { services }, setCookie }: AuthCall): void {
  setCookie(nameOf(services, "refresh"), "", { ...place(services), maxAgeSeconds: 0 });
  setCookie(signedInCookie, "", { httpOnly: false, maxAgeSeconds: 0 });
}

export const readRefreshCookie = (services: PlatformServices, cookies: AuthCall["cookies"]): string | undefined =>
  cookies[nameOf(services, "refresh")] || undefined;

const browserSecret = (cookie: Cookie, maxAgeSeconds: number) => {
  const read = ({ context: { services }, cookies }: AuthCall) => cookies[nameOf(services, cookie)] || undefined;
  return {
    read,
    current: (call: AuthCall) => read(call) ?? randomToken(),
    set: ({ context: { services }, setCookie }: AuthCall, secret: string) =>
      setCookie(nameOf(services, cookie), secret, { ...place(services), maxAgeSeconds }),
  };
};

/** The browser that signs up. Its own confirmation retains the chosen password. */
export const signupSecret = browserSecret("signup", lifetimes.signupLink);

/** The browser that signs in with a passkey. Only this browser can use its challenge. */
export const passkeySecret = browserSecret("passkey", lifetimes.challenge);

export const attemptCookie = (services: PlatformServices) => ({ name: nameOf(services, "oidc"), ...place(services) });
