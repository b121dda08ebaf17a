import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "#test/test-app.ts";

const tunnels: Record<string, string>[] = [
  { host: "stagedoor.example" },
  { host: "localhost", "x-forwarded-for": "203.0.113.7" },
  { host: "localhost", forwarded: "for=203.0.113.7" },
  { host: "localhost", via: "1.1 proxy" },
];
const json = (body: object) => ({ method: "POST", body });
const addresses: [string, { method?: string; body?: object }][] = [
  ["/dev/outbox", {}],
  ["/%64ev/outbox", {}],
  ["/api/dev/outbox?to=admin@demo.test", {}],
  ["/api/%64ev/outbox", {}],
  ["/auth/v1/token?grant_type=password", json({ email: "admin@demo.test", password: "demo-password" })],
  ["/auth/v1/signup", json({ email: "eve@example.test", password: "a quiet lamp backstage", data: { role: "admin" } })],
];

describe("in demo mode", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());

  test.each(tunnels)("opens no account and no mailbox to %o", async (headers) => {
    for (const [address, init] of addresses) {
      const response = await app.request(address, { ...init, headers });
      expect(response.status, address).toBe(403);
      expect(await response.text(), address).toContain("Demo mode only accepts requests from this machine");
    }
    const session = await app.signIn(await app.make.user({ role: "admin" }));
    expect((await app.request("/api/admin/attention", { headers: { ...headers, ...session } })).status).toBe(403);
  });

  test("refuses an address whose path changes when it is parsed", async () => {
    const { port } = new URL(await app.server.listen({ host: "127.0.0.1", port: 0 }));
    const statusOf = (path: string) =>
      new Promise((resolve, reject) =>
        request({ host: "127.0.0.1", port, path, headers: { host: "evil.example" } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end(),
      );
    for (const path of [
      "x/../dev/clock",
      "x/%2e%2E/dev/clock",
      "x/.%2e/dev/clock",
      "./dev/clock",
      "x\\..\\dev/clock",
      "x/..?a=b",
    ])
      expect(await statusOf(`/api/${path}`), path).toBe(400);
    for (const path of ["/dev/outbox", "/auth/v1/settings", "/api/dev/clock"]) {
      expect(await statusOf(path), path).toBe(403);
      expect(await statusOf(`http://localhost${path}`), path).toBe(400);
    }
    expect(await statusOf("/api/artists?search=/../x")).toBe(200);
    expect(await statusOf("/api/artists/..a")).toBe(404);
  });

  test("serves public pages, and local requests as before", async () => {
    expect((await app.request("/api/artists", { headers: { host: "stagedoor.example" } })).status).toBe(200);
    expect((await app.request("/dev/outbox", { headers: { host: "127.0.0.1:3000" } })).status).toBe(200);
  });
});

describe("outside demo mode", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example" } });
  });
  afterAll(() => app.close());

  test("refuses the demo market's accounts with any data folder: by password, emailed link and earlier session", async () => {
    const [email, phone, password] = ["admin@demo.test", "15125550100", "demo-password"];
    await app.make.user({ email, phone, password, role: "admin" });
    const refuses = async (path: string, body: object) => {
      const response = await app.request(`/auth/v1${path}`, json(body));
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("outside demo mode")]);
    };
    for (const name of [{ email }, { email: " Admin@Demo.Test " }, { phone: `+${phone}` }])
      await refuses("/token?grant_type=password", { ...name, password });

    await app.request("/auth/v1/recover", json({ email }));
    const { db } = app.database;
    const sent = await db
      .selectFrom("messages")
      .select("text")
      .where("recipient", "=", email)
      .executeTakeFirstOrThrow();
    await refuses("/verify", { type: "recovery", token_hash: /token_hash=([\w-]+)/.exec(sent.text)?.[1] });

    await using demo = await testApp({ beside: app });
    const opened = await demo.json("/auth/v1/token?grant_type=password", json({ email, password }));
    await refuses("/token?grant_type=refresh_token", { refresh_token: opened.body["refresh_token"] });
    const headers = { authorization: `Bearer ${String(opened.body["access_token"])}` };
    await using local = await testApp({ beside: app, env: { DEMO: "0" } });
    const statusAt = async (market: TestApp) => (await market.request("/api/me", { headers })).status;
    expect([await statusAt(demo), await statusAt(local), await statusAt(app)]).toEqual([200, 401, 401]);
    expect((await local.json("/auth/v1/user", { headers })).body["code"]).toBe("session_not_found");
    expect((await app.request("/dev/outbox")).status).toBe(404);
  });

  test("accepts other accounts behind a proxy", async () => {
    const user = await app.make.user({ password: "a quiet lamp backstage" });
    const response = await app.request("/auth/v1/token?grant_type=password", {
      ...json({ email: user.email, password: "a quiet lamp backstage" }),
      headers: { host: "stagedoor.example", "x-forwarded-for": "203.0.113.7" },
    });
    expect(response.status).toBe(200);
  });
});
