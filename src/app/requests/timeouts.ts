/** Time limits of connections: no client keeps one busy by sending slowly, neither while serving nor while the process ends. */
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Options of every HTTP server of ours. A whole request with its body may take a minute, its headers ten seconds. */
export const serverTimeouts = {
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** A body that has not arrived this long after the process was told to end is not waited for. */
const drainMs = 2_000;

/** Cuts off requests whose bodies are still on their way when the server has been closing for two seconds. */
export function cutSlowBodies(app: FastifyInstance): void {
  const open = new Set<FastifyRequest["raw"]>();
  app.addHook("onRequest", (request, _reply, done) => {
    open.add(request.raw);
    request.raw.once("close", () => open.delete(request.raw));
    done();
  });
  app.addHook("preClose", async () => {
    setTimeout(() => {
      for (const raw of open) if (!raw.complete) raw.destroy();
    }, drainMs);
  });
}
