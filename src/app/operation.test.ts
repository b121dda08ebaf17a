import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type AddressInfo } from "node:net";
import Fastify from "fastify";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { logSlowStatements } from "#platform/db/index.ts";
import { makeLog } from "#platform/log.ts";
import { networkOf } from "#platform/security/limits.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { logRequests, nameRequests } from "./requests/request-log.ts";

const app = closeAfterFile(await testApp());
const METRICS_TOKEN = "f0f0f0f0f0f0f0f0f0f0";
const production = closeAfterFile(
  await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example", METRICS_TOKEN } }),
);

test("serves the metrics to this machine only, unless there is a token", async () => {
  expect((await app.request("/metrics")).status).toBe(200);
  for (const headers of [{ host: "stagedoor.example" }, { "x-forwarded-for": "203.0.113.7" }] as Record<
    string,
    string
  >[])
    expect((await app.request("/metrics", { headers })).status).toBe(403);
});

test("serves the metrics only to requests with the token, if there is one", async () => {
  const headers = { host: "stagedoor.example" };
  for (const authorization of ["", `Bearer ${METRICS_TOKEN}x`, METRICS_TOKEN])
    expect((await production.request("/metrics", { headers: { ...headers, authorization } })).status).toBe(403);
  expect((await production.request("/metrics")).status).toBe(403);
  const shown = { ...headers, authorization: `Bearer ${METRICS_TOKEN}` };
  expect((await production.request("/metrics", { headers: shown })).status).toBe(200);
  expect(() => readConfig({ METRICS_TOKEN: "short" })).toThrow("METRICS_TOKEN");
});

test("counts the requests of each endpoint by status", async () => {
  await app.request("/api/contact", { body: {} });
  await app.request(`/api/bookings/${randomUUID()}`);
  await app.request("/api/nothing");
  const counted = (await (await app.request("/metrics")).text()).matchAll(/^http_request_seconds_count\{(.*)\} \d+$/gm);
  expect(Array.from(counted, ([, labels]) => labels)).toEqual(
    expect.arrayContaining([
      'method="POST",route="/api/contact",status="400"',
      'method="GET",route="/api/bookings/:id",status="404"',
      'method="GET",route="/api/*",status="404"',
    ]),
  );
});

test("exports every metric that the alarms and the dashboard in deploy/ use", async () => {
  await app.request("/api/settings/public");
  const known = new Set(
    Array.from((await (await app.request("/metrics")).text()).matchAll(/^# TYPE (\S+)/gm), ([, name]) => name),
  );
  const named = ["prometheus-rules.yml", "grafana-dashboard.json"].map((file) => {
    const text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), "utf8");
    return new Set(
      Array.from(text.matchAll(/\b(?:http|nodejs|process|stagedoor)_[a-z\d_]+/g), ([name]) =>
        name.replace(/_(count|sum|bucket)$/, ""),
      ),
    );
  });
  for (const names of named) {
    expect(names.size).toBeGreaterThan(3);
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
  }
});

