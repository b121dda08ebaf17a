import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stripeGateway } from "../adapters/stripe/gateway.ts";
import { expectSound, type PaymentsHarness, paymentsHarness, signed } from "#test/harness/payments.ts";

let app: PaymentsHarness;
let secret: string;
beforeAll(async () => {
  app = await paymentsHarness();
  secret = app.services.sandbox?.webhookSecret ?? "";
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

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

type Forgery = { body?: string; header?: (body: string) => string | undefined; type?: string };
const corpus: Record<string, Forgery> = {
  "no header": { header: () => undefined },
  "an empty header": { header: () => "" },
  "no timestamp": { header: (body) => signed(secret, moved(0), body).replace(/^t=\d+,/, "") },
  "a timestamp that is no number": { header: (body) => signed(secret, moved(0), body).replace(/^t=\d+/, "t=soon") },
  "no signature": { header: () => `t=${Math.floor(moved(0).getTime() / 1000)}` },
  "another secret": { header: (body) => signed("whsec_other", moved(0), body) },
  "the empty secret": { header: (body) => signed("", moved(0), body) },
  "the secret 'undefined'": { header: (body) => signed("undefined", moved(0), body) },
  "the old scheme only": { header: (body) => signed(secret, moved(0), body, "v0") },
  "six minutes old": { header: (body) => signed(secret, moved(-360), body) },
  "three days old": { header: (body) => signed(secret, moved(-3 * 86_400), body) },
  "six minutes in the future": { header: (body) => signed(secret, moved(360), body) },
  "a day in the future": { header: (body) => signed(secret, moved(86_400), body) },
  "one byte changed": { header: () => signed(secret, moved(0), event({ id: "evt_other" })) },
  "signed before it was written anew as JSON": {
    header: (body) => signed(secret, moved(0), JSON.stringify(JSON.parse(body), null, 2)),
  },
  "a moved timestamp": {
    header: (body) => signed(secret, moved(-600), body).replace(/^t=\d+/, `t=${Math.floor(moved(0).getTime() / 1000)}`),
  },
  "an empty body": { body: "", header: () => signed(secret, moved(0), "") },
  "a body that is no JSON": { body: "money", header: (body) => signed(secret, moved(0), body) },
  "a body that is null": { body: "null", header: (body) => signed(secret, moved(0), body) },
  "a body without an id": { body: event({ id: 7 }), header: (body) => signed(secret, moved(0), body) },
  "the other mode": { body: event({ livemode: true }), header: (body) => signed(secret, moved(0), body) },
  "a connected account": { body: event({ account: "acct_1" }), header: (body) => signed(secret, moved(0), body) },
  "a huge header": { header: () => `t=1,${"v1=00,".repeat(1_500)}` },
  "another content type": { header: () => "t=1,v1=00", type: "text/plain" },
};

const deliver = (body: string, header: string | undefined, type = "application/json") =>
  app.server.inject({
    method: "POST",
    url: "/api/webhooks/stripe",
    payload: body,
    headers: { "content-type": type, ...(header === undefined ? {} : { "stripe-signature": header }) },
  });

const noted = async () => (await app.database.db.selectFrom("provider_events").select("id").execute()).length;

describe("a webhook is refused and leaves nothing behind:", () => {
  test.each(Object.entries(corpus))("%s", async (_name, { body = event(), header, type }) => {
    const before = await noted();
    const answer = await deliver(body, header?.(body), type);
    expect(answer.statusCode).toBe(400);
    expect(await noted()).toBe(before);
  });
});

describe("a webhook is believed", () => {
  test.each([
    ["with a fresh signature", 0],
    ["four minutes old", -240],
    ["four minutes in the future", 240],
  ])("%s", async (_name, seconds) => {
    const body = event({ id: `evt_${seconds}`, type: "nobody.asked" });
    expect((await deliver(body, signed(secret, moved(seconds), body))).statusCode).toBe(200);
  });

  test("with two signatures while the secret is changed, one of them right", async () => {
    const body = event({ id: "evt_two", type: "nobody.asked" });
    const right = signed(secret, moved(0), body).split(",")[1];
    expect((await deliver(body, `${signed("whsec_old", moved(0), body)},${right}`)).statusCode).toBe(200);
  });

  test("and noted once, however often it comes", async () => {
    const body = event({ id: "evt_once", type: "nobody.asked" });
    for (let time = 0; time < 5; time++)
      expect((await deliver(body, signed(secret, moved(0), body))).statusCode).toBe(200);
    const rows = await app.database.db
      .selectFrom("provider_events")
      .select(["attempts", "last_error"])
      .where("id", "=", "evt_once")
      .execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.last_error).toContain("nobody answers nobody.asked");
  });
});

test.each([undefined, "", "   "])(
  "without a webhook secret (%o) every webhook is answered 503",
  async (webhookSecret) => {
    const gateway = stripeGateway({
      name: "stripe",
      installation: "test",
      secretKey: "sk_test_1",
      live: false,
      webhookSecret,
    });
    const other = await paymentsHarness({ gateway });
    try {
      const body = event();
      for (const key of ["", "undefined", webhookSecret ?? ""]) {
        const payload = { method: "POST" as const, url: "/api/webhooks/stripe", payload: body };
        const answer = await other.server.inject({
          ...payload,
          headers: { "content-type": "application/json", "stripe-signature": signed(key, other.clock.now(), body) },
        });
        expect(answer.statusCode).toBe(503);
      }
      expect(await other.database.db.selectFrom("provider_events").select("id").execute()).toEqual([]);
    } finally {
      await other.close();
    }
  },
);
