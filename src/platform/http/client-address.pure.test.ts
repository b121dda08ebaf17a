import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { clientAddress, limitBlock, readAddresses } from "./client-address.ts";

test("clientAddress returns the address of a client that has closed the connection", async () => {
  const app = Fastify();
  readAddresses(app.server);
  const found = Promise.withResolvers<string>();
  const reached = Promise.withResolvers<void>();
  app.get("/", async (request) => {
    const closed = once(request.raw.socket, "close");
    reached.resolve();
    await closed;
    found.resolve(clientAddress(request));
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await reached.promise;
  client.destroy();
  expect(await found.promise).toBe("127.0.0.1");
  await app.close();
});

test.each([
  ["203.0.113.9:51234", "203.0.113.9"],
  ["[2001:db8:1:2::3]:51234", "2001:db8:1:2::3"],
  ["2001:db8:1:2::3", "2001:db8:1:2::3"],
  ["198.51.100.1:1, 203.0.113.9:51234", "203.0.113.9"],
])("clientAddress reads %s of a trusted proxy without the port", async (forwarded, expected) => {
  const app = Fastify({ trustProxy: ["127.0.0.1"] });
  app.get("/", async (request) => clientAddress(request));
  const { body } = await app.inject({ url: "/", headers: { "x-forwarded-for": forwarded } });
  expect(body).toBe(expected);
});

test("limitBlock counts a request without an address alone", () => {
  expect(clientAddress({ ip: undefined })).toBe("");
  const blocks = ["r1", "r2"].map((id) => limitBlock({ id, ip: clientAddress({ ip: undefined }) }));
  expect(new Set(blocks).size).toBe(2);
  expect(limitBlock({ id: "r1", ip: "203.0.113.9" })).toBe(limitBlock({ id: "r2", ip: "203.0.113.9" }));
  expect(limitBlock({ id: "r1", ip: "2001:db8:1:2::3" })).toBe("2001:db8:1:2::/64");
});
