import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { requireGateway, ProviderFailure } from "#gateway/gateway.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { fetchFoundMoney, reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { addresses, expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { stripeGateway } from "../adapters/stripe/gateway.ts";
import { expireCheckout, openCheckout, reservePayment } from "../index.ts";
import { watchCheckouts } from "../jobs.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.createCheckout;
  await expectSound(app);
});

function loseNextAnswer(): void {
  let lost = false;
  app.around.createCheckout = (real) => async (request) => {
    const fact = await real.createCheckout(request);
    if (lost) return fact;
    lost = true;
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
}

describe("openCheckout", () => {
  test("applies a paid checkout: succeeded payment, posted ledger and one event", async () => {
    const { bookingId, paymentId, url, ref } = await app.start();
    expect(await app.payment(paymentId)).toMatchObject({
      status: "requires_payment_method",
      checkout_state: "open",
      provider_ref: ref,
    });
    const back = await app.press(url, "pay");
    expect(back).toEqual({ status: 303, location: addresses.successUrl.replace("{CHECKOUT_SESSION_ID}", ref) });
    expect(await app.payment(paymentId)).toMatchObject({
      status: "succeeded",
      checkout_state: "paid",
      provider: "sandbox",
      provider_ref: ref,
    });
    expect(await app.balance(`held:${bookingId}`)).toBe(-37_500);
    expect(await app.balance("psp_fees")).toBe(1_118);
    expect(await app.balance("psp_clearing")).toBe(37_500 - 1_118);
    expect(await app.publishedEvents(bookingId)).toEqual([
      {
        topic: "payment.succeeded",
        body: expect.objectContaining({
          paymentId: paymentId,
          bookingId,
          kind: "deposit",
          amount: 37_500,
          currency: "usd",
        }),
      },
    ]);
  });

  test("returns the existing session for a second request, and throws if the payment is already paid", async () => {
    const first = await app.start();
    const second = await app.start({ bookingId: first.bookingId });
    expect(second).toEqual(first);
    await app.press(first.url, "pay");
    await expect(app.start({ bookingId: first.bookingId })).rejects.toThrow("already paid");
    await expect(openCheckout(app.services, first.paymentId, addresses)).rejects.toThrow("already paid");
  });

  test("creates one session for the concurrent callers of several processes", async () => {
    const bookingId = randomUUID();
    const want = {
      bookingId,
      kind: "deposit" as const,
      amount: 500,
      currency: "usd",
      title: "Deposit",
      now: app.clock.now(),
    };
    // Each process has its own handle, so only the database synchronizes them.
    const processes = Array.from({ length: 10 }, () => ({ ...app.services, database: { ...app.database } }));
    const opened = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const services = processes[index % processes.length] ?? app.services;
        const payment = await services.database.transaction((tx) => reservePayment(tx, want));
        return openCheckout(services, payment.id, addresses);
      }),
    );
    expect(new Set(opened.map((one) => one.ref)).size).toBe(1);
    expect(await app.sessions(bookingId)).toHaveLength(1);
  });

  test.each([
    ["error", "no_permission"],
    ["warn", "no_answer"],
  ] as const)("logs a failed call as %s if the provider's answer is %s", async (level, kind) => {
    const logged = vi.spyOn(app.services.log, level);
    onTestFinished(() => logged.mockRestore());
    const failure = new ProviderFailure(kind, "The call failed.");
    app.around.createCheckout = () => () => Promise.reject(failure);
    await expect(app.start()).rejects.toMatchObject({ kind: "unavailable" });
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ err: failure }), expect.any(String));
  });

  test("leaves a declined checkout open, publishes the decline once, and accepts a later payment", async () => {
    const { bookingId, paymentId, url } = await app.start();
    expect((await app.press(url, "decline")).location).toContain("declined=1");
    await app.press(url, "decline");
    expect(await app.payment(paymentId)).toMatchObject({
      status: "failed",
      checkout_state: "open",
      last_error: "Your card was declined.",
    });
    await app.press(url, "pay");
    expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
    expect(await app.topics(bookingId)).toEqual(["payment.failed", "payment.succeeded"]);
  });

  test("leaves a canceled checkout open until it is expired", async () => {
    const { bookingId, paymentId, url } = await app.start();
    expect((await app.press(url, "cancel")).location).toBe(addresses.cancelUrl);
    expect(await app.start({ bookingId })).toMatchObject({ paymentId, url });
    expect(await expireCheckout(app.services, paymentId)).toBe("expired");
    expect(await expireCheckout(app.services, paymentId)).toBe("expired");
    expect(await app.payment(paymentId)).toMatchObject({
      status: "failed",
      checkout_state: "closed",
      checkout_url: null,
    });
    expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
    const again = await app.start({ bookingId });
    expect(again.paymentId).not.toBe(paymentId);
  });

  test("closes an expired checkout by webhook, and ignores a click on the old page", async () => {
    const { bookingId, paymentId, url } = await app.start();
    app.clock.advance(32 * minuteMs);
    expect((await app.press(url, "pay")).location).toBe(new URL(url).pathname);
    await app.settle();
    expect(await app.payment(paymentId)).toMatchObject({ status: "failed", checkout_state: "closed" });
    expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
    await expect(openCheckout(app.services, paymentId, addresses)).rejects.toMatchObject({ kind: "gone" });
  });

  test("closes a checkout immediately that was never sent", async () => {
    const bookingId = randomUUID();
    const want = { bookingId, kind: "balance" as const, amount: 500, currency: "eur", title: "Balance" };
    const payment = await app.inTx((tx) => reservePayment(tx, { ...want, now: app.clock.now() }));
    expect(await expireCheckout(app.services, payment.id)).toBe("expired");
    expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
  });

  test("returns already_paid when the payment precedes the expiry", async () => {
    const { paymentId, url } = await app.start();
    await app.unheard(() => app.press(url, "pay"));
    expect((await app.payment(paymentId)).status).toBe("requires_payment_method");
    expect(await expireCheckout(app.services, paymentId)).toBe("already_paid");
    expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
  });

  test.each([0, -1, 1.5, 100_000_000, Number.NaN])("refuses the amount %s", async (amount) => {
    await expect(app.start({ amount })).rejects.toMatchObject({ kind: "invalid" });
  });

  test.each(["jpy", "kwd", "xyz", ""])("refuses the currency '%s'", async (currency) => {
    await expect(app.start({ currency })).rejects.toMatchObject({ kind: "invalid" });
  });

  test("refuses other terms while a checkout is open", async () => {
    const { bookingId } = await app.start();
    await expect(app.start({ bookingId, amount: 1 })).rejects.toMatchObject({ kind: "conflict" });
  });

  test("throws unavailable (503) without a provider", async () => {
    const without = { ...app.services, gateway: null };
    const { paymentId } = await app.start();
    expect(() => requireGateway(without)).toThrow("Payments are not set up");
    await expect(
      openCheckout({ ...without, database: { ...app.database } }, paymentId, addresses),
    ).rejects.toMatchObject({
      kind: "unavailable",
    });
  });
});

