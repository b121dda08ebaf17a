/** Whether this process lives, whether it can serve, and its figures. */
import type { FastifyPluginAsync } from "fastify";
import { sql } from "kysely";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Floor } from "#platform/services.ts";

/** Migrated and serving; false again while the process drains. */
export type Health = { ready(): boolean };

/** /livez, /readyz and /metrics. */
export const healthPlugin =
  (health: Health, services: Floor): FastifyPluginAsync =>
  async (app) => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const requests = new Histogram({
      name: "http_request_seconds",
      help: "Time to answer, by route and status",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 5],
      registers: [registry],
    });
    app.get("/livez", async () => ({ status: "ok" }));
    app.get("/readyz", async (_request, reply) => {
      if (!health.ready()) return reply.code(503).send({ status: "starting" });
      await sql`select 1`.execute(services.database.db);
      return { status: "ok" };
    });
    app.get("/metrics", async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
    app.addHook("onResponse", async (request, reply) => {
      requests.observe(
        { method: request.method, route: request.routeOptions.url ?? "none", status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    });
  };
