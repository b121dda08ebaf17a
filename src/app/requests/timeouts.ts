/** Time limits of connections: slow clients block neither the server nor its end. */

import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Options of every HTTP server. A whole request with its body may take a minute, its headers ten seconds. Overload delays starts and stops but fails none. */
export const serverTimeouts = {
  return503OnClosing: false,
  pluginTimeout: 0,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

const maxDrainMs = 4_000; // the longest wait for clients to use other connections
const quietMs = 1_500; // without requests, until the server ends. Clients may reuse open connections before
const quietAloneMs = 200;
const stepMs = 50;
const lateMs = 500; // until a request that is still incomplete is dropped

/** Ends a server without an error for its clients: each response ends its connection, and after a quiet time or a limit the listener closes. Node then enforces no time limits, so the remaining connections end here. */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let ending = false;
  let requests = 0;
  const connections = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const open = new Map<Socket, FastifyReply["raw"]>();
  app.addHook("onRequest", (request, { raw: response }, done) => {
    const { socket } = request.raw;
    requests++;
    open.set(socket, response);
    // The request itself counts as closed once its body was read.
    response.once("close", () => {
      if (open.get(socket) === response) open.delete(socket);
      if (ending) socket.destroySoon();
    });
    done();
  });

  async function waitUntilIdle(): Promise<void> {
    let quiet = 0;
    for (const end = performance.now() + maxDrainMs; performance.now() < end;) {
      const before = requests;
      await pause(stepMs);
      quiet = requests === before && open.size === 0 ? quiet + stepMs : 0;
      // A browser opens connections ahead of its requests. They need no wait.
      const wasUsed = [...connections].some((socket) => socket.bytesRead > 0);
      if (quiet >= (wasUsed ? quietMs : quietAloneMs)) return;
    }
  }

  app.addHook("preClose", async () => {
    if (!app.server.listening) return;
    for (const response of open.values()) if (!response.headersSent) response.setHeader("connection", "close");
    await waitUntilIdle();
    ending = true;
    const isAnswered = (socket: Socket) => open.get(socket)?.req.complete;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => {
      for (const socket of connections) if (!isAnswered(socket)) socket.destroy();
    }, lateMs);
  });
}
