/** Which requests may be answered from the replica: a visitor's, unless the same browser has just written. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/index.ts";
import { mostLagMs } from "#platform/db/replica/replica.ts";
import { setCookie } from "#platform/http/request.ts";
import type { Services } from "./services.ts";

/** A browser has it for longer after a write than the replica may be behind. */
const writtenCookie = "recent_write";
const writtenSeconds = Math.ceil(mostLagMs / 1_000) + 1;

/** Gives the browser a short-lived cookie with the answer to each request that may write. */
export function markWrites(app: FastifyInstance, services: Services): void {
  if (!services.replica) return;
  app.addHook("onRequest", (request, reply, done) => {
    if (!["GET", "HEAD", "OPTIONS"].includes(request.method))
      setCookie(reply, services, writtenCookie, "1", { maxAgeSeconds: writtenSeconds });
    done();
  });
}

/** Whether the browser has written so recently that the replica may lack it. */
export const hasJustWritten = ({ replica }: Services, request: FastifyRequest): boolean =>
  replica !== null && request.cookies[writtenCookie] !== undefined;

declare module "fastify" {
  interface FastifyRequest {
    /** What the public reads of this API request use, once it is decided; null: the primary. */
    publicDb?: Db | null;
  }
}

/** Returns what the public reads of an API request use if it is not the primary, decided once for the request. */
export function publicDbOf(services: Services, request: FastifyRequest): Db | undefined {
  const isVisitors = request.headers.authorization === undefined && !hasJustWritten(services, request);
  request.publicDb ??= (isVisitors && services.replica?.serves() && services.replica.db) || null;
  return request.publicDb ?? undefined;
}
