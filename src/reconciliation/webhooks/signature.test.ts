import Fastify from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { leaseSeconds } from "#platform/webhooks/webhooks.store.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { stripeGateway } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness, signed } from "#test/harness/payments.ts";
import { providerPlugin } from "../plugin.ts";
import { processEvents } from "./provider-events.ts";

const app = closeAfterFile(await paymentsHarness());
const secret = app.services.sandbox?.webhookSecret ?? "";
afterAll(() => expectSound(app));

const event = (more: object = {}) =>
  JSON.stringify({
    id: "evt_forged",
    object: "event",
    type: "checkout.session.completed",
    livemode: false,
    data: { object: { id: "cs_test_1" } },
    ...more,
  });
const moved = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1_000);

/** Stripe's own cases. test/data/signatures.test.ts has those of every scheme. */
type Forgery = { body?: string; header?: (body: string) => string | undefined; type?: string };
const corpus: Record<string, Forgery> = {
  "no timestamp": { header: (body) => signed(secret, moved(0), body).replace(/^t=\d+,/, "") },
  "a timestamp that is no number": { header: (body) => signed(secret, moved(0), body).replace(/^t=\d+/, "t=soon") },
  "a day in the future": { header: (body) => signed(secret, moved(86_400), body) },
  "one byte changed": { header: () => signed(secret, moved(0), event({ id: "evt_other" })) },
  "signed before it was written anew as JSON": {
    header: (body) => signed(secret, moved(0), JSON.stringify(JSON.parse(body), null, 2)),
  },
  "a moved timestamp": {
    header: (body) => signed(secret, moved(-600), body).replace(/^t=\d+/, `t=${Math.floor(moved(0).getTime() / 1000)}`),
  },
  "a body without an id": { body: event({ id: 7 }), header: (body) => signed(secret, moved(0), body) },
  "the other mode": { body: event({ livemode: true }), header: (body) => signed(secret, moved(0), body) },
  "a connected account": { body: event({ account: "acct_1" }), header: (body) => signed(secret, moved(0), body) },
  "two timestamps, the right one first": {
    header: (body) => signed(secret, moved(0), body).replace(",", `,t=${Math.floor(moved(0).getTime() / 1000) - 900},`),
  },
  "two timestamps, the right one last": {
    header: (body) => `t=${Math.floor(moved(-900).getTime() / 1000)},${signed(secret, moved(0), body)}`,
  },
  "the same timestamp twice": { header: (body) => signed(secret, moved(0), body).replace(/^(t=\d+)/, "$1,$1") },
  "a fractional timestamp": { header: (body) => signed(secret, moved(0), body).replace(/^(t=\d+)/, "$1.5") },
  "a negative timestamp": { header: (body) => signed(secret, moved(0), body).replace(/^t=/, "t=-") },
  "a signature in capitals": {
    header: (body) => signed(secret, moved(0), body).replace(/v1=.*/, (all) => `v1=${all.slice(3).toUpperCase()}`),
  },
  "a malformed signature beside the right one": { header: (body) => `${signed(secret, moved(0), body)},v1=zz` },
  "blanks in the header": { header: (body) => signed(secret, moved(0), body).replace(",", ", ") },
  "an item without a value": { header: (body) => `${signed(secret, moved(0), body)},v1` },
  "NUL in the id": { body: event({ id: "evt_\u0000" }), header: (body) => signed(secret, moved(0), body) },
  "NUL in the type": { body: event({ type: "charge.\u0000" }), header: (body) => signed(secret, moved(0), body) },
  "NUL in the object's id": {
    body: event({ data: { object: { id: "cs_\u0000" } } }),
    header: (body) => signed(secret, moved(0), body),
  },
  "NUL in the payment's reference": {
    body: event({ data: { object: { id: "ch_1", payment_intent: "pi_\u0000" } } }),
    header: (body) => signed(secret, moved(0), body),
  },
  "half a character in the id": {
    body: event().replace("evt_forged", "evt_\\ud800"),
    header: (body) => signed(secret, moved(0), body),
  },
  "an id of 256 characters": {
    body: event({ id: `evt_${"x".repeat(252)}` }),
    header: (body) => signed(secret, moved(0), body),
  },
  "a thin event of another interface": {
    body: event({ object: "v2.core.event", livemode: undefined }),
    header: (body) => signed(secret, moved(0), body),
  },
  "another content type": { header: () => "t=1,v1=00", type: "text/plain" },
};

