/** POST /api/webhooks/esign: the differences of the services. test/data/signatures.test.ts covers the signatures. */

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { savePlatformSettings } from "#settings/index.ts";
import { docusealKey } from "#test/harness/esign/docuseal-double.ts";
import { docusignDouble } from "#test/harness/esign/docusign-double.ts";
import { type Signing, signingWay } from "#test/harness/esign/suite.ts";
import { testApp, type TestApp } from "#test/test-app.ts";

type Forged = { body?: string; headers?: Record<string, string>; type?: string };
const post = (app: TestApp, { body = "", headers = {}, type = "application/json" }: Forged) =>
  app.server.inject({
    method: "POST",
    url: "/api/webhooks/esign",
    payload: body,
    headers: { "content-type": type, ...headers },
  });
const storedEvents = async (app: TestApp) =>
  (await app.database.db.selectFrom("provider_events").select("id").execute()).length;
const asAdmin = async (app: TestApp) => app.signIn(await app.make.user({ role: "admin" }));

async function call(app: TestApp, address: string, headers: Record<string, string>, body?: object) {
  const response = await app.request(address, { headers, ...(body ? { body } : {}) });
  return (await response.json()) as Record<string, unknown>;
}

describe("DocuSeal", () => {
  let at: Signing;
  let app: TestApp;
  const secret = "whsec-docuseal-of-the-test";
  beforeAll(async () => {
    at = await signingWay("docuseal");
    ({ app } = at);
  });
  afterAll(() => at.close());

  const event = (more: object = {}) =>
    JSON.stringify({
      event_type: "submission.completed",
      timestamp: "2026-11-22T10:00:00Z",
      data: { id: 7_000, submitters: [] },
      ...more,
    });
  const signed = (body: string, { key = secret, seconds = 0 } = {}) => {
    const at = Math.floor(app.clock.now().getTime() / 1_000) + seconds;
    return `${at}.${createHmac("sha256", key).update(`${at}.${body}`).digest("hex")}`;
  };
  const forgeries: Record<string, (body: string) => Forged> = {
    "a moved time": (body) => ({
      headers: {
        "x-docuseal-signature": signed(body, { seconds: -900 }).replace(/^\d+/, (old) => String(Number(old) + 900)),
      },
    }),
    "signed as DocuSign signs": (body) => ({
      headers: { "x-docusign-signature-1": createHmac("sha256", secret).update(body).digest("base64") },
    }),
    "no data": () => {
      const body = event({ data: null });
      return { body, headers: { "x-docuseal-signature": signed(body) } };
    },
    "NUL in the type": () => {
      const body = event({ event_type: "form.\u0000" });
      return { body, headers: { "x-docuseal-signature": signed(body) } };
    },
    "a type of 200 characters": () => {
      const body = event({ event_type: "x".repeat(200) });
      return { body, headers: { "x-docuseal-signature": signed(body) } };
    },
  };

  test.each(Object.keys(forgeries))("refuses and stores nothing: %s", async (name) => {
    const before = await storedEvents(app);
    const body = event();
    const response = await post(app, { body, ...forgeries[name]?.(body) });
    expect(response.statusCode).toBe(400);
    expect(await storedEvents(app)).toBe(before);
  });

  test("accepts the right signature, and stores a repeated delivery once", async () => {
    const before = await storedEvents(app);
    const body = event();
    for (const seconds of [0, -200, 200, 0]) {
      const response = await post(app, { body, headers: { "x-docuseal-signature": signed(body, { seconds }) } });
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ received: true });
    }
    expect(await storedEvents(app)).toBe(before + 1);
  });

  test("accepts a delivery by the real time while the demo's clock is ahead", async () => {
    const stamp = Math.floor(app.clock.now().getTime() / 1_000);
    app.services.demoClock?.clock.follow(40 * dayMs);
    const body = event({ event_type: "form.completed" });
    const text = `${stamp}.${createHmac("sha256", secret).update(`${stamp}.${body}`).digest("hex")}`;
    const response = await post(app, { body, headers: { "x-docuseal-signature": text } });
    expect(response.statusCode).toBe(200);
    expect(await call(app, "/api/admin/webhooks/esign/test", await asAdmin(app), {})).toMatchObject({ ok: true });
  });

  test("refuses a body of more than a megabyte without reading it", async () => {
    expect((await post(app, { body: "x".repeat(1_100_000) })).statusCode).toBe(413);
  });

  test("signs and verifies the webhook's test as a delivery, and stores nothing", async () => {
    const headers = await asAdmin(app);
    const before = await storedEvents(app);
    expect(await call(app, "/api/admin/webhooks/esign/test", headers, {})).toMatchObject({ ok: true });
    expect(await storedEvents(app)).toBe(before);
    expect(await call(app, "/api/admin/webhooks/esign", headers)).toMatchObject({
      path: "/api/webhooks/esign",
      provider: "docuseal",
      provider_name: "DocuSeal",
      outside: true,
      fixed: true,
      has_secret: true,
    });
  });

  test("reports in the connection's test: it works, it cannot be reached", async () => {
    const headers = await asAdmin(app);
    const tested = () => call(app, "/api/admin/settings/test-esign", headers, {});
    expect(await tested()).toMatchObject({ ok: true, message: expect.stringContaining("accepts the key") });
    at.double?.fail("down", 1, "any");
    expect(await tested()).toMatchObject({ ok: false, message: "DocuSeal could not be reached." });
    at.double?.fail("503", 1, "any");
    expect(await tested()).toMatchObject({ ok: false, message: expect.stringContaining("is not available (503") });
  });
});

