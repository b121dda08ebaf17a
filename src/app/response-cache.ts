/** The cache of public API responses, valid while the database that is read from stays the same, whichever process writes. */
import type { RouteOptions } from "fastify";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Db } from "#platform/db/index.ts";
import { publicDbOf } from "./public-reads.ts";
import type { Services } from "./services.ts";

/** Only what the clock alone changes, such as a date that has passed, can be this old. */
const maxAgeMs = 10_000;
const maxBytes = 16_000_000;

/** The body as it is sent: encoding the text again would cost more than finding it. */
type CachedResponse = { state: string; body: Buffer };

/** The primary changes with its snapshot. A replica's snapshot does not say what is still running: there the replayed position counts. */
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
  answer: RouteOptions["handler"],
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
      if (request.headers.authorization !== undefined) return answer.call(this, request, reply);
      const fromReplica = publicDbOf(services, request) !== undefined && replicaState;
      const { state, replays } = await (fromReplica ? replicaState() : primaryState());
      // What follows may be read from the replica again, and be older than this state of the primary.
      if (fromReplica && !replays) return answer.call(this, request, reply);
      const key = `${replays ? "replica" : "primary"} ${request.url}`;
      const found = cache.get(key);
      if (found?.state === state)
        return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(found.body);
      request.cacheAs = { key, state };
      return answer.call(this, request, reply);
    },
    onSend: (request, reply, payload, done) => {
      if (request.cacheAs !== undefined && reply.statusCode === 200 && typeof payload === "string")
        cache.set(request.cacheAs.key, { state: request.cacheAs.state, body: Buffer.from(payload) });
      done(null, payload);
    },
  };
}

/** Asks for the state of a database; requests of the same turn of the event loop share one query, sent after the last of them. */
function stateReader(db: Db): () => Promise<{ state: string; replays: boolean }> {
  let next: Promise<{ state: string; replays: boolean }> | undefined;
  const ask = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    const { rows } = await stateOf.execute(db);
    return rows[0] ?? { state: "", replays: false };
  };
  return () => (next ??= ask());
}
