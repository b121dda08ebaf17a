/** Time limits of connections: no client keeps one busy by sending slowly, neither while serving nor while the process ends. */
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Options of every HTTP server of ours. A whole request with its body may take a minute, its headers ten seconds. */
export const serverTimeouts = {
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** A request that has not arrived whole this long after the process was told to end is not waited for. */
const drainMs = 2_000;
/** By then the requests are read that clients sent before they could know of the end. */
const silentMs = 100;

/**
 * Lets a server end while clients hold connections open. Once it closes, Node no longer watches over the time limits above, and Fastify
 * closes only connections that wait for their next request at that moment. The others end here: one on which nothing was ever asked, such
 * as a browser opens ahead of its next request, after a moment; one whose request is still on its way, after two seconds; and one whose request
 * has arrived, after its answer.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false;
  const connections = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  /** The answer that a connection waits for. */
  const open = new Map<Socket, FastifyReply["raw"]>();
  app.addHook("onRequest", (request, { raw: answer }, done) => {
    const { socket } = request.raw;
    open.set(socket, answer);
    // The request itself counts as closed once its body was read.
    answer.once("close", () => {
      if (open.get(socket) === answer) open.delete(socket);
      if (closing) socket.destroySoon();
    });
    done();
  });
  app.addHook("preClose", async () => {
    closing = true;
    // A client that reads this sends its next request elsewhere, and not into a connection that is about to end.
    for (const answer of open.values()) if (!answer.headersSent) answer.setHeader("connection", "close");
    setTimeout(() => {
      for (const socket of connections) if (!open.get(socket)?.req.complete) socket.destroy();
    }, drainMs);
    // What is sent in the meantime is answered with 503 and not done; into a closed connection, its sender could not know that.
    await pause(silentMs);
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
}