describe("DocuSign", () => {
  let at: Signing;
  beforeAll(async () => {
    at = await signingWay("docusign");
  });
  afterAll(() => at.close());

  const body = (more: object = {}) =>
    JSON.stringify({
      event: "envelope-completed",
      generatedDateTime: "2026-11-22T10:00:00Z",
      data: { accountId: "8e7c1c7e-account", envelopeId: "0a1b" },
      ...more,
    });
  const signature = (text: string, key = "connect-key-of-the-test") =>
    createHmac("sha256", key).update(text).digest("base64");

  test("accepts one matching signature of several, because two keys are active during a replacement", async () => {
    const headers = {
      "x-docusign-signature-1": signature(body(), "old key"),
      "x-docusign-signature-2": signature(body()),
    };
    expect((await post(at.app, { body: body(), headers })).statusCode).toBe(200);
    expect((await post(at.app, { body: body(), headers })).statusCode).toBe(200);
    expect(await storedEvents(at.app)).toBe(1);
  });

  test.each([
    ["a header with another name", body(), { "x-docusign-signature": signature(body()) }],
    [
      "another account",
      body({ data: { accountId: "theirs", envelopeId: "0a1b" } }),
      { "x-docusign-signature-1": signature(body({ data: { accountId: "theirs", envelopeId: "0a1b" } })) },
    ],
  ])("refuses %s", async (_name, text, headers) => {
    const before = await storedEvents(at.app);
    expect((await post(at.app, { body: text, headers })).statusCode).toBe(400);
    expect(await storedEvents(at.app)).toBe(before);
  });

  test("names the account in the connection's test", async () => {
    expect(await call(at.app, "/api/admin/settings/test-esign", await asAdmin(at.app), {})).toMatchObject({
      ok: true,
      message: expect.stringContaining("for the account “The Test”"),
    });
  });
});

describe("an incomplete configuration", () => {
  test("answers 503 with its code without a secret, and accepts no delivery", async () => {
    await using app = await testApp({ env: { ESIGN_PROVIDER: "docuseal", ESIGN_API_KEY: "k" } });
    const seconds = Math.floor(app.clock.now().getTime() / 1_000);
    const empty = createHmac("sha256", "").update(`${seconds}.{}`).digest("hex");
    const response = await post(app, { body: "{}", headers: { "x-docuseal-signature": `${seconds}.${empty}` } });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: "no_secret" });
    const headers = await asAdmin(app);
    expect(await call(app, "/api/admin/webhooks/esign/test", headers, {})).toMatchObject({
      ok: false,
      message: expect.stringContaining("ESIGN_WEBHOOK_SECRET"),
    });
  });

  test("offers no webhook for built-in signing", async () => {
    await using app = await testApp();
    const response = await post(app, { body: "{}" });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: "no_service" });
    const headers = await asAdmin(app);
    expect(await call(app, "/api/admin/webhooks/esign/test", headers, {})).toMatchObject({
      ok: true,
      message: expect.stringContaining("refused, as expected"),
    });
    expect(await storedEvents(app)).toBe(0);
    expect(await call(app, "/api/admin/webhooks/esign", headers)).toMatchObject({
      provider: "embedded",
      outside: false,
      fixed: false,
      available: ["embedded", "docuseal"],
    });
  });

  test.each([
    ["docuseal", { ESIGN_API_KEY: "a-wrong-key" }, /DocuSeal does not accept the key \(401: Not authenticated\)/],
    [
      "docusign",
      { ESIGN_API_KEY: "a-wrong-key" },
      /DocuSign does not accept the key \(400: invalid_grant, issuer_not_found\)/,
    ],
    ["docusign", { ESIGN_ACCOUNT_ID: "another" }, /does not belong to the account in ESIGN_ACCOUNT_ID/],
  ] as const)("reports a wrong key for %s, and leaves the contract unsent", async (way, env, words) => {
    const at = await signingWay(way, env);
    try {
      expect(await call(at.app, "/api/admin/settings/test-esign", await asAdmin(at.app), {})).toMatchObject({
        ok: false,
        message: expect.stringMatching(words),
      });
    } finally {
      await at.close();
    }
  });
});