describe("payments of other installations on the same account", () => {
  async function paidElsewhere(installation: string, amount: number) {
    const { sandbox } = app.services;
    const at = { host: sandbox?.host ?? "", port: sandbox?.port ?? 0, protocol: "http" as const };
    const keys = {
      secretKey: sandbox?.secretKey ?? "",
      webhookSecret: sandbox?.webhookSecret,
      connectWebhookSecret: undefined,
    };
    const elsewhere = stripeGateway({ name: "stripe", installation, live: false, ...keys, at });
    const made = await elsewhere.createCheckout({
      ...addresses,
      paymentId: randomUUID(),
      bookingId: randomUUID(),
      kind: "deposit",
      amount,
      currency: "usd",
      title: "Not ours",
      details: [],
      imageUrl: null,
      payerEmail: null,
      payerName: null,
      expiresAt: new Date(app.clock.now().getTime() + 31 * minuteMs),
    });
    await app.press(made.url ?? "", "pay");
    await app.settle();
    const { money } = await elsewhere.retrieveCheckout(made.ref);
    expect(money?.amount).toBe(amount);
    await reconcile(app.services);
    return money?.providerPayment ?? "";
  }
  const charges = (ref: string) =>
    app.database.db.selectFrom("provider_charges").select("amount").where("provider_payment", "=", ref).execute();
  const items = (ref: string) =>
    app.database.db.selectFrom("unreconciled_items").select("id").where("ref", "=", ref).execute();

  test("ignores a payment of another installation, and refuses to record or refund it", async () => {
    const ref = await paidElsewhere("another", 900);
    expect(await charges(ref)).toEqual([]);
    expect(await items(ref)).toEqual([]);
    const { id } = await app.database.db
      .insertInto("unreconciled_items")
      .values({
        kind: "payment",
        what: "the provider received a payment that was not requested here",
        ref,
        amount: 900,
        currency: "usd",
        occurred_at: app.clock.now(),
        first_seen_at: app.clock.now(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await expect(fetchFoundMoney(app.services, id)).rejects.toMatchObject({ kind: "conflict" });
  });

  test("lists a payment without a mark for an admin", async () => {
    const ref = await paidElsewhere("", 901);
    expect(await charges(ref)).toEqual([]);
    const [item] = await items(ref);
    expect(await fetchFoundMoney(app.services, item?.id ?? "")).toMatchObject({
      money: { amount: 901, providerPayment: ref },
    });
  });
});

describe("openCheckout after a lost response", () => {
  test("returns the session that the provider created", async () => {
    loseNextAnswer();
    const bookingId = randomUUID();
    await expect(app.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    app.clock.advance(20_000);
    await app.start({ bookingId });
    const sessions = await app.sessions(bookingId);
    expect(sessions).toHaveLength(1);
  });

  test("queries the provider when the call is too old to repeat", async () => {
    loseNextAnswer();
    const bookingId = randomUUID();
    await expect(app.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    app.clock.advance(10 * minuteMs);
    const { ref, paymentId } = await app.start({ bookingId });
    const sessions = await app.sessions(bookingId);
    expect(sessions).toEqual([ref]);
    expect(await app.payment(paymentId)).toMatchObject({ checkout_state: "open", provider_ref: ref });
  });

  test("closes the payment after a stored failure, and uses a new key for the next attempt", async () => {
    const keys: string[] = [];
    app.around.createCheckout = (real) => async (request) => {
      keys.push(request.paymentId);
      if (keys.length === 1) throw new ProviderFailure("server_error", "the provider failed");
      return real.createCheckout(request);
    };
    const bookingId = randomUUID();
    await expect(app.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    await expect(app.start({ bookingId })).rejects.toMatchObject({ kind: "gone" });
    await app.start({ bookingId });
    expect(new Set(keys).size).toBe(2);
    expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
  });
});

describe("a provider whose answer changes nothing", () => {
  afterEach(() => {
    delete app.around.retrieveCheckout;
    delete app.around.expireCheckout;
  });

  test("queries once a session that stays open after its end", async () => {
    const { paymentId, ref } = await app.start();
    let calls = 0;
    app.around.retrieveCheckout = (real) => async (ref) => {
      calls += 1;
      return { ...(await real.retrieveCheckout(ref)), state: "open" as const };
    };
    const ended = await app.payment(paymentId);
    app.clock.advance((ended.expires_at?.getTime() ?? 0) - app.clock.now().getTime() + 1);
    await expect(openCheckout(app.services, paymentId, addresses)).rejects.toThrow("still processing");
    expect([calls, (await app.payment(paymentId)).provider_ref]).toEqual([1, ref]);
  });

  test("does not deny a charge while the provider cannot be queried about an opened checkout", async () => {
    const { paymentId } = await app.start();
    const outage = () => () => Promise.reject(new ProviderFailure("no_answer", "the connection was lost"));
    app.around.expireCheckout = outage;
    app.around.retrieveCheckout = outage;
    const message = "The payment provider did not confirm the state of a payment. Please try again in a moment.";
    await expect(expireCheckout(app.services, paymentId)).rejects.toMatchObject({ kind: "unavailable", message });
    const ended = await app.payment(paymentId);
    app.clock.advance((ended.expires_at?.getTime() ?? 0) - app.clock.now().getTime() + 1);
    await expect(openCheckout(app.services, paymentId, addresses)).rejects.toMatchObject({ message });
  });

  test("requests the expiry once for a session whose payment is still processing", async () => {
    const { paymentId } = await app.start();
    let calls = 0;
    app.around.expireCheckout = (real) => async (ref) => {
      calls += 1;
      return { ...(await real.retrieveCheckout(ref)), state: "open" as const };
    };
    await expect(expireCheckout(app.services, paymentId)).rejects.toThrow("still processing");
    expect(calls).toBe(1);
  });

  test("polls a checkout again only after five minutes, and does not delay others", async () => {
    const { paymentId } = await app.start();
    let calls = 0;
    app.around.retrieveCheckout = (real) => async (ref) => {
      calls += 1;
      return { ...(await real.retrieveCheckout(ref)), state: "open" as const };
    };
    const { expires_at: end } = await app.payment(paymentId);
    app.clock.advance((end?.getTime() ?? 0) - app.clock.now().getTime() + 1);
    await watchCheckouts(app.services);
    const first = calls;
    await watchCheckouts(app.services);
    expect([first > 0, calls]).toEqual([true, first]);
    app.clock.advance(5 * minuteMs);
    await watchCheckouts(app.services);
    expect(calls).toBe(2 * first);
  });
});
