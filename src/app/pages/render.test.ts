import { createHash } from "node:crypto";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync } from "node:zlib";
import cookie from "@fastify/cookie";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { problemOf } from "#platform/http/problems.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { linkTokenOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { policyFor, servePages } from "./render.ts";
import { visitorApi } from "./visitor-api.ts";

const app = closeAfterFile(await testApp());

async function pages() {
  const requestedPaths: string[] = [];
  const site = Fastify();
  site.setErrorHandler((error, _request, reply) => reply.code(problemOf(error)?.status ?? 500).send());
  const render = async (request: Request) => {
    requestedPaths.push(request.url);
    return new Response("<title>Page</title>", { headers: { "content-type": "text/html" } });
  };
  servePages(site, app.services, { render });
  await site.listen({ port: 0, host: "127.0.0.1" });
  const { port } = site.server.address() as AddressInfo;
  // Over a raw socket, because a URL library would normalise the malformed addresses.
  const get = (path: string, host = "localhost:3000") =>
    new Promise<number | undefined>((resolve, reject) => {
      const question = request({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      });
      question.once("error", reject).end();
    });
  return { requestedPaths, get, [Symbol.asyncDispose]: () => site.close() };
}

test("never reads an address as that of another site, for any beginning", async () => {
  await using site = await pages();
  const { requestedPaths, get } = site;
  for (const url of ["//evil.example/artist/x", "/\\evil.example/", "http://evil.example/"])
    expect(await get(url)).toBe(404);
  expect(requestedPaths).toEqual([]);
  expect(await get("/artist/electric-dreams?a=//b")).toBe(200);
  expect(requestedPaths).toEqual(["http://localhost:3000/artist/electric-dreams?a=//b"]);
});

test("counts wrong keys in the addresses of contracts by network, and nothing on other pages", async () => {
  await using limited = await testApp({ env: { RATE_LIMITS: "on" } });
  const api = visitorApi(limited.services);
  await using site = Fastify();
  await site.register(cookie);
  const render = () =>
    api.bookings.contract.openContract({ key: "A".repeat(32), record: false }).then(
      () => new Response(),
      ({ status }: { status: number }) => new Response("", { status }),
    );
  servePages(site, limited.services, { render });
  const statusesOf = async (path: string, times: number) => {
    const statuses = new Set<number>();
    for (let at = 0; at < times; at++) statuses.add((await site.inject(`${path}${at}`)).statusCode);
    return [...statuses];
  };
  expect(await statusesOf("/artist/", 61)).toEqual([404]);
  expect(await statusesOf("/sign/", 60)).toEqual([404]);
  for (const path of ["/sign/", "/%73ign/", "/SIGN/"]) expect(await statusesOf(path, 1)).toEqual([429]);
});

test("renders a booking for its link or the cookie of its browser, and for no other visitor", async () => {
  const booking = await app.make.booking({ keys: app.services.keys });
  const [other, owned] = [
    await app.make.booking({ keys: app.services.keys }),
    await app.make.booking({ promoterUserId: (await app.make.user({ role: "promoter" })).id }),
  ];
  const api = visitorApi(app.services);
  await using site = Fastify();
  await site.register(cookie);
  const render = async ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url);
    const link = searchParams.get("link");
    const input = { id: pathname.split("/")[2] ?? "", ...(link === null ? {} : { link }) };
    const headers = { "cache-control": pathname.startsWith("/booking/") ? "no-store" : "" };
    return api.bookings.read(input).then(
      ({ number }) => new Response(number, { headers }),
      ({ status }: { status: number }) => new Response("", { status, headers }),
    );
  };
  servePages(site, app.services, { render });
  const read = async (address: string, cookies = {}) => {
    const { statusCode, body } = await site.inject({ url: address, cookies });
    return statusCode === 200 ? body : statusCode;
  };
  const cookies = { bookings: bookingKey(app.services.keys, booking.id) };
  const link = linkTokenOf(app, booking.id);
  expect(await read(`/booking/${booking.id}`, cookies)).toBe(booking.number);
  expect(await read(`/booking/${booking.id}`)).toBe(404);
  expect(await read(`/booking/${other.id}`, cookies)).toBe(404);
  expect(await read(`/booking/${booking.id}?link=${link}`)).toBe(booking.number);
  expect(await read(`/elsewhere/${booking.id}`, cookies)).toBe(404);
  const expired = linkTokenOf(app, booking.id, new Date(app.clock.now().getTime() - 32 * dayMs));
  for (const [id, token] of [
    [other.id, link],
    [owned.id, linkTokenOf(app, owned.id)],
    [booking.id, expired],
    [booking.id, "a".repeat(40)],
  ] as const)
    expect(await read(`/booking/${id}?link=${token}`), token).toBe(404);
  expect(await read(`/booking/${booking.id}?link=${"a".repeat(99)}`)).toBe(400);
  // A corrected address withdraws the links that were sent before.
  const corrected = app.database.db.updateTable("bookings").set({ email_corrections: 1 }).where("id", "=", booking.id);
  await corrected.execute();
  expect(await read(`/booking/${booking.id}?link=${link}`)).toBe(404);
});

