/**
 * Answers to public questions, kept while the database stays as it was. PostgreSQL names the state that a reader sees
 * (its snapshot: which transactions have ended), so a kept answer is as fresh as a new one, whichever process wrote.
 */
import type { Route } from "@orpc/contract";
import { traverseContractProcedures } from "@orpc/server";
import type { RouteOptions } from "fastify";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { EndpointMeta } from "#platform/http/api.ts";
import { api } from "./api.ts";
import type { Services } from "./services.ts";

/** Only what the clock alone changes, as a date that has gone by, can be this old. */
const keepMs = 10_000;
const keptCharacters = 16_000_000;

type Answer = { state: string; body: string };

declare module "fastify" {
  interface FastifyRequest {
    /** The state of the database before the question was asked, where the answer may be kept. */
    askedAt?: string;
  }
}

/** The paths under /api whose declarations say that the same question has the same answer for everybody. */
export function cacheablePaths(): string[] {
  const paths: string[] = [];
  traverseContractProcedures({ router: api, path: [] }, ({ contract }) => {
    const { meta, route } = contract["~orpc"] as { meta: Partial<EndpointMeta>; route: Route };
    if (meta.kept && route.method === "GET" && route.path) paths.push(route.path.replace(/\{(\w+)\}/g, ":$1"));
  });
  return paths;
}

/** Puts the kept answers before a handler. A caller who names himself is always answered anew. */
export function cachedResponses(
  services: Services,
  answer: RouteOptions["handler"],
): Pick<RouteOptions, "handler" | "onSend"> {
  const kept = new LRUCache<string, Answer>({
    maxSize: keptCharacters,
    sizeCalculation: ({ body }) => body.length + 1,
    ttl: keepMs,
  });
  const currentState = stateReader(services);
  return {
    handler: async function (request, reply) {
      if (request.headers.authorization !== undefined) return answer.call(this, request, reply);
      const state = await currentState();
      const found = kept.get(request.url);
      if (found?.state === state)
        return reply.header("cache-control", "no-store").type("application/json").send(found.body);
      request.askedAt = state;
      return answer.call(this, request, reply);
    },
    onSend: async (request, reply, payload) => {
      if (request.askedAt !== undefined && reply.statusCode === 200 && typeof payload === "string")
        kept.set(request.url, { state: request.askedAt, body: payload });
      return payload;
    },
  };
}

/** Asks for the state of the database; callers of the same moment share one question, which leaves after all of them came. */
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
