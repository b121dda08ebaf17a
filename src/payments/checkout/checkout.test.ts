import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { stripeGateway } from "../adapters/stripe/gateway.ts";
import { requireGateway } from "./checkout.ts";
import { ProviderFailure } from "../gateway.ts";
import { expireCheckout, openCheckout, reservePayment } from "../index.ts";
import { addresses, expectSound, type PaymentsWorld, paymentsWorld } from "#test/payments.ts";

let w: PaymentsWorld;
beforeAll(async () => {
  w = await paymentsWorld();
});
afterEach(async () => {
  delete w.around.createCheckout;
  await expectSound(w);
});
afterAll(() => w.close());

/** The provider makes the session, but its answer never arrives. */
function loseNextAnswer(): void {
  let lost = false;
  w.around.createCheckout = (real) => async (request) => {
    const fact = await real.createCheckout(request);
    if (lost) return fact;
    lost = true;
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
}

describe("a checkout", () => {
  test("that is paid makes a succeeded payment, a posted ledger and one event", async () => {
    const { bookingId, paymentId, url, ref } = await w.start();
    expect(await w.payment(paymentId)).toMatchObject({
      status: "requires_payment_method",
      checkout_state: "open",
      provider_ref: ref,
    });
    const back = await w.press(url, "pay");
    expect(back).toEqual({ status: 303, location: addresses.successUrl.replace("{CHECKOUT_SESSION_ID}", ref) });
    expect(await w.payment(paymentId)).toMatchObject({
      status: "succeeded",
      checkout_state: "paid",
      provider: "sandbox",
      provider_ref: ref,
    });
    expect(await w.balance(`held:${bookingId}`)).toBe(-37_500);
    expect(await w.balance("psp_fees")).toBe(1_118);
    expect(await w.balance("psp_clearing")).toBe(37_500 - 1_118);
    expect(await w.told(bookingId)).toEqual([
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

  test("is the same for a second click, and refuses one that is paid", async () => {
    const first = await w.start();
    const second = await w.start({ bookingId: first.bookingId });
    expect(second).toEqual(first);
    await w.press(first.url, "pay");
    await expect(w.start({ bookingId: first.bookingId })).rejects.toThrow("already paid");
    await expect(openCheckout(w.services, first.paymentId, addresses)).rejects.toThrow("already paid");
  });

  test("is one session for a hundred callers at once", async () => {
    const bookingId = randomUUID();
    const opened = await Promise.all(Array.from({ length: 100 }, () => w.start({ bookingId })));
    expect(new Set(opened.map((one) => one.url)).size).toBe(1);
    const sessions = await w.sessions(bookingId);
    expect(sessions).toHaveLength(1);
  });

  test("is one session through several processes at once", async () => {
    const bookingId = randomUUID();
    const want = { bookingId, kind: "deposit" as const, amount: 500, currency: "usd", title: "Deposit" };
    // Each has a handle of its own, so that nothing but the database stands between them.
    const processes = Array.from({ length: 10 }, () => ({ ...w.services, database: { ...w.database } }));
    const opened = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const services = processes[index % processes.length] ?? w.services;
        const payment = await services.database.transaction((tx) => reservePayment(tx, want));
        return openCheckout(services, payment.id, addresses);
      }),
    );
    expect(new Set(opened.map((one) => one.ref)).size).toBe(1);
    expect(await w.sessions(bookingId)).toHaveLength(1);
  });

  test("that a bank declines stays open, says so once, and can still be paid", async () => {
    const { bookingId, paymentId, url } = await w.start();
    expect((await w.press(url, "decline")).location).toContain("declined=1");
    await w.press(url, "decline");
    expect(await w.payment(paymentId)).toMatchObject({
      status: "failed",
      checkout_state: "open",
      last_error: "Your card was declined.",
    });
    await w.press(url, "pay");
    expect(await w.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
    expect(await w.topics(bookingId)).toEqual(["payment.failed", "payment.succeeded"]);
  });

  test("that is canceled stays open as at the provider, until it is ended", async () => {
    const { bookingId, paymentId, url } = await w.start();
    expect((await w.press(url, "cancel")).location).toBe(addresses.cancelUrl);
    expect(await w.start({ bookingId })).toMatchObject({ paymentId, url });
    expect(await expireCheckout(w.services, paymentId)).toBe("expired");
    expect(await expireCheckout(w.services, paymentId)).toBe("expired");
    expect(await w.payment(paymentId)).toMatchObject({
      status: "failed",
      checkout_state: "closed",
      checkout_url: null,
    });
    expect(await w.topics(bookingId)).toEqual(["checkout.ended"]);
    const again = await w.start({ bookingId });
    expect(again.paymentId).not.toBe(paymentId);
  });

  test("ends by the clock: the webhook says so, and a click on the old page changes nothing", async () => {
    const { bookingId, paymentId, url } = await w.start();
    w.clock.advance(32 * 60_000);
    expect((await w.press(url, "pay")).location).toBe(new URL(url).pathname);
    await w.services.sandbox?.settle();
    expect(await w.payment(paymentId)).toMatchObject({ status: "failed", checkout_state: "closed" });
    expect(await w.topics(bookingId)).toEqual(["checkout.ended"]);
    await expect(openCheckout(w.services, paymentId, addresses)).rejects.toMatchObject({ kind: "gone" });
  });

  test("called off before anybody was asked ends at once", async () => {
    const bookingId = randomUUID();
    const want = { bookingId, kind: "balance" as const, amount: 500, currency: "eur", title: "Balance" };
    const payment = await w.inTx((tx) => reservePayment(tx, want));
    expect(await expireCheckout(w.services, payment.id)).toBe("expired");
    expect(await w.topics(bookingId)).toEqual(["checkout.ended"]);
  });

  test("that was paid a moment before it is ended answers so", async () => {
    const { paymentId, url } = await w.start();
    await w.unheard(() => w.press(url, "pay"));
    expect((await w.payment(paymentId)).status).toBe("requires_payment_method");
    expect(await expireCheckout(w.services, paymentId)).toBe("already_paid");
    expect(await w.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
  });

  test.each([0, -1, 1.5, 100_000_000, Number.NaN])("is refused for the amount %s", async (amount) => {
    await expect(w.start({ amount })).rejects.toMatchObject({ kind: "invalid" });
  });

  test.each(["jpy", "kwd", "xyz", ""])("is refused in the currency '%s'", async (currency) => {
    await expect(w.start({ currency })).rejects.toMatchObject({ kind: "invalid" });
  });

  test("with other terms is refused while one is open", async () => {
    const { bookingId } = await w.start();
    await expect(w.start({ bookingId, amount: 1 })).rejects.toMatchObject({ kind: "conflict" });
  });

  test("is not to be had without a provider", async () => {
    const without = { ...w.services, gateway: null };
    const { paymentId } = await w.start();
    expect(() => requireGateway(without)).toThrow("Payments are not set up");
    await expect(openCheckout({ ...without, database: { ...w.database } }, paymentId, addresses)).rejects.toMatchObject(
      {
        kind: "unavailable",
      },
    );
  });
});

test("money of another installation on the same account is left alone", async () => {
  const { sandbox } = w.services;
  const at = { host: sandbox?.host ?? "", port: sandbox?.port ?? 0, protocol: "http" as const };
  const keys = { secretKey: sandbox?.secretKey ?? "", webhookSecret: sandbox?.webhookSecret };
  const other = stripeGateway({ name: "stripe", installation: "another", live: false, ...keys, at });
  const made = await other.createCheckout({
    ...addresses,
    paymentId: randomUUID(),
    bookingId: randomUUID(),
    kind: "deposit",
    amount: 900,
    currency: "usd",
    title: "Not ours",
    description: "",
    imageUrl: null,
    payerEmail: null,
    expiresAt: new Date(w.clock.now().getTime() + 31 * 60_000),
  });
  await w.press(made.url ?? "", "pay");
  await w.services.sandbox?.settle();
  expect((await other.retrieveCheckout(made.ref)).money?.amount).toBe(900);
  const charges = w.database.db.selectFrom("provider_charges").select("amount").where("amount", "=", 900);
  expect(await charges.execute()).toEqual([]);
});

describe("a lost answer", () => {
  test("between the provider's call and the record heals with the same session", async () => {
    loseNextAnswer();
    const bookingId = randomUUID();
    await expect(w.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    w.clock.advance(20_000);
    await w.start({ bookingId });
    const sessions = await w.sessions(bookingId);
    expect(sessions).toHaveLength(1);
  });

  test("is looked up when it is too old to be asked again", async () => {
    loseNextAnswer();
    const bookingId = randomUUID();
    await expect(w.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    w.clock.advance(10 * 60_000);
    const { ref, paymentId } = await w.start({ bookingId });
    const sessions = await w.sessions(bookingId);
    expect(sessions).toEqual([ref]);
    expect(await w.payment(paymentId)).toMatchObject({ checkout_state: "open", provider_ref: ref });
  });

  test("after a stored failure closes the intent, and the next attempt has a key of its own", async () => {
    const keys: string[] = [];
    w.around.createCheckout = (real) => async (request) => {
      keys.push(request.paymentId);
      if (keys.length === 1) throw new ProviderFailure("server_error", "the provider failed");
      return real.createCheckout(request);
    };
    const bookingId = randomUUID();
    await expect(w.start({ bookingId })).rejects.toMatchObject({ kind: "unavailable" });
    await expect(w.start({ bookingId })).rejects.toMatchObject({ kind: "gone" });
    await w.start({ bookingId });
    expect(new Set(keys).size).toBe(2);
    expect(await w.topics(bookingId)).toEqual(["checkout.ended"]);
  });
});
