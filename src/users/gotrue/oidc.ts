import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import type { Config } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { networkOf } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { authorizationUrl, newAttempt, OidcFailure, proveIdentity, redirectUri } from "../oidc/provider.ts";
import { type OidcProblem, oidcPaths } from "../oidc/rules.ts";
import { signInWithIdentity } from "../oidc/sign-in.ts";
import { type AuthCall, readCall } from "./call.ts";
import { attemptCookie, readRefreshCookie, setRefreshCookie } from "./cookies.ts";

const secretPurpose = "oidc attempt";
const attemptSeconds = 600;
const attemptShape = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), endsAt: z.number() });

const signInPage = (query: Record<string, string>) => `${paths.signIn}?${new URLSearchParams(query)}`;
const below = (address: string) => address.replace("/auth/v1", "");

export const oidcRoutes =
  (services: PlatformServices, oidc: NonNullable<Config["oidc"]>) => async (app: FastifyInstance) => {
    const cookie = attemptCookie(services);
    const now = () => services.realClock.now().getTime();

    app.get(below(oidcPaths.start), async (request, reply) => {
      const call = readCall(services, request, reply);
      // The cookie must exist when the provider redirects the browser back.
      if (call.context.site !== services.config.publicUrl)
        return reply.redirect(`${services.config.publicUrl}${oidcPaths.start}`, 303);
      return redirectTo(call, reply, async () => {
        await services.limits.hit(`oidc ${call.context.block}`, call.context.isShared ? 500 : 60, 900);
        const attempt = newAttempt();
        const address = await authorizationUrl(services.config, oidc, attempt);
        const payload = JSON.stringify({ ...attempt, endsAt: now() + attemptSeconds * 1000 });
        const options = { path: cookie.path, maxAgeSeconds: attemptSeconds };
        call.setCookie(cookie.name, services.keys.encrypt(secretPurpose, payload), options);
        return address.href;
      });
    });

    app.get(below(oidcPaths.callback), async (request, reply) => {
      const call = readCall(services, request, reply);
      return redirectTo(call, reply, async () => {
        const attempt = readAttempt(call.cookies[cookie.name]);
        call.setCookie(cookie.name, "", { path: cookie.path, maxAgeSeconds: 0 });
        if (!attempt || attempt.endsAt <= now() || !isSame(attempt.state, call.query["state"]))
          throw new OidcFailure("expired");
        const query = new URL(request.url, services.config.publicUrl).search;
        const proven = await proveIdentity(oidc, new URL(`${redirectUri(services.config)}${query}`), attempt);
        const context = { ...call.context, currentRefreshToken: readRefreshCookie(services, call.cookies) };
        const open = await signInWithIdentity(context, proven, oidc.label);
        setRefreshCookie(call, open.refreshToken);
        return signInPage({ returned: "1" });
      });
    });

    function readAttempt(stored: string | undefined) {
      try {
        return attemptShape.parse(JSON.parse(services.keys.decrypt(secretPurpose, stored ?? "")));
      } catch {
        return undefined;
      }
    }

    async function redirectTo(call: AuthCall, reply: FastifyReply, work: () => Promise<string>) {
      try {
        return await reply.redirect(await work(), 303);
      } catch (error) {
        const problem = problemOf(error);
        services.log[problem === "failed" ? "error" : "warn"](
          { event: "auth_refused", code: `oidc_${problem}`, network: networkOf(call.context.device.ip), err: error },
          "a sign-in with the organization's account was refused",
        );
        return reply.redirect(signInPage({ problem }), 303);
      }
    }
  };

function problemOf(error: unknown): OidcProblem {
  if (error instanceof OidcFailure) return error.problem;
  return error instanceof Problem && error.kind === "too_many" ? "too_many" : "failed";
}

function isSame(stored: string, given: string | undefined): boolean {
  const [one, other] = [Buffer.from(stored), Buffer.from(given ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}
