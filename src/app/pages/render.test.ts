import { request } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemOf } from "#platform/http/problems.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { policyFor, servePages } from "./render.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** The server of pages over a web that tells what it was asked for. */
async function pages() {
  const asked: string[] = [];
  const site = Fastify();
  site.setErrorHandler((error, _request, reply) => reply.code(problemOf(error)?.status ?? 500).send());
  const render = async (request: Request) => {
    asked.push(request.url);
    return new Response("<title>Page</title>", { headers: { "content-type": "text/html" } });
  };
  servePages(site, app.services, { render });
  await site.listen({ port: 0, host: "127.0.0.1" });
  const { port } = site.server.address() as AddressInfo;
  // Over a socket, word for word: whatever builds addresses would mend the strange ones.
  const get = (path: string, host = "localhost:3000") =>
    new Promise<number | undefined>((resolve, reject) => {
      const question = request({ host: "127.0.0.1", port, path, headers: { host } }, (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode));
      });
      question.once("error", reject).end();
    });
  return { asked, get, [Symbol.asyncDispose]: () => site.close() };
}

test("an address stays an address of this site, whatever it begins with", async () => {
  await using site = await pages();
  const { asked, get } = site;
  for (const url of ["//evil.example/artist/x", "/\\evil.example/", "http://evil.example/"])
    expect(await get(url)).toBe(404);
  expect(asked).toEqual([]);
  expect(await get("/artist/electric-dreams?a=//b")).toBe(200);
  expect(asked).toEqual(["http://localhost:3000/artist/electric-dreams?a=//b"]);
});

test("the host of the request is kept on loopback only", async () => {
  await using site = await pages();
  const { asked, get } = site;
  await get("/", "evil.example");
  await get("/", "127.0.0.1:4000");
  expect(asked).toEqual([`${app.services.config.publicUrl}/`, "http://127.0.0.1:4000/"]);
});

test("a page is kept until something changes", async () => {
  await using site = await pages();
  const { asked, get } = site;
  await get("/");
  await get("/");
  expect(asked).toHaveLength(1);
  app.services.wake();
  await get("/");
  expect(asked).toHaveLength(2);
});

test("inline scripts are allowed by their hash, and sockets only while developing", () => {
  const policy = policyFor(
    `<script>one()</script><script src="/a.js"></script><script type="application/ld+json">{}</script>`,
  );
  expect(policy.match(/'sha256-[^']+'/g)).toHaveLength(1);
  expect(policy).toContain("connect-src 'self';");
  expect(policyFor("", true)).toContain("connect-src 'self' ws:;");
});
