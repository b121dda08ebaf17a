import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { endConnectionsOnClose, serverTimeouts } from "./timeouts.ts";

async function listening(connections: readonly string[]) {
  const site = Fastify({ forceCloseConnections: "idle", ...serverTimeouts });
  endConnectionsOnClose(site);
  const received: string[] = [];
  site.post("/slow", async (request) => {
    received.push(JSON.stringify(request.body));
    await pause(2_300);
    return { answered: true };
  });
  site.get("/quick", async () => ({}));
  await site.listen({ port: 0, host: "127.0.0.1" });
  const { port } = site.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  for (const words of connections) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.write(words);
    sockets.push(socket);
  }
  return { site, sockets, received };
}

const whole =
  "POST /slow HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n[1,2,3]";

test("answers a request that has arrived, for any duration", async () => {
  const { site, sockets, received } = await listening([whole]);
  await expect.poll(() => received).toEqual(["[1,2,3]"]);
  const response = sockets[0] ? text(sockets[0]) : "";
  await site.close();
  expect(await response).toMatch(/^HTTP\/1.1 200 [^]*^connection: close\r$[^]*"answered":true/im);
});

test("ends connections with no or half a request", async () => {
  const { site, sockets } = await listening(["", whole.slice(0, 40)]);
  const ends = sockets.map((socket) => new Promise((done) => socket.resume().once("close", done)));
  await site.close();
  expect(await Promise.all(ends)).toHaveLength(2);
});

test("answers on open and on new connections while it drains, and announces the end of the connection", async () => {
  const quick = "GET /quick HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const { site, sockets } = await listening([quick]);
  const [kept] = sockets;
  const { port } = site.server.address() as AddressInfo;
  if (!kept) throw new Error("there is no connection");
  let answers = "";
  kept.on("data", (part) => (answers += String(part)));
  await expect.poll(() => answers).toContain("HTTP/1.1 200");
  expect(answers).toMatch(/^connection: keep-alive\r$/im);
  answers = "";
  const closed = site.close();
  const fresh = connect(port, "127.0.0.1");
  await once(fresh, "connect");
  kept.write(quick);
  fresh.write(quick);
  expect(await text(fresh)).toMatch(/^HTTP\/1.1 200 [^]*^connection: close\r$/im);
  await closed;
  expect(answers).toMatch(/^HTTP\/1.1 200 [^]*^connection: close\r$/im);
  expect(answers).not.toContain("503");
});
