/** Charges of kept cards: each once, whatever is lost, late, repeated or in the way. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addresses, expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { savedCards } from "#test/harness/saved-cards.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { expireCheckout, openCheckout } from "../index.ts";
import { reconcile } from "#reconciliation/index.ts";
import { callOffCharge, chargeSavedCards } from "./charges.ts";

let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness();
});
afterEach(async () => {
  delete app.around.chargeCard;
  await expectSound(app);
});
afterAll(() => app.close());

const { deposited, reserve, reserved, intents, die, once, loseAnswer, charge, hearAgain } = savedCards(() => app);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe("a charge", () => {
  test("is made once by several processes at the same time, and again by nobody", async () => {
    const { bookingId, paymentId } = await reserved();
    const processes = Array.from({ length: 4 }, () => ({ ...app.services, database: { ...app.database } }));
    await Promise.all(processes.map((services) => chargeSavedCards(services)));
    app.clock.advance(30 * hourMs);
    await charge();
    await app.settle();
    expect(await intents(bookingId)).toEqual(["succeeded"]);
    expect(await app.payment(paymentId)).toMatchObject({
      status: "succeeded",
      checkout_state: "paid",
      way: "saved_card",
    });
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
    expect((await app.topics(bookingId)).filter((topic) => topic === "payment.succeeded")).toHaveLength(2);
  });

  test("is known by the webhooks alone, in any order and as often as they come", async () => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await charge();
    await app.settle();
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    for (let again = 0; again < 3; again++) await hearAgain();
    expect((await app.topics(bookingId)).filter((topic) => topic === "payment.succeeded")).toHaveLength(2);
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
  });

  test.each([
    ["within the hour, under the same key", 10 * minuteMs],
    ["after the provider has forgotten the key, by a look", 25 * hourMs],
  ])("whose answer and webhooks are lost is found again %s", async (_name, later) => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await app.unheard(charge);
    expect((await app.payment(paymentId)).checkout_state).toBe("reserved");
    app.clock.advance(later);
    await app.unheard(charge);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test.each([
    ["at once", 10 * minuteMs],
    ["three days later", 72 * hourMs],
  ])("of a process that died before the call is made by another one %s", async (_name, later) => {
    const { bookingId, paymentId } = await reserved();
    await die(paymentId);
    app.clock.advance(later);
    await charge();
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test("after a stored failure of the provider is looked for first, then sent with a key of its own", async () => {
    const { bookingId, paymentId } = await reserved();
    const keys: string[] = [];
    app.around.chargeCard = (real) => async (request) => {
      keys.push(request.key);
      if (keys.length === 1) throw new ProviderFailure("server_error", "the provider failed");
      return real.chargeCard(request);
    };
    await charge();
    app.clock.advance(10 * minuteMs);
    await charge();
    expect(keys[0]).toBe(paymentId);
    expect(new Set(keys).size).toBe(2);
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test("that the provider made before it failed is not made again", async () => {
    const { bookingId, paymentId } = await reserved();
    once((real) => async (request) => {
      await real(request);
      throw new ProviderFailure("server_error", "the provider failed");
    });
    await app.unheard(charge);
    app.clock.advance(10 * minuteMs);
    await app.unheard(charge);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test.each(["card_declined", "authentication_required", "expired_card"])(
    "that ends in %s says so once",
    async (code) => {
      const { bookingId, paymentId } = await reserved(code);
      await charge();
      await app.settle();
      await hearAgain();
      expect(await app.payment(paymentId)).toMatchObject({
        status: "failed",
        checkout_state: "closed",
        decline_code: code,
        provider_payment: null,
      });
      const told = (await app.told(bookingId)).filter(({ body }) => body["paymentId"] === paymentId);
      expect(told.map(({ topic }) => topic)).toEqual(["payment.failed", "checkout.ended"]);
      expect(told[0]?.body).toMatchObject({ automatic: code });
      app.clock.advance(30 * hourMs);
      await charge();
      expect(await intents(bookingId)).toHaveLength(1);
    },
  );

  test("of a card that is gone ends, and says so", async () => {
    const { bookingId, card, paymentId } = await reserved();
    await app.services.gateway?.removeCard(card.method);
    await charge();
    expect(await app.payment(paymentId)).toMatchObject({ status: "failed", checkout_state: "closed" });
    expect(await intents(bookingId)).toEqual([]);
  });

  test.each([
    ["another sum", { amount: 1 }],
    ["another currency", { currency: "eur" }],
    ["the other mode", { live: true }],
  ])("in which the provider took %s is not applied and goes back", async (_name, wrong) => {
    const { bookingId, paymentId } = await reserved();
    once((real) => async (request) => {
      const reported = await real(request);
      return { ...reported, money: reported.money && { ...reported.money, ...wrong } };
    });
    await app.unheard(charge);
    expect(await app.payment(paymentId)).toMatchObject({ checkout_state: "closed", provider_payment: null });
    expect(await app.balance(`held:${bookingId}`)).toBe(-37_500);
    const refunds = await app.database.db.selectFrom("refunds").selectAll().where("status", "=", "requested").execute();
    expect(refunds.length).toBeGreaterThan(0);
    // The sandbox's books are right: what was planned here cannot be sent.
    await app.database.db.updateTable("refunds").set({ status: "failed" }).where("status", "=", "requested").execute();
  });

  test("is not fetched again by the comparison when both sides report the same", async () => {
    const calls = { payments: 0, transactions: 0 };
    const { gateway, database } = app.services;
    if (!gateway) throw new Error("the sandbox is set up");
    for (let count = 0; count < 50; count++) await reserved();
    await charge();
    await reconcile(app.services);
    await reconcile({
      ...app.services,
      gateway: {
        ...gateway,
        retrievePayment: (ref) => {
          calls.payments += 1;
          return gateway.retrievePayment(ref);
        },
      },
      database: {
        ...database,
        transaction: (work) => {
          calls.transactions += 1;
          return database.transaction(work);
        },
      },
    });
    expect(calls.payments).toBe(0);
    expect(calls.transactions).toBeLessThan(50);
  });

  test("that nobody told of is found by the comparison with the provider", async () => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await app.unheard(charge);
    await reconcile(app.services);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
  });
});

describe("the payment page and a charge", () => {
  const open = (paymentId: string) => openCheckout(app.services, paymentId, addresses);

  test("a charge that was not made yet gives way", async () => {
    const { bookingId, paymentId } = await reserved();
    await expect(open(paymentId)).rejects.toMatchObject({ kind: "gone" });
    await charge();
    expect(await intents(bookingId)).toEqual([]);
    const { url } = await app.start({ bookingId, kind: "balance", amount: 112_500 });
    await app.press(url, "pay");
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
  });

  test("a charge under way is waited for, and not paid twice", async () => {
    const { bookingId, paymentId } = await reserved();
    let meanwhile: Promise<unknown> | undefined;
    once((real) => async (request) => {
      meanwhile = open(paymentId).catch((error: unknown) => error);
      await meanwhile;
      return real(request);
    });
    await charge();
    expect(await meanwhile).toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("being charged") as string,
    });
    await expect(open(paymentId)).rejects.toThrow("already paid");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test.each([
    ["was made", true, "already paid"],
    ["was never made", false, "has ended"],
  ])("a charge whose answer is lost and that %s is looked up first", async (_name, made, message) => {
    const { bookingId, paymentId } = await reserved();
    if (made) loseAnswer();
    else once(() => () => Promise.reject(new ProviderFailure("no_answer", "the connection was lost")));
    await app.unheard(charge);
    await expect(open(paymentId)).rejects.toThrow(message);
    app.clock.advance(hourMs);
    await charge();
    expect(await intents(bookingId)).toEqual(made ? ["succeeded"] : []);
  });

  test("an open page keeps a charge from being reserved", async () => {
    const { bookingId, card } = await deposited();
    await app.start({ bookingId, kind: "balance", amount: 112_500 });
    expect(await app.inTx((tx) => reserve(tx, bookingId, card))).toBeUndefined();
  });
});

describe("ending a charge", () => {
  test("before it is made leaves the card alone", async () => {
    const { bookingId, paymentId } = await reserved();
    expect(await app.inTx((tx) => callOffCharge(tx, bookingId, app.clock.now()))).toBe("called_off");
    expect(await app.inTx((tx) => callOffCharge(tx, bookingId, app.clock.now()))).toBe("none");
    await charge();
    expect(await intents(bookingId)).toEqual([]);
    expect(await expireCheckout(app.services, paymentId)).toBe("expired");
  });

  test("while it is under way needs the provider's word", async () => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await app.unheard(charge);
    expect(await app.inTx((tx) => callOffCharge(tx, bookingId, app.clock.now()))).toBe("in_flight");
    expect(await expireCheckout(app.services, paymentId)).toBe("already_paid");
    expect(await app.inTx((tx) => callOffCharge(tx, bookingId, app.clock.now()))).toBe("paid");
  });

  test("of a booking without one does nothing", async () => {
    expect(await app.inTx((tx) => callOffCharge(tx, randomUUID(), app.clock.now()))).toBe("none");
  });
});