const deliver = (body: string, header: string | undefined, type = "application/json") =>
  app.server.inject({
    method: "POST",
    url: "/api/webhooks/stripe",
    payload: body,
    headers: { "content-type": type, ...(header === undefined ? {} : { "stripe-signature": header }) },
  });

const storedEvents = async () => (await app.database.db.selectFrom("provider_events").select("id").execute()).length;

describe("the webhook endpoint refuses and does not store:", () => {
  test.each(Object.entries(corpus))("%s", async (_name, { body = event(), header, type }) => {
    const before = await storedEvents();
    const response = await deliver(body, header?.(body), type);
    expect(response.statusCode).toBe(400);
    expect(await storedEvents()).toBe(before);
  });
});

describe("the webhook endpoint accepts a webhook", () => {
  test.each([
    ["with a fresh signature", 0],
    ["four minutes old", -240],
    ["four minutes in the future", 240],
  ])("%s", async (_name, seconds) => {
    const body = event({ id: `evt_${seconds}`, type: "nobody.asked" });
    expect((await deliver(body, signed(secret, moved(seconds), body))).statusCode).toBe(200);
  });

  test("with two signatures during a change of the secret, one of them valid", async () => {
    const body = event({ id: "evt_two", type: "nobody.asked" });
    const right = signed(secret, moved(0), body).split(",")[1];
    expect((await deliver(body, `${signed("whsec_old", moved(0), body)},${right}`)).statusCode).toBe(200);
  });

  test("and processes it once when it is delivered five times", async () => {
    const body = event({ id: "evt_once", type: "nobody.asked" });
    for (let time = 0; time < 5; time++)
      expect((await deliver(body, signed(secret, moved(0), body))).statusCode).toBe(200);
    await processEvents(app.services);
    const rows = await app.database.db
      .selectFrom("provider_events")
      .select(["attempts", "last_error"])
      .where("id", "=", "evt_once")
      .execute();
    expect(rows).toMatchObject([{ attempts: 1, last_error: "there is no handler for nobody.asked" }]);
  });

  test("with an ignored signature of an older scheme beside the valid one", async () => {
    const body = event({ id: "evt_scheme", type: "nobody.asked" });
    const old = signed("whsec_other", moved(0), body, "v0").split(",")[1];
    expect((await deliver(body, `${signed(secret, moved(0), body)},${old}`)).statusCode).toBe(200);
  });
});