test("chooses the service of new contracts by the admin's setting and stored key", async () => {
  const at = await signingWay("docuseal", { ESIGN_PROVIDER: "", ESIGN_API_KEY: "" });
  try {
    const { app } = at;
    const headers = await asAdmin(app);
    const before = await at.sent();
    expect(await at.refOf(before.booking.id)).toBe("");
    await app.database.transaction((tx) =>
      savePlatformSettings(tx, { values: { esignProvider: "docuseal" }, version: 0, by: null }),
    );
    expect(await call(app, "/api/admin/settings/test-esign", headers, {})).toMatchObject({
      ok: false,
      message: "No API key is stored for DocuSeal.",
    });
    await app.request("/api/admin/settings/esign-key", {
      method: "PUT",
      body: { service: "docuseal", api_key: docusealKey },
      headers,
    });
    expect(await call(app, "/api/admin/settings/test-esign", headers, {})).toMatchObject({ ok: true });
    const after = await at.sent();
    expect(await at.refOf(after.booking.id)).not.toBe("");
    // What was sent before is signed where it was sent.
    await app.database.transaction((tx) =>
      savePlatformSettings(tx, { values: { esignProvider: "embedded" }, version: 2, by: null }),
    );
    await at.sign(after, "artist");
    await at.sign(after, "promoter");
    const { status } = await app.database.db
      .selectFrom("bookings")
      .select("status")
      .where("id", "=", after.booking.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe("contract_signed");
  } finally {
    await at.close();
  }
});

test("finishes an open contract at its service after another was chosen, each with its own key", async () => {
  const other = await docusignDouble(() => new Date());
  const { ESIGN_PROVIDER: _provider, ESIGN_API_KEY: key = "", ESIGN_WEBHOOK_SECRET: _secret, ...account } = other.env;
  const at = await signingWay("docuseal", { ...account, ESIGN_PROVIDER: "", ESIGN_API_KEY: "" });
  try {
    const { app } = at;
    const headers = await asAdmin(app);
    for (const [service, apiKey] of [
      ["docuseal", docusealKey],
      ["docusign", key],
    ]) {
      const body = { service, api_key: apiKey };
      await app.request("/api/admin/settings/esign-key", { method: "PUT", body, headers });
      expect(await call(app, "/api/admin/settings/test-esign", headers, { service })).toMatchObject({ ok: true });
    }
    const choose = async (esignProvider: "docuseal" | "docusign") => {
      const { version } = (await call(app, "/api/admin/settings", headers)) as { version: number };
      const body = { values: { esignProvider }, version };
      expect((await app.request("/api/admin/settings", { method: "PATCH", body, headers })).status).toBe(200);
    };
    await choose("docuseal");
    const before = await at.sent();
    await choose("docusign");
    const after = await at.sent();
    expect(other.envelopes.map(({ ref }) => ref)).toEqual([await at.refOf(after.booking.id)]);
    await at.sign(before, "artist");
    await at.sign(before, "promoter");
    const rows = await app.database.db
      .selectFrom("contracts")
      .select(["provider", "signed_status"])
      .orderBy("provider")
      .execute();
    expect(rows).toEqual([
      { provider: "docuseal", signed_status: "signed" },
      { provider: "docusign", signed_status: "sent" },
    ]);
  } finally {
    await at.close();
    await other.close();
  }
});
