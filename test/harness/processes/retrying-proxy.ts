/** A proxy on loopback that sends each request to the next of several processes, and to the following one if that is away. */

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** Starts the proxy. A request that reached a process that dies is sent again only if that is safe. Otherwise the response is 502, as from other proxies. */
export async function startRetryingProxy(ports: readonly number[]) {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const forward = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries = 1): void => {
    const port = ports[turn++ % ports.length];
    const { method = "GET", url = "/", headers } = from;
    const sent = request({ host: "127.0.0.1", port, agent, method, path: url, headers });
    sent.once("response", (response) => {
      to.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
      response.pipe(to);
      // A process died while it responded, so the client receives a truncated response.
      response.once("error", () => to.destroy());
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      if (to.headersSent || to.destroyed) return void to.destroy();
      const isSafe = method === "GET" || error.code === "ECONNREFUSED";
      if (isSafe && tries < ports.length) return forward(from, to, body, tries + 1);
      to.writeHead(502).end();
    });
    to.once("close", () => sent.destroy());
    sent.end(body);
  };

  const server = createServer((from, to) => {
    buffer(from).then(
      (body) => forward(from, to, body),
      () => to.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
