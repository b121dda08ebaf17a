import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterEach, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { addresses, expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { duringLookup } from "#test/harness/provider/during-lookup.ts";
import { savedCards } from "#test/harness/saved-cards.ts";
import { callStripe } from "../adapters/stripe/stripe-call.ts";
import { expireCheckout, openCheckout } from "../index.ts";
import { cancelUnsentCharge, chargeSavedCards } from "./charges.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.chargeCard;
  await expectSound(app);
});

const { deposited, reserve, reserved, intents, die, once, loseAnswer, charge, hearAgain } = savedCards(() => app);

describe("chargeSavedCards", () => {
  test("makes a charge once with several concurrent processes", async () => {
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

  test("applies a charge by webhooks alone, regardless of order and repetition", async () => {
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
  ])("finds a charge whose response and webhooks are lost %s", async (_name, later) => {
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
  ])("sends the charge of a process that died before the call %s", async (_name, later) => {
    const { bookingId, paymentId } = await reserved();
    await die(paymentId);
    app.clock.advance(later);
    await charge();
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test("queries the provider after a stored failure, then sends with a new key", async () => {
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

  test("makes one charge if its claim ends before the answer of its lookup", async () => {
    const { bookingId, paymentId } = await reserved();
    await die(paymentId);
    const failed = { needs_lookup: true, last_error: "the provider failed" };
    await app.database.db.updateTable("payments").set(failed).where("id", "=", paymentId).execute();
    app.clock.advance(hourMs);
    await duringLookup(app.services.gateway, "findCharges", charge, async () => {
      app.clock.advance(hourMs);
      await app.database.db.updateTable("payments").set({ lease_until: null }).where("id", "=", paymentId).execute();
      await charge();
    });
    expect(await intents(bookingId)).toEqual(["succeeded"]);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
  });

  test("repeats a charge after the provider did not accept the platform's key, and does not count it as a decline", async () => {
    const { bookingId, paymentId } = await reserved();
    const { chargeCard } = app.gatewayWithWrongKey();
    app.around.chargeCard = () => chargeCard;
    await charge();
    expect(await app.payment(paymentId)).toMatchObject({
      checkout_state: "reserved",
      status: "requires_payment_method",
    });
    expect(await app.topics(bookingId)).not.toContain("payment.failed");
    delete app.around.chargeCard;
    app.clock.advance(10 * minuteMs);
    await charge();
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test("repeats a charge that the platform's restricted key may not make, and stores the missing permission", async () => {
    const { bookingId, paymentId } = await reserved();
    const error = new Stripe.errors.StripePermissionError({
      statusCode: 403,
      type: "invalid_request_error",
      message:
        "The provided key 'rk_live_***abc' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_payment_intent_write' permission would allow this request to continue.",
    });
    app.around.chargeCard = () => () => callStripe(() => Promise.reject(error));
    await charge();
    expect(await app.payment(paymentId)).toMatchObject({
      checkout_state: "reserved",
      last_error:
        "The key in STRIPE_SECRET_KEY lacks the permission payment_intent_write. Add it to the key in the Stripe dashboard.",
    });
    expect(await app.topics(bookingId)).not.toContain("payment.failed");
    delete app.around.chargeCard;
    app.clock.advance(10 * minuteMs);
    await charge();
    expect(await intents(bookingId)).toEqual(["succeeded"]);
  });

  test("does not repeat a charge that the provider made before it failed", async () => {
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
    "publishes the failure %s once",
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
      const published = (await app.publishedEvents(bookingId)).filter(({ body }) => body["paymentId"] === paymentId);
      expect(published.map(({ topic }) => topic)).toEqual(["payment.failed", "checkout.ended"]);
      expect(published[0]?.body).toMatchObject({ automatic: code });
      app.clock.advance(30 * hourMs);
      await charge();
      expect(await intents(bookingId)).toHaveLength(1);
    },
  );

  test("ends the charge of a removed card", async () => {
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
  ])("does not apply a charge in which the provider took %s, and plans its refund", async (_name, wrong) => {
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
    await app.database.db.updateTable("refunds").set({ status: "failed" }).where("status", "=", "requested").execute();
  });

  test("does not fetch charges again in reconciliation when both sides report the same", async () => {
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

  test("recovers a charge without response and webhooks in reconciliation", async () => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await app.unheard(charge);
    await reconcile(app.services);
    expect((await app.payment(paymentId)).status).toBe("succeeded");
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
  });
});

describe("openCheckout with a saved-card charge", () => {
  const open = (paymentId: string) => openCheckout(app.services, paymentId, addresses);

  test("ends a charge that was not sent", async () => {
    const { bookingId, paymentId } = await reserved();
    await expect(open(paymentId)).rejects.toMatchObject({ kind: "gone" });
    await charge();
    expect(await intents(bookingId)).toEqual([]);
    const { url } = await app.start({ bookingId, kind: "balance", amount: 112_500 });
    await app.press(url, "pay");
    expect(await app.balance(`held:${bookingId}`)).toBe(-150_000);
  });

  test("throws a conflict (409) while a charge is in progress, and does not pay twice", async () => {
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
  ])("queries the provider for a charge whose response is lost and that %s", async (_name, made, message) => {
    const { bookingId, paymentId } = await reserved();
    if (made) loseAnswer();
    else once(() => () => Promise.reject(new ProviderFailure("no_answer", "the connection was lost")));
    await app.unheard(charge);
    await expect(open(paymentId)).rejects.toThrow(message);
    app.clock.advance(hourMs);
    await charge();
    expect(await intents(bookingId)).toEqual(made ? ["succeeded"] : []);
  });

  test("prevents the reservation of a charge while a checkout is open", async () => {
    const { bookingId, card } = await deposited();
    await app.start({ bookingId, kind: "balance", amount: 112_500 });
    expect(await app.inTx((tx) => reserve(tx, bookingId, card))).toBeUndefined();
  });
});

describe("cancelUnsentCharge", () => {
  test("ends an unsent charge without charging the card", async () => {
    const { bookingId, paymentId } = await reserved();
    expect(await app.inTx((tx) => cancelUnsentCharge(tx, bookingId, app.clock.now()))).toBe("called_off");
    expect(await app.inTx((tx) => cancelUnsentCharge(tx, bookingId, app.clock.now()))).toBe("none");
    await charge();
    expect(await intents(bookingId)).toEqual([]);
    expect(await expireCheckout(app.services, paymentId)).toBe("expired");
  });

  test("returns in_flight until the provider confirms the outcome", async () => {
    const { bookingId, paymentId } = await reserved();
    loseAnswer();
    await app.unheard(charge);
    expect(await app.inTx((tx) => cancelUnsentCharge(tx, bookingId, app.clock.now()))).toBe("in_flight");
    expect(await expireCheckout(app.services, paymentId)).toBe("already_paid");
    expect(await app.inTx((tx) => cancelUnsentCharge(tx, bookingId, app.clock.now()))).toBe("paid");
  });

  test("returns none for a booking without a charge", async () => {
    expect(await app.inTx((tx) => cancelUnsentCharge(tx, randomUUID(), app.clock.now()))).toBe("none");
  });
});
