/** The cache of public API responses, valid until any process changes the database. */

import type { RouteOptions } from "fastify";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Db } from "#platform/db/index.ts";
import { publicDbOf } from "../public-reads.ts";
import type { Services } from "../services.ts";

/** In ms. Only changes by time, such as a passed date, can be this late. */
const maxAgeMs = 10_000;
const maxBytes = 16_000_000;

/** The body as bytes, because encoding the text again costs more than the lookup. */
type CachedResponse = { state: string; body: Buffer };

/** The state of the primary is its snapshot. A replica's snapshot lacks running transactions, so its replayed position is used. */
const stateOf = sql<{ state: string; replays: boolean }>`
  select pg_is_in_recovery() as replays,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text else pg_current_snapshot()::text end as state`;

declare module "fastify" {
  interface FastifyRequest {
    /** Where the response may be cached: the state of the database before the request was answered. */
    cacheAs?: { key: string; state: string };
  }
}

export function cachedResponses(
  services: Services,
  handler: RouteOptions["handler"],
): Pick<RouteOptions, "handler" | "onSend"> {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length + 1,
    ttl: maxAgeMs,
  });
  const primaryState = stateReader(services.database.db);
  const replicaState = services.replica && stateReader(services.replica.db);
  return {
    handler: async function (request, reply) {
      if (request.headers.authorization !== undefined) return handler.call(this, request, reply);
      const fromReplica = publicDbOf(services, request) !== undefined && replicaState;
      const { state, replays } = await (fromReplica ? replicaState() : primaryState());
      // The handler may read from the replica again, at an older state than this one of the primary.
      if (fromReplica && !replays) return handler.call(this, request, reply);
      const key = `${replays ? "replica" : "primary"} ${request.url}`;
      const found = cache.get(key);
      if (found?.state === state)
        return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(found.body);
      request.cacheAs = { key, state };
      return handler.call(this, request, reply);
    },
    onSend: (request, reply, payload, done) => {
      if (request.cacheAs !== undefined && reply.statusCode === 200 && typeof payload === "string")
        cache.set(request.cacheAs.key, { state: request.cacheAs.state, body: Buffer.from(payload) });
      done(null, payload);
    },
  };
}

/** Requests of one turn of the event loop share a query, sent after the last of them. */
function stateReader(db: Db): () => Promise<{ state: string; replays: boolean }> {
  let next: Promise<{ state: string; replays: boolean }> | undefined;
  const query = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    const { rows } = await stateOf.execute(db);
    return rows[0] ?? { state: "", replays: false };
  };
  return () => (next ??= query());
}
