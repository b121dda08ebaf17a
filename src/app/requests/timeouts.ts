/** Time limits of connections: no client keeps one busy by sending slowly, neither while serving nor while the process ends. */
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Options of every HTTP server of ours. A whole request with its body may take a minute, its headers ten seconds. */
export const serverTimeouts = {
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** A request that has not arrived whole this long after the process was told to end is not waited for. */
const drainMs = 2_000;
/** By then the first bytes of a request that was sent before are read. */
const silentMs = 100;

/**
 * Lets a server end while clients hold connections open. Once it closes, Node no longer watches over the time limits above, and Fastify
 * closes only connections that wait for their next request at that moment. The others end here: one on which nothing was ever asked, such
 * as a browser opens ahead of its next request, almost at once; one whose request is still on its way, after two seconds; and one whose request
 * has arrived, after its answer.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false;
  const connections = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  /** The request that a connection waits to have answered. */
  const open = new Map<Socket, FastifyRequest["raw"]>();
  app.addHook("onRequest", ({ raw }, reply, done) => {
    const { socket } = raw;
    open.set(socket, raw);
    // The end of the answer: the request itself counts as closed once its body was read.
    reply.raw.once("close", () => {
      if (open.get(socket) === raw) open.delete(socket);
      if (closing) socket.destroySoon();
    });
    done();
  });
  app.addHook("preClose", async () => {
    closing = true;
    setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, silentMs);
    setTimeout(() => {
      for (const socket of connections) if (!open.get(socket)?.complete) socket.destroy();
    }, drainMs);
  });
}
