import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import Fastify from "fastify";
import { expect, test, vi } from "vitest";
import { endConnectionsOnClose, serverTimeouts } from "./timeouts.ts";

// Under overload each wait takes longer. Each step of Fastify's stop is limited to ten seconds.
vi.mock(import("node:timers/promises"), async (load) => {
  const original = await load();
  const slower = (ms?: number) => original.setTimeout((ms ?? 0) * 5);
  return { ...original, setTimeout: slower as typeof original.setTimeout };
});

test("ends a server of which every wait takes five times as long, after the response to an open request", async () => {
  const site = Fastify({ forceCloseConnections: "idle", ...serverTimeouts });
  endConnectionsOnClose(site);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  site.get("/open", () => released.then(() => ({ answered: true })));
  await site.listen({ port: 0, host: "127.0.0.1" });
  const begun = once(site.server, "request");
  const socket = connect((site.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /open HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await begun;
  const closed = site.close();
  await expect.poll(() => site.server.listening, { timeout: 25_000 }).toBe(false);
  release();
  expect(await text(socket)).toContain('"answered":true');
  await closed;
}, 30_000);
