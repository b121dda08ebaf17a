import type { FastifyInstance } from "fastify";
import { runNamed } from "#platform/db/index.ts";
import { clientAddress } from "#platform/http/client-address.ts";
import type { Log } from "#platform/log.ts";
import { networkOf } from "#platform/security/limits.ts";

declare module "fastify" {
  interface FastifyRequest {
    accountId?: string;
  }
}

/** Returns true for a denied request: not signed in, not permitted, too many, or an error of the accounts, such as a wrong password. */
const isRefused = (status: number, route: string): boolean =>
  status === 401 ||
  status === 403 ||
  status === 429 ||
  (status >= 400 && status < 500 && route.startsWith("/auth/v1/"));

export function nameRequests(app: FastifyInstance): void {
  app.addHook("preHandler", (request, _reply, done) =>
    runNamed(`${request.method} ${request.routeOptions.url ?? "none"}`, done),
  );
}

/** Logs at the level info. The address is cut to its network, because an entry must not identify a user. */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook("onResponse", (request, reply, done) => {
    if (!log.isLevelEnabled("info")) return done();
    const route = request.routeOptions.url ?? "none";
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        network: networkOf(clientAddress(request)),
        ...(request.accountId === undefined ? {} : { account: request.accountId }),
        ...(isRefused(reply.statusCode, route) ? { refused: true } : {}),
      },
      "request",
    );
    done();
  });
}
