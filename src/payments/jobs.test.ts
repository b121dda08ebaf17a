import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makePayment } from "#test/factories/payments.ts";
import { ProviderFailure } from "./gateway.ts";
import {
  paymentBySession,
  paymentsOf,
  planRefund,
  openItems,
  reconcile,
  reconcileRecent,
  releaseHeld,
  processEvents,
  revenue,
  submitRefunds,
  watchCheckouts,
} from "./index.ts";
import { earningsOf, heldOf, payableOf } from "./views.ts";
import { expectSound, type PaymentsHarness, paymentsHarness, signed } from "#test/harness/payments.ts";
import { maxEventAttempts } from "./webhooks/provider-events.ts";

let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness();
});
afterEach(async () => {
  for (const name of ["createCheckout", "createRefund", "retrieveCheckout"] as const) delete app.around[name];
  await expectSound(app);
});
afterAll(() => app.close());

const minutes = (count: number) => app.clock.advance(count * 60_000);
const refundsOf = (paymentId: string) =>
  app.database.db.selectFrom("refunds").selectAll().where("payment_id", "=", paymentId).orderBy("created_at").execute();
const plan = (paymentId: string, amount: number) =>
  app.inTx((tx) => planRefund(tx, { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() }));

async function paid() {
  const started = await app.start();
  await app.press(started.url, "pay");
  return started;
}

test("a payment whose webhooks are all lost is found within the quarter of an hour", async () => {
  const { paymentId, url } = await app.start();
  await app.unheard(() => app.press(url, "pay"));
  minutes(6);
  await watchCheckouts(app.services);
  expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
});

test("a checkout whose end was not reported is ended by asking the provider", async () => {
  const { bookingId, paymentId } = await app.start();
  minutes(32);
  await app.unheard(async () => app.settle());
  expect((await app.payment(paymentId)).checkout_state).toBe("open");
  await watchCheckouts(app.services);
  expect((await app.payment(paymentId)).checkout_state).toBe("closed");
  expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
});

test("a checkout that the provider does not know has ended", async () => {
  const { bookingId, paymentId } = await app.start();
  app.around.retrieveCheckout = () => async () => {
    throw new ProviderFailure("missing", "no such session");
  };
  minutes(6);
  await watchCheckouts(app.services);
  expect((await app.payment(paymentId)).checkout_state).toBe("closed");
  expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
});

test("an event that could not be processed is tried again", async () => {
  const { paymentId, url, ref } = await app.start();
  app.around.retrieveCheckout = () => async () => {
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
  await app.press(url, "pay");
  delete app.around.retrieveCheckout;
  const waiting = app.database.db
    .selectFrom("provider_events")
    .where("object_id", "=", ref)
    .select("id")
    .where("processed_at", "is", null)
    .where("dead_at", "is", null);
  expect((await waiting.execute()).length).toBeGreaterThan(0);
  minutes(60);
  await processEvents(app.services);
  expect(await waiting.execute()).toEqual([]);
  expect((await app.payment(paymentId)).status).toBe("succeeded");
});

test("an event without a handler becomes a dead letter", async () => {
  const body = JSON.stringify({
    id: "evt_topup",
    object: "event",
    type: "topup.created",
    livemode: false,
    data: { object: { id: "tu_1" } },
  });
  const headers = {
    "content-type": "application/json",
    "stripe-signature": signed(app.services.sandbox?.webhookSecret ?? "", app.clock.now(), body),
  };
  expect(
    (await app.server.inject({ method: "POST", url: "/api/webhooks/stripe", payload: body, headers })).statusCode,
  ).toBe(200);
  for (let attempt = 0; attempt < maxEventAttempts; attempt++) {
    minutes(60);
    await processEvents(app.services);
  }
  const row = await app.database.db
    .selectFrom("provider_events")
    .selectAll()
    .where("id", "=", "evt_topup")
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    attempts: maxEventAttempts,
    processed_at: null,
    last_error: "there is no handler for topup.created",
  });
  expect(row.dead_at).not.toBeNull();
});

test("refunds are sent once, published once, and the last one closes the payment", async () => {
  const { bookingId, paymentId } = await paid();
  await plan(paymentId, 7_500);
  expect(await app.balance(`held:${bookingId}`)).toBe(-30_000);
  await submitRefunds(app.services);
  await app.settle();
  expect(await app.payment(paymentId)).toMatchObject({
    status: "succeeded",
    checkout_state: "paid",
    amount_refunded: 7_500,
  });
  await plan(paymentId, 30_000);
  await submitRefunds(app.services);
  await submitRefunds(app.services);
  expect(await app.payment(paymentId)).toMatchObject({
    status: "refunded",
    checkout_state: "closed",
    amount_refunded: 37_500,
  });
  expect(await app.balance(`held:${bookingId}`)).toBe(0);
  expect(await app.topics(bookingId)).toEqual(["payment.succeeded", "refund.succeeded", "refund.succeeded"]);
  const again = await app.start({ bookingId });
  expect(again.paymentId).not.toBe(paymentId);
});

