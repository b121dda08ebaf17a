/** Serves visitors from the replica, unless the same browser has just written. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/index.ts";
import { maxLagMs } from "#platform/db/replica.ts";
import { setCookie } from "#platform/http/request.ts";
import type { Services } from "./services.ts";

/** Its lifetime exceeds the replica's maximum lag. */
const recentWriteCookie = "recent_write";
const recentWriteSeconds = Math.ceil(maxLagMs / 1_000) + 1;

export function markWrites(app: FastifyInstance, services: Services): void {
  if (!services.replica) return;
  app.addHook("onRequest", (request, reply, done) => {
    if (!["GET", "HEAD", "OPTIONS"].includes(request.method))
      setCookie(reply, services, recentWriteCookie, "1", { maxAgeSeconds: recentWriteSeconds });
    done();
  });
}

export const hasJustWritten = ({ replica }: Services, request: FastifyRequest): boolean =>
  replica !== null && request.cookies[recentWriteCookie] !== undefined;

declare module "fastify" {
  interface FastifyRequest {
    publicDb?: Db | null;
  }
}

/** Undefined for the primary. Decided once per request. */
export function publicDbOf(services: Services, request: FastifyRequest): Db | undefined {
  const isVisitors = request.headers.authorization === undefined && !hasJustWritten(services, request);
  request.publicDb ??= (isVisitors && services.replica?.serves() && services.replica.db) || null;
  return request.publicDb ?? undefined;
}