test("explains every alarm in the guide", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const alarms = Array.from(read("deploy/prometheus-rules.yml").matchAll(/alert: (\w+)/g), ([, name]) => name ?? "");
  expect(alarms.length).toBeGreaterThan(3);
  const guide = read("docs/operate/watch.md");
  expect(alarms.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test("restricts the browser's cookie to this host under https, and includes sub-domains in the policy", async () => {
  const sent = await production.request("/api/contact", { body: {}, headers: { host: "stagedoor.example" } });
  const [cookie = ""] = sent.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-browser=[\w-]+; .*Path=\/;.*HttpOnly;.*Secure/);
  expect(cookie).not.toContain("Domain");
  expect(sent.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  const known = { host: "stagedoor.example", cookie: cookie.split(";")[0] ?? "" };
  const again = await production.request("/api/contact", { body: {}, headers: known });
  expect(again.headers.getSetCookie()).toEqual([]);
});

test("is not ready while the database accepts no writes", async () => {
  const ready = async () => (await app.request("/readyz")).status;
  expect(await ready()).toBe(200);
  // Like a full disk: every write fails, reads continue.
  await sql`
    create function refuse_for_test() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    app.database.db,
  );
  await sql`create trigger full_disk before insert on event_outbox execute function refuse_for_test()`.execute(
    app.database.db,
  );
  expect(await ready()).toBe(200);
  const insert = () => app.database.db.insertInto("event_outbox").values({ topic: "x", body: "{}" }).execute();
  await expect(insert()).rejects.toThrow("No space left");
  expect(await ready()).toBe(503);
  expect((await app.request("/livez")).status).toBe(200);
  await sql`drop trigger full_disk on event_outbox`.execute(app.database.db);
  expect(await ready()).toBe(200);
  expect(await app.database.db.selectFrom("event_outbox").select("id").where("topic", "=", "trial").execute()).toEqual(
    [],
  );
});

test("logs a slow statement with its endpoint and without its values", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog("warn", {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const { database } = app;
  logSlowStatements(database, log, 100);
  const minuteLong: string[] = [];
  logSlowStatements(database, makeLog("warn", { write: (line: string) => void minuteLong.push(line) }), 60_000);
  const site = Fastify();
  nameRequests(site);
  site.post("/slow/:id", async () => {
    await sql`select pg_sleep(${0.15}), ${"private"}::text`.execute(database.db);
    await database.transaction((tx) => sql`select pg_sleep(0.15) as "inside"`.execute(tx));
    await sql`select 1 as "quick"`.execute(database.db);
    return {};
  });
  await site.inject({ method: "POST", url: "/slow/1", payload: { some: "body" } });
  await site.close();
  // On a busy machine a short statement can also take 100 ms.
  const slow = lines.filter((line) => line["work"] === "POST /slow/:id" && String(line["statement"]).includes("sleep"));
  expect(slow).toHaveLength(2);
  expect(slow[0]).toMatchObject({ msg: "slow statement", statement: expect.stringContaining("pg_sleep($1)") });
  expect(slow[0]?.["ms"]).toBeGreaterThanOrEqual(100);
  expect(slow[1]).toMatchObject({ statement: expect.stringContaining("inside") });
  expect(JSON.stringify(lines)).not.toContain("private");
  expect(minuteLong).toEqual([]);
});

test("logs the caller and the network of a request, and marks a denied one", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog("info", {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const site = Fastify();
  logRequests(site, log);
  site.get("/own", async (request) => {
    request.accountId = "account-1";
    return {};
  });
  site.get("/forbidden", async (_request, reply) => reply.code(403).send({}));
  site.post("/auth/v1/token", async (_request, reply) => reply.code(400).send({}));
  await site.inject({ url: "/own?secret=1", remoteAddress: "203.0.113.77" });
  await site.inject({ url: "/forbidden", remoteAddress: "2001:db8:1:2::3" });
  await site.inject({ method: "POST", url: "/auth/v1/token" });
  await site.close();
  expect(lines).toMatchObject([
    { route: "/own", status: 200, account: "account-1", network: "203.0.113.0/24" },
    { route: "/forbidden", status: 403, refused: true, network: "2001:db8:1::/48" },
    { route: "/auth/v1/token", status: 400, refused: true },
  ]);
  expect(lines[0]).not.toHaveProperty("refused");
  expect(JSON.stringify(lines)).not.toMatch(/secret|113\.77/);
  expect(networkOf("nonsense")).toBe("unknown");
});

test("ends the process despite silent and slow connections", async () => {
  const slow = await testApp();
  await slow.server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = slow.server.server.address() as AddressInfo;
  const headers = "POST /api/contact HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  const begun = [...Array.from({ length: 10 }, () => `${headers}content-length: 90000\r\n\r\n{`), "GET /live"];
  // A browser opens a connection like the last one ahead of its next request.
  const sockets = [...begun, ""].map((text) => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    if (text) socket.write(text);
    return socket;
  });
  const trickle = setInterval(() => sockets.slice(0, 10).forEach((socket) => socket.write(" ")), 200);
  await expect
    .poll(async () => new Promise((resolve) => slow.server.server.getConnections((_e, n) => resolve(n))))
    .toBe(12);
  // A reset is an end too, but once() would reject it.
  const ends = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve))));
  await slow.close();
  await ends;
  clearInterval(trickle);
});

test("sets the time limits of a connection", () => {
  const { server } = app.server;
  expect(server.requestTimeout).toBe(60_000);
  expect(server.headersTimeout).toBe(10_000);
  expect(server.timeout).toBe(0);
});
