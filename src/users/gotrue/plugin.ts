import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#platform/errors.ts";
import { clientAddress } from "#platform/http/client-address.ts";
import { logFailure, problemOf } from "#platform/http/problems.ts";
import { networkOf } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { AuthError } from "../auth-errors.ts";
import { authProvider } from "../providers/provider-choice.ts";
import { lifetimes, normalizeEmail, normalizePhone } from "../rules.ts";
import { publishedKeys } from "../sessions/signing-keys.ts";
import { type AuthCall, readCall } from "./call.ts";
import {
  deleteFactor,
  postChallenge,
  postFactor,
  postFactorCode,
  deletePasskey,
  getPasskeys,
  patchPasskey,
  postAuthentication,
  postAuthenticationOptions,
  postRegistration,
  postRegistrationOptions,
  deleteRecoveryCodes,
  getRecoveryCodes,
  postRecoveryCode,
  postRecoveryCodes,
} from "./endpoints/factors.ts";
import { postLogout } from "./endpoints/logout.ts";
import { getReauthenticate, postOtp, postRecover, postResend } from "./endpoints/messages.ts";
import { postSignup } from "./endpoints/signup.ts";
import { postToken } from "./endpoints/token.ts";
import { getUser, putUser } from "./endpoints/user.ts";
import { postVerify } from "./endpoints/verify.ts";
import { hostedProxyRoutes } from "./hosted-proxy.ts";
import { oidcRoutes } from "./oidc.ts";

type Endpoint = (call: AuthCall) => Promise<object | undefined>;

const apiVersion = "2024-01-01";

const endpoints: readonly (readonly ["GET" | "POST" | "PUT" | "PATCH" | "DELETE", string, Endpoint])[] = [
  [
    "GET",
    "/health",
    async () => ({ name: "GoTrue", version: "stagedoor", description: "Stagedoor accounts, GoTrue-compatible" }),
  ],
  ["GET", "/settings", getSettings],
  ["POST", "/signup", postSignup],
  ["POST", "/token", postToken],
  ["POST", "/logout", postLogout],
  ["POST", "/verify", postVerify],
  ["POST", "/otp", postOtp],
  ["POST", "/magiclink", postOtp],
  ["POST", "/recover", postRecover],
  ["POST", "/resend", postResend],
  ["GET", "/reauthenticate", getReauthenticate],
  ["GET", "/user", getUser],
  ["PUT", "/user", putUser],
  ["POST", "/factors", postFactor],
  ["POST", "/factors/:factorId/challenge", postChallenge],
  ["POST", "/factors/:factorId/verify", postFactorCode],
  ["DELETE", "/factors/:factorId", deleteFactor],
  ["GET", "/factors/recovery-codes", getRecoveryCodes],
  ["POST", "/factors/recovery-codes", postRecoveryCodes],
  ["POST", "/factors/recovery-codes/regenerate", postRecoveryCodes],
  ["POST", "/factors/recovery-codes/verify", postRecoveryCode],
  ["DELETE", "/factors/recovery-codes", deleteRecoveryCodes],
  ["POST", "/passkeys/registration/options", postRegistrationOptions],
  ["POST", "/passkeys/registration/verify", postRegistration],
  ["POST", "/passkeys/authentication/options", postAuthenticationOptions],
  ["POST", "/passkeys/authentication/verify", postAuthentication],
  ["GET", "/passkeys", getPasskeys],
  ["PATCH", "/passkeys/:factorId", patchPasskey],
  ["DELETE", "/passkeys/:factorId", deletePasskey],
];

async function getSettings(call: AuthCall) {
  return {
    external: { email: true, phone: true, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: call.context.services.config.demo || call.context.services.config.twilio ? "sms" : "",
    saml_enabled: false,
    mfa_enabled: true,
  };
}

/** Serves accounts, GoTrue-compatible, under /auth/v1: sign-up, sign-in, sessions, codes, second factors. Other calls of the protocol return 501. */
export const authPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-supabase-api-version": apiVersion });
  });
  app.setErrorHandler((error, request, reply) => sendAuthError(services, error, request, reply));
  app.get("/verify", async (request, reply) => reply.redirect(confirmPage(request), 303));
  if (authProvider(services).kind === "gotrue-hosted") {
    await app.register(hostedProxyRoutes(services));
    return;
  }
  const { oidc } = services.config;
  if (oidc) await app.register(oidcRoutes(services, oidc));
  for (const [method, url, handler] of endpoints)
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const body = await handler(readCall(services, request, reply));
        return body === undefined ? reply.code(204).send() : reply.send(body);
      },
    });
  app.get("/.well-known/jwks.json", async (_request, reply) =>
    reply.header("cache-control", `public, max-age=${lifetimes.keyCache}`).send(await publishedKeys(services)),
  );
  app.all("/*", async () => {
    throw new AuthError("not_served", "This endpoint is not offered here.");
  });
};

/** A link in the protocol's own form redirects to the page with the button. Opening it does not use it. */
function confirmPage(request: FastifyRequest): string {
  const query = request.query as Record<string, unknown>;
  const token = query["token_hash"] ?? query["token"];
  return `${paths.confirm}?${new URLSearchParams({ token_hash: typeof token === "string" ? token : "", type: typeof query["type"] === "string" ? query["type"] : "" })}`;
}

function sendAuthError(services: PlatformServices, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = problemOf(error);
  logFailure(services.log, { error, problem, requestId: request.id });
  const failure = problem ? failureOf(problem) : new AuthError("unexpected_failure");
  logAuthError(services, { request, code: failure.code, status: failure.status });
  if (problem?.retryAfterSeconds) reply.header("retry-after", String(problem.retryAfterSeconds));
  return reply.code(failure.status).send({
    code: failure.code,
    error_code: failure.code,
    message: failure.message,
    msg: failure.message,
    ...failure.more,
  });
}

/** Logs failed sign-ins and refused calls without secrets (ASVS 16.3). `subject` is a keyed hash of the entered address. */
function logAuthError(
  services: PlatformServices,
  { request, code, status }: { request: FastifyRequest; code: string; status: number },
): void {
  if (status >= 500) return;
  const body = request.body as { email?: unknown; phone?: unknown } | null | undefined;
  const typed = normalizeEmail(body?.email) ?? normalizePhone(body?.phone);
  services.log.warn(
    {
      event: "auth_refused",
      code,
      status,
      path: request.routeOptions.url,
      requestId: request.id,
      network: networkOf(clientAddress(request)),
      ...(typed ? { subject: services.keys.hmac("log subject", typed).toString("base64url").slice(0, 16) } : {}),
    },
    "an account request was refused",
  );
}

function failureOf(
  problem: Problem,
): Pick<AuthError, "status" | "code" | "message"> & Partial<Pick<AuthError, "more">> {
  if (problem instanceof AuthError) return problem;
  const code =
    problem.kind === "too_many"
      ? "over_request_rate_limit"
      : problem.kind === "invalid"
        ? "validation_failed"
        : problem.code;
  return { status: problem.status, code, message: problem.message };
}