test("uses the host of the request on loopback only", async () => {
  await using site = await pages();
  const { requestedPaths, get } = site;
  await get("/", "evil.example");
  await get("/", "127.0.0.1:4000");
  expect(requestedPaths).toEqual([`${app.services.config.publicUrl}/`, "http://127.0.0.1:4000/"]);
});

test("caches a page until something changes", async () => {
  await using site = await pages();
  const { requestedPaths, get } = site;
  const renderedOf = async (requests: number) => {
    requestedPaths.length = 0;
    app.services.wake();
    for (let at = 0; at < requests; at++) await get("/");
    return requestedPaths.length;
  };
  // A page is cached for a second, which a busy machine can need between two requests.
  await expect.poll(() => renderedOf(2)).toBe(1);
  expect(await renderedOf(1)).toBe(1);
});

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("allows only marked scripts by their hashes, but no data and no other inline scripts", () => {
  const policy = policyFor(
    `<script nonce="n1">one()</script><script nonce="n1" src="/a.js"></script><script>injected()</script>` +
      `<script nonce="guess">injected()</script><script nonce="n1" type="application/ld+json">{}</script>`,
    { nonce: "n1" },
  );
  expect(policy.match(/'sha256-[^']+'/g)).toEqual([hashOf("one()")]);
  expect(policy).toContain("connect-src 'self';");
});

test("allows sockets in development only", () => {
  expect(policyFor("<script>vite()</script>", { dev: true })).toContain(hashOf("vite()"));
  expect(policyFor("", { dev: true })).toContain("connect-src 'self' ws:;");
});

test("returns a page without nonces, and disallows injected scripts", async () => {
  const site = Fastify();
  const render = async (_request: Request, nonce = "") =>
    new Response(`<script nonce="${nonce}">ours()</script><p><script>injected()</script></p>`);
  servePages(site, app.services, { render });
  const response = await site.inject({ url: "/", headers: { host: "localhost:3000" } });
  await site.close();
  expect(response.body).toBe("<script>ours()</script><p><script>injected()</script></p>");
  expect(response.headers["content-security-policy"]).toContain(hashOf("ours()"));
  expect(response.headers["content-security-policy"]).not.toContain(hashOf("injected()"));
});

test("compresses the same page with Brotli if the browser accepts it, rendered or cached", async () => {
  await using site = Fastify();
  const html = `<title>Åska & Blixt</title>${"<p>A night to remember.</p>".repeat(200)}`;
  servePages(site, app.services, {
    render: async () => new Response(html, { headers: { "content-type": "text/html" } }),
  });
  const get = (accepted?: string) =>
    site.inject({
      url: "/",
      headers: { host: "localhost:3000", ...(accepted ? { "accept-encoding": accepted } : {}) },
    });
  for (const accepted of ["gzip, deflate, br, zstd", "br;q=0.5, gzip"]) {
    const response = await get(accepted);
    expect(response.headers).toMatchObject({
      "content-encoding": "br",
      vary: "accept-encoding",
      "content-type": "text/html",
    });
    expect(response.rawPayload.length).toBeLessThan(html.length / 10);
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(html);
  }
  for (const accepted of [undefined, "identity", "br;q=0", "br; q=0.0, *"]) {
    const response = await get(accepted);
    expect(response.headers["content-encoding"], accepted).toBeUndefined();
    expect(response.body).toBe(html);
  }
});
