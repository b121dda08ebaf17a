import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { limitedFetch, ResponseTooLarge } from "./limited-fetch.ts";

const server = createServer((request, response) => {
  response.writeHead(request.url === "/none" ? 204 : 200, { "x-name": "kept" });
  if (request.url === "/none") return response.end();
  if (request.url === "/endless") return void setInterval(() => response.write("x".repeat(1_000)), 1).unref();
  return response.end("x".repeat(2_000));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const get = (path: string) => limitedFetch(2_000)(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

test("returns a response within the limit, and one without a body", async () => {
  const response = await get("/short");
  expect([response.status, response.headers.get("x-name")]).toEqual([200, "kept"]);
  expect(await response.text()).toHaveLength(2_000);
  expect((await get("/none")).status).toBe(204);
});

test("fails while a longer response arrives", async () => {
  await expect((await get("/endless")).text()).rejects.toThrow(ResponseTooLarge);
});
