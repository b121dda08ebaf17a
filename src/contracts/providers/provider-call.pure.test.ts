import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { callForBytes } from "./provider-call.ts";

const megabyte = Buffer.alloc(1024 * 1024);
const closed = Promise.withResolvers<void>();
/** Sends 64 MB without announcing a length, and does not end the response. */
const server: Server = createServer((_request, response) => {
  response.once("close", () => closed.resolve());
  Readable.from(Array.from({ length: 64 }, () => megabyte)).pipe(response, { end: false });
}).listen(0, "127.0.0.1");
afterAll(() => server.close());

test("ends a response that becomes too large while it arrives", async () => {
  if (!server.listening) await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = callForBytes({ label: "DocuSeal", method: "GET", url, headers: {} });
  await expect(call).rejects.toMatchObject({ kind: "refused", message: "The response of DocuSeal is too large." });
  await closed.promise;
});