describe("the webhook endpoint", () => {
  test("acknowledges without a provider call, and retries the processing after a failed call", async () => {
    const { paymentId, ref, url } = await app.start();
    await app.unheard(() => app.press(url, "pay"));
    let calls = 0;
    app.around.retrieveCheckout = () => () => {
      calls++;
      return Promise.reject(new ProviderFailure("no_answer", "the provider is away"));
    };
    const body = event({ id: "evt_away", data: { object: { id: ref } } });
    expect((await deliver(body, signed(secret, moved(0), body))).statusCode).toBe(200);
    expect(calls).toBe(0);
    await processEvents(app.services);
    expect(calls).toBe(1);
    expect((await app.payment(paymentId)).status).toBe("requires_payment_method");
    delete app.around.retrieveCheckout;
    app.clock.advance(6_000);
    await processEvents(app.services);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
  });

  test("returns an error (500) if the event cannot be stored", async () => {
    const body = event({ id: "evt_unstored", type: "nobody.asked" });
    const { database } = app.services;
    const broken = Object.assign(Object.create(database) as typeof database, {
      transaction: () => Promise.reject(new Error("the database is away")),
    });
    const other = Fastify();
    await other.register(providerPlugin({ ...app.services, sandbox: undefined, database: broken }));
    const response = await other.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      payload: body,
      headers: { "content-type": "application/json", "stripe-signature": signed(secret, moved(0), body) },
    });
    expect(response.statusCode).toBe(500);
    await other.close();
  });

  test("assigns each event to one process, and reassigns it after the lease of a process that died", async () => {
    const events = () =>
      app.database.db
        .selectFrom("provider_events")
        .select("attempts")
        .where("id", "in", ["evt_shared", "evt_left"])
        .orderBy("id", "desc")
        .execute();
    const shared = event({ id: "evt_shared", type: "nobody.asked" });
    expect((await deliver(shared, signed(secret, moved(0), shared))).statusCode).toBe(200);
    await Promise.all(Array.from({ length: 8 }, () => processEvents(app.services)));
    expect(await events()).toEqual([{ attempts: 1 }]);

    const left = event({ id: "evt_left", type: "nobody.asked" });
    expect((await deliver(left, signed(secret, moved(0), left))).statusCode).toBe(200);
    await app.inTx((tx) =>
      tx
        .updateTable("provider_events")
        .set({ next_try_at: moved(leaseSeconds.payments) })
        .where("id", "=", "evt_left")
        .execute(),
    );
    await processEvents(app.services);
    expect(await events()).toEqual([{ attempts: 1 }, { attempts: 0 }]);
    app.clock.advance((leaseSeconds.payments + 1) * 1_000);
    await processEvents(app.services);
    expect(await events()).toEqual([{ attempts: 2 }, { attempts: 1 }]);
  });
});

describe("the webhook endpoint of the artists' accounts", () => {
  const about = (more: object = {}) =>
    event({ id: `evt_${Math.random()}`, type: "nobody.asked", account: "acct_1", ...more });
  const deliverTo = (body: string, key: string) =>
    app.server.inject({
      method: "POST",
      url: "/api/webhooks/stripe/connect",
      payload: body,
      headers: { "content-type": "application/json", "stripe-signature": signed(key, app.clock.now(), body) },
    });
  const connectSecret = () => app.services.sandbox?.connectWebhookSecret ?? "";

  test("accepts only its own secret", async () => {
    expect((await deliverTo(about(), connectSecret())).statusCode).toBe(200);
    for (const key of [secret, "", "undefined"]) expect((await deliverTo(about(), key)).statusCode).toBe(400);
    expect((await deliver(about(), signed(connectSecret(), moved(0), about()))).statusCode).toBe(400);
  });

  test.each([
    ["of our own account", { account: null }],
    ["of the other mode", { livemode: true }],
    ["whose account is no reference", { account: "acct_\u0000" }],
  ])("refuses an event %s", async (_name, more) => {
    expect((await deliverTo(about(more), connectSecret())).statusCode).toBe(400);
  });
});

test.each([undefined, "", "   "])(
  "returns 503 from both webhook endpoints without a webhook secret (%o)",
  async (webhookSecret) => {
    const gateway = stripeGateway({
      name: "stripe",
      installation: "test",
      secretKey: "sk_test_1",
      live: false,
      webhookSecret,
      connectWebhookSecret: webhookSecret,
    });
    const other = await paymentsHarness({ gateway });
    try {
      const body = event();
      for (const key of ["", "undefined", webhookSecret ?? ""]) {
        const payload = { method: "POST" as const, url: "/api/webhooks/stripe", payload: body };
        const response = await other.server.inject({
          ...payload,
          headers: { "content-type": "application/json", "stripe-signature": signed(key, other.clock.now(), body) },
        });
        expect(response.statusCode).toBe(503);
        const connect = await other.server.inject({
          ...payload,
          url: "/api/webhooks/stripe/connect",
          headers: { "content-type": "application/json", "stripe-signature": signed(key, other.clock.now(), body) },
        });
        expect([connect.statusCode, connect.json().code]).toEqual([503, "connect_webhook_secret_missing"]);
      }
      expect(await other.database.db.selectFrom("provider_events").select("id").execute()).toEqual([]);
    } finally {
      await other.close();
    }
  },
);
