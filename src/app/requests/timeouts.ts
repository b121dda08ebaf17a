/** Time limits of connections: no client keeps one busy by sending slowly, neither while serving nor while the process ends. */
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";

/** Options of every HTTP server of ours. A whole request with its body may take a minute, its headers ten seconds. */
export const serverTimeouts = {
  /** What arrives while the server drains is done like any other request. */
  return503OnClosing: false,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** How long a server that was told to end waits for its clients to move on, at most. */
const longestDrainMs = 4_000;
/** Without any request for this long it ends: clients keep connections, and may be about to use one. */
const quietMs = 1_500;
/** The same where no client keeps a connection. */
const quietAloneMs = 200;
const stepMs = 50;
/** A request that has not arrived whole this long after that is not waited for. */
const lateMs = 500;

/**
 * Lets a server end without refusing anybody. First it goes on as ever, except that each answer ends its connection (Fastify says so once it
 * closes): clients open their next one elsewhere. Once nobody has asked for a while, or after a limit, the listener closes. Node then no
 * longer watches over the time limits above, so the connections that are left end here: one whose request has arrived after its answer, the
 * others at once or, with half a request, a moment later.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let ending = false;
  let requests = 0;
  const connections = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const open = new Map<Socket, FastifyReply["raw"]>();
  app.addHook("onRequest", (request, { raw: answer }, done) => {
    const { socket } = request.raw;
    requests++;
    open.set(socket, answer);
    // The request itself counts as closed once its body was read.
    answer.once("close", () => {
      if (open.get(socket) === answer) open.delete(socket);
      if (ending) socket.destroySoon();
    });
    done();
  });

  async function clientsHaveMovedOn(): Promise<void> {
    let quiet = 0;
    for (let waited = 0; waited < longestDrainMs; waited += stepMs) {
      const before = requests;
      await pause(stepMs);
      quiet = requests === before && open.size === 0 ? quiet + stepMs : 0;
      // A browser opens connections ahead of its requests: those are no reason to wait.
      const wasUsed = [...connections].some((socket) => socket.bytesRead > 0);
      if (quiet >= (wasUsed ? quietMs : quietAloneMs)) return;
    }
  }

  app.addHook("preClose", async () => {
    if (!app.server.listening) return;
    for (const answer of open.values()) if (!answer.headersSent) answer.setHeader("connection", "close");
    await clientsHaveMovedOn();
    ending = true;
    const isAnswered = (socket: Socket) => open.get(socket)?.req.complete;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => {
      for (const socket of connections) if (!isAnswered(socket)) socket.destroy();
    }, lateMs);
  });
}
