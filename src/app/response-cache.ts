/** The cache of public API responses, valid while the database snapshot stays the same, whichever process writes. */
import type { Route } from "@orpc/contract";
import { traverseContractProcedures } from "@orpc/server";
import type { RouteOptions } from "fastify";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { EndpointMeta } from "#platform/http/api.ts";
import { api } from "./routing/api.ts";
import type { Services } from "./services.ts";

/** Only what the clock alone changes, such as a date that has passed, can be this old. */
const maxAgeMs = 10_000;
const maxBytes = 16_000_000;

/** The body as it is sent: encoding the text again would cost more than finding it. */
type CachedResponse = { state: string; body: Buffer };

declare module "fastify" {
  interface FastifyRequest {
    /** The state of the database before the request was answered, where the response may be cached. */
    databaseState?: string;
  }
}

export function cacheablePaths(): string[] {
  const paths: string[] = [];
  traverseContractProcedures({ router: api, path: [] }, ({ contract }) => {
    const { meta, route } = contract["~orpc"] as { meta: Partial<EndpointMeta>; route: Route };
    if (meta.cacheable && route.method === "GET" && route.path) paths.push(route.path.replace(/\{(\w+)\}/g, ":$1"));
  });
  return paths;
}

export function cachedResponses(
  services: Services,
  answer: RouteOptions["handler"],
): Pick<RouteOptions, "handler" | "onSend"> {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length + 1,
    ttl: maxAgeMs,
  });
  const currentState = stateReader(services);
  return {
    handler: async function (request, reply) {
      if (request.headers.authorization !== undefined) return answer.call(this, request, reply);
      const state = await currentState();
      const found = cache.get(request.url);
      if (found?.state === state)
        return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(found.body);
      request.databaseState = state;
      return answer.call(this, request, reply);
    },
    onSend: (request, reply, payload, done) => {
      if (request.databaseState !== undefined && reply.statusCode === 200 && typeof payload === "string")
        cache.set(request.url, { state: request.databaseState, body: Buffer.from(payload) });
      done(null, payload);
    },
  };
}

/** Asks for the state of the database; requests of the same turn of the event loop share one query, sent after the last of them. */
function stateReader(services: Services): () => Promise<string> {
  let next: Promise<string> | undefined;
  const ask = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    const { rows } = await sql<{ state: string }>`select pg_current_snapshot()::text as state`.execute(
      services.database.db,
    );
    return rows[0]?.state ?? "";
  };
  return () => (next ??= ask());
}