test("a refund whose answer is lost pays back once", async () => {
  const { paymentId } = await paid();
  let lost = false;
  app.around.createRefund = (real) => async (request) => {
    const fact = await real.createRefund(request);
    if (lost) return fact;
    lost = true;
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
  await plan(paymentId, 1_000);
  await app.unheard(() => submitRefunds(app.services));
  minutes(60);
  await submitRefunds(app.services);
  expect((await app.payment(paymentId)).amount_refunded).toBe(1_000);
  const atProvider = await app.database.db
    .selectFrom("sandbox_objects")
    .select("body")
    .where("kind", "=", "refund")
    .execute();
  const [refund, ...others] = await refundsOf(paymentId);
  expect(others).toEqual([]);
  expect(atProvider.filter((row) => JSON.stringify(row.body).includes(refund?.id ?? "none"))).toHaveLength(1);
});

test("a refund after a stored failure is looked for first, then sent with a key of its own", async () => {
  const { paymentId } = await paid();
  const keys: string[] = [];
  app.around.createRefund = (real) => async (request) => {
    keys.push(request.key);
    if (keys.length === 1) throw new ProviderFailure("server_error", "the provider failed");
    return real.createRefund(request);
  };
  await plan(paymentId, 1_000);
  await submitRefunds(app.services);
  minutes(60);
  await submitRefunds(app.services);
  expect(new Set(keys).size).toBe(2);
  expect((await app.payment(paymentId)).amount_refunded).toBe(1_000);
});

test("a refund whose second answer is lost too is looked for again and pays back once", async () => {
  const { paymentId } = await paid();
  let calls = 0;
  app.around.createRefund = (real) => async (request) => {
    calls++;
    if (calls === 1) throw new ProviderFailure("server_error", "the provider failed");
    const made = await real.createRefund(request);
    if (calls === 2) throw new ProviderFailure("no_answer", "the connection was lost");
    return made;
  };
  await plan(paymentId, 1_000);
  for (let turn = 0; turn < 3; turn++) {
    await app.unheard(() => submitRefunds(app.services));
    minutes(60);
  }
  expect(calls).toBe(2);
  expect((await app.payment(paymentId)).amount_refunded).toBe(1_000);
});

test("a refund that the provider refuses waits for a person and is still owed", async () => {
  const { bookingId, paymentId } = await paid();
  app.around.createRefund = () => async () => {
    throw new ProviderFailure("refused", "the card is gone");
  };
  await plan(paymentId, 37_500);
  await submitRefunds(app.services);
  expect(await refundsOf(paymentId)).toMatchObject([{ status: "failed", last_error: "the card is gone" }]);
  expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", amount_refunded: 0 });
  expect(await app.balance(`held:${bookingId}`)).toBe(0);
  await expect(plan(paymentId, 1)).rejects.toMatchObject({ kind: "conflict" });
});

test("the comparison heals what was lost, and says what cannot be explained", async () => {
  const before = await reconcile(app.services);
  const lost = await app.start();
  await app.unheard(() => app.press(lost.url, "pay"));
  const healed = await reconcile(app.services);
  expect(healed?.healed).toBeGreaterThan(0);
  expect((await app.payment(lost.paymentId)).status).toBe("succeeded");
  const calm = await reconcile(app.services);
  expect(calm).toMatchObject({ healed: 0, differences: before?.differences });
  const gateway = app.services.gateway;
  const forgetful = gateway && {
    ...gateway,
    async *listCheckouts() {},
    retrievePayment: () => Promise.reject(new ProviderFailure("missing", "no such payment")),
  };
  const alarmed = await reconcile({ ...app.services, gateway: forgetful });
  const ref = (await app.payment(lost.paymentId)).provider_payment;
  expect(alarmed?.differences).toContainEqual(
    expect.objectContaining({ kind: "money", what: "the provider does not know this payment", ref, amount: 37_500 }),
  );
  expect((await openItems(app.database.db)).map((item) => item.ref)).toContain(ref);
  await reconcile(app.services);
  expect((await openItems(app.database.db)).map((item) => item.ref)).not.toContain(ref);
  const rows = await app.database.db.selectFrom("reconciliations").select("compared").execute();
  expect(rows).toHaveLength(5);
});

test("the comparison asks for nothing again that both sides say the same of, and does where our row differs", async () => {
  const one = await app.start();
  await app.press(one.url, "pay");
  const { provider_payment: ref } = await app.payment(one.paymentId);
  const asked: string[] = [];
  const real = app.services.gateway!;
  const retrievePayment = (payment: string) => {
    asked.push(payment);
    return real.retrievePayment(payment);
  };
  const counting = { ...app.services, gateway: { ...real, retrievePayment } };
  expect((await reconcile(counting))?.compared).toBeGreaterThan(0);
  expect(asked).not.toContain(ref);
  // The rows of a checkout that was synced by half are compared by themselves.
  const change = (provider_ref: string | null) =>
    app.inTx((tx) => tx.updateTable("payments").set({ provider_ref }).where("id", "=", one.paymentId).execute());
  await change(null);
  await reconcile(counting);
  expect(asked).toContain(ref);
  expect((await app.payment(one.paymentId)).provider_ref).toBe(one.ref);
});

test("a refund that was made at the provider and never reported is taken over within the quarter of an hour", async () => {
  const { paymentId } = await paid();
  const { provider_payment: providerPayment } = await app.payment(paymentId);
  await app.unheard(async () => {
    await app.services.gateway?.createRefund({
      refundId: "made-in-the-dashboard",
      key: randomUUID(),
      providerPayment: providerPayment ?? "",
      amount: 37_500,
    });
    await app.settle();
  });
  expect((await app.payment(paymentId)).status).toBe("succeeded");
  minutes(10);
  await reconcileRecent(app.services);
  expect((await app.payment(paymentId)).status).toBe("refunded");
});

test("made payments of every status are sound, and the sums are read from the ledger", async () => {
  const [bookingId, artistId] = [randomUUID(), randomUUID()];
  const at = new Date("2024-05-01T20:00:00Z");
  const span = { from: new Date("2024-01-01T00:00:00Z"), to: new Date("2025-01-01T00:00:00Z") };
  const make = (
    kind: "deposit" | "balance",
    status: "succeeded" | "failed" | "refunded" | "requires_payment_method",
    booking = bookingId,
  ) => app.inTx((tx) => makePayment(tx, { bookingId: booking, kind, amount: 20_000, status, at, currency: "eur" }));
  await make("deposit", "failed");
  await make("deposit", "refunded");
  const deposit = await make("deposit", "succeeded");
  await make("balance", "succeeded");
  await make("deposit", "requires_payment_method", randomUUID());
  expect(await revenue(app.database.db, span)).toEqual([{ currency: "eur", amount: 40_000 }]);
  expect(await heldOf(app.database.db, bookingId)).toEqual([{ currency: "eur", amount: 40_000 }]);
  const release = { bookingId, artistId, currency: "eur", commissionBps: 1_000, at };
  expect(await app.inTx((tx) => releaseHeld(tx, release))).toEqual({ commission: 4_000, artist: 36_000 });
  await app.inTx((tx) => releaseHeld(tx, release));
  expect(await heldOf(app.database.db, bookingId)).toEqual([{ currency: "eur", amount: 0 }]);
  expect(await payableOf(app.database.db, artistId)).toEqual([{ currency: "eur", amount: 36_000 }]);
  expect(await earningsOf(app.database.db, artistId)).toEqual([{ currency: "eur", amount: 36_000 }]);
  expect((await paymentsOf(app.database.db, [bookingId])).map((payment) => payment.status).sort()).toEqual([
    "failed",
    "refunded",
    "succeeded",
    "succeeded",
  ]);
  expect(await paymentBySession(app.database.db, deposit.provider_ref ?? "")).toMatchObject({
    id: deposit.id,
    amount: 20_000,
  });
  expect(await paymentBySession(app.database.db, "cs_none")).toBeUndefined();
  expect(await paymentsOf(app.database.db, [])).toEqual([]);
});

test("a payment of the demo market's past can be given back", async () => {
  const made = await app.inTx((tx) =>
    makePayment(tx, { bookingId: randomUUID(), kind: "deposit", amount: 9_900, at: new Date("2025-02-01T12:00:00Z") }),
  );
  await plan(made.id, 9_900);
  await submitRefunds(app.services);
  expect(await app.payment(made.id)).toMatchObject({ status: "refunded", checkout_state: "closed" });
});

test.each([
  ["update ledger_entries set amount = amount + 1"],
  ["delete from ledger_entries"],
  ["update ledger_groups set kind = 'x'"],
  ["delete from ledger_groups"],
])("the database refuses: %s", async (statement) => {
  await paid();
  await expect(app.database.exec(statement)).rejects.toThrow("append-only");
});

test("the database refuses a group that does not balance", async () => {
  const unbalanced = app.inTx(async (tx) => {
    const group = await tx
      .insertInto("ledger_groups")
      .values({ cause_key: randomUUID(), kind: "charge" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("ledger_entries")
      .values({ group_id: group.id, account: "psp_clearing", amount: 1, currency: "usd" })
      .execute();
  });
  await expect(unbalanced).rejects.toThrow("does not sum to zero");
});
