import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { findWaiting } from "#activity/index.ts";
import { isLoopback } from "#platform/config.ts";
import { newestMigration } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { isLocalRequest, bearerOf } from "#platform/http/request-headers.ts";
import { productVersion } from "#platform/version.ts";
import type { RealtimeServices } from "#realtime/index.ts";
import { measureClock } from "../components/own-clock.ts";
import { listRefusing } from "../components/recent-work.views.ts";
import { listTested } from "../components/views.ts";

export type Health = { ready(): boolean };

/** Adds health, readiness and metrics. Runs before the other routes and not as a plugin, whose hooks would measure its own routes only. */
export function serveHealth(app: FastifyInstance, health: Health, services: RealtimeServices): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "http_request_seconds",
    help: "Time to answer, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 5],
    registers: [registry],
  });
  const { streams } = services;
  new Gauge({
    name: "stagedoor_open_streams",
    help: "Browsers with an open stream now",
    registers: [registry],
    collect(this: Gauge) {
      this.set(streams.count());
    },
  });
  const databaseUp = new Gauge({
    name: "stagedoor_database_up",
    help: "1 if the database answered. If 0, the metrics that are read from it are missing.",
    registers: [registry],
  });
  const stored = new Registry();
  new Gauge({
    name: "stagedoor_waiting_for_a_person",
    help: "Work that failed for good, by kind. Investigate anything above zero.",
    labelNames: ["kind"],
    registers: [stored],
    async collect(this: Gauge) {
      for (const { kind, count } of await findWaiting(services.database.db)) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: "stagedoor_component_failing",
    help: "1 if the last test of the component failed, or if it refuses all emails or SMS",
    labelNames: ["component"],
    registers: [stored],
    async collect(this: Gauge) {
      const { db } = services.database;
      const refusing = await listRefusing(db);
      for (const { name, works } of await listTested(db))
        this.set({ component: name }, works && !refusing.includes(name) ? 0 : 1);
    },
  });
  new Gauge({
    name: "stagedoor_clock_difference_seconds",
    help: "How far the clock of this process is ahead of the database's",
    registers: [stored],
    async collect(this: Gauge) {
      this.set((await measureClock(services)).aheadMs / 1000);
    },
  });
  app.get("/livez", async () => ({ status: "ok" }));
  const about = { version: productVersion(), schema: newestMigration() };
  app.get("/readyz", async (_request, reply) => {
    if (!health.ready()) return reply.code(503).send({ status: "starting", ...about });
    if (await databaseServes(services)) return { status: "ok", ...about };
    return reply.code(503).send({ status: "unavailable", ...about });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, services.config.metricsToken))
      throw new Problem("forbidden", "Metrics are available from this machine, or with the METRICS_TOKEN.");
    const figures = await answerOf(services, () => stored.metrics());
    databaseUp.set(figures === undefined ? 0 : 1);
    return reply.type(registry.contentType).send(`${await registry.metrics()}${figures ?? ""}`);
  });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    // A stream stays open for as long as a page is open, so its duration is meaningless here.
    if (String(reply.getHeader("content-type")).startsWith("text/event-stream")) return;
    requests.observe(
      { method: request.method, route: request.routeOptions.url ?? "none", status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}

/** In ms. A slower instance should get no requests from a load balancer. */
const maxResponseMs = 2_000;

/** Returns true if the database responds in time and, after a failed write, accepts writes again. A full disk still allows reads. */
const databaseServes = async (services: RealtimeServices): Promise<boolean> =>
  (await answerOf(services, async () => {
    await sql`select 1`.execute(services.database.db);
    return services.database.canWrite();
  })) ?? false;

/** Returns undefined if the database fails or takes too long. */
function answerOf<T>({ log }: RealtimeServices, ask: () => Promise<T>): Promise<T | undefined> {
  const answered = ask().catch((error: unknown) => {
    log.warn({ err: error }, "the database does not answer");
    return undefined;
  });
  return Promise.race([answered, setTimeout(maxResponseMs, undefined, { ref: false })]);
}

/** Returns true for a request with the configured token. Without a token, only for a direct request of this machine. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return isLoopback(request.raw.socket.remoteAddress ?? "") && isLocalRequest(request.headers);
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(bearerOf(request.headers) ?? ""), hash(token));
}
