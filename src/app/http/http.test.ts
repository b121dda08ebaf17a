import { type AddressInfo, connect } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
await app.server.listen({ port: 0, host: "127.0.0.1" });

const address = () => `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`;

const bodies = {
  br: brotliCompressSync(Buffer.alloc(8_000_000, 32)),
  gzip: gzipSync(Buffer.alloc(8_000_000, 32)),
  deflate: gzipSync("{}"),
  unknown: Buffer.from("{}"),
};

test.each(Object.entries(bodies))(
  "refuses a body with Content-Encoding %s and never unpacks it",
  async (encoding, body) => {
    const before = process.getActiveResourcesInfo().filter((name) => /zlib|brotli/i.test(name)).length;
    for (let count = 0; count < 20; count++) {
      const response = await fetch(`${address()}/api/bookings`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": encoding },
        body,
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({
        code: "unsupported",
        message: expect.stringContaining("Content-Encoding"),
      });
    }
    expect(process.getActiveResourcesInfo().filter((name) => /zlib|brotli/i.test(name)).length).toBe(before);
  },
);

test("accepts identity as no encoding, and still compresses responses", async () => {
  const response = await fetch(`${address()}/api/openapi.json`, {
    headers: { "content-encoding": "identity", "accept-encoding": "br" },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-encoding")).toBe("br");
});

/** Sends a raw request, and returns all data until the connection is closed. */
const exchange = (words: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect((app.server.server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.once("close", () => resolve(text)).once("error", reject);
    socket.write(words);
  });

test("closes the connection of a refused body", async () => {
  const reply = await exchange(
    "POST /api/bookings HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-encoding: br\r\ncontent-length: 90000\r\n\r\n",
  );
  expect(reply).toMatch(/^HTTP\/1\.1 415 /);
});

test.each(["host: localhost\r\nhost: evil.example", "Host: localhost\r\nHOST: localhost"])(
  "refuses a request with two hosts: %j",
  async (hosts) => {
    for (const path of ["/livez", "/api/artists", "/auth/v1/settings", "/nowhere"])
      expect(await exchange(`GET ${path} HTTP/1.1\r\n${hosts}\r\n\r\n`), path).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test.each(["[{}]", "[]", '"1"', "1", "null"])(
  "refuses the body %s if the address has the whole input",
  async (body) => {
    const headers = { "content-type": "application/json" };
    const url = `${address()}/api/bookings/${crypto.randomUUID()}/complete`;
    const response = await fetch(url, { method: "POST", headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: "The body must be a JSON object." });
    const other = await fetch(url, { method: "POST", headers, body: "{}" });
    expect(other.status).toBe(404);
  },
);

test("refuses JSON that is sent as plain text", async () => {
  const response = await fetch(`${address()}/api/bookings/check`, { method: "POST", body: "{}" });
  expect(response.status).toBe(415);
});

test.each([
  ["HEAD", "/api/artists", "GET"],
  ["OPTIONS", "/api/artists", "GET"],
  ["DELETE", "/api/bookings", "POST"],
  ["PATCH", "/api/artist/samples", "GET, POST"],
])("names the methods of an address to %s %s", async (method, path, allowed) => {
  const response = await fetch(`${address()}${path}`, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allowed);
});

test("names the missing fields of a request without a body", async () => {
  const response = await fetch(`${address()}/api/bookings/check`, { method: "POST" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: "Artist id: This is missing." });
});
