import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { planRefund, recordDashboardRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.createRefund;
  await expectSound(app);
});

const minutes = (count: number) => app.clock.advance(count * minuteMs);
const refundsOf = (paymentId: string) =>
  app.database.db.selectFrom("refunds").selectAll().where("payment_id", "=", paymentId).orderBy("created_at").execute();
const plan = (paymentId: string, amount: number) =>
  app.inTx((tx) => planRefund(tx, { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() }));

test("sends and publishes each refund once, and closes the payment with the last one", async () => {
  const { bookingId, paymentId } = await app.paid();
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

test.each(["no_answer", "server_error"] as const)(
  "waits once per run while the provider is away (%s), and sends every refund when it returns",
  async (kind) => {
    const made = [await app.paid(), await app.paid(), await app.paid()].map(({ paymentId }) => paymentId);
    for (const paymentId of made) await plan(paymentId, 1_000);
    let calls = 0;
    app.around.createRefund = () => () => {
      calls++;
      return Promise.reject(new ProviderFailure(kind, "the provider is away"));
    };
    await app.unheard(() => submitRefunds(app.services));
    expect(calls).toBe(1);
    await app.unheard(() => submitRefunds(app.services));
    expect(calls).toBe(2);
    delete app.around.createRefund;
    minutes(60);
    await submitRefunds(app.services);
    for (const paymentId of made) expect((await app.payment(paymentId)).amount_refunded).toBe(1_000);
  },
);

test("refunds once when the response is lost", async () => {
  const { paymentId } = await app.paid();
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

test("queries the provider after a stored failure, then sends with a new key", async () => {
  const { paymentId } = await app.paid();
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

test("queries the provider again when the second response is lost, and refunds once", async () => {
  const { paymentId } = await app.paid();
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

test("sends a refund again after the provider did not accept the platform's key", async () => {
  const { paymentId } = await app.paid();
  await plan(paymentId, 1_000);
  const { createRefund } = app.gatewayWithWrongKey();
  app.around.createRefund = () => createRefund;
  await submitRefunds(app.services);
  expect(await refundsOf(paymentId)).toMatchObject([
    { status: "submitted", needs_lookup: false, last_error: "Invalid API Key provided." },
  ]);
  delete app.around.createRefund;
  minutes(10);
  await submitRefunds(app.services);
  expect(await refundsOf(paymentId)).toMatchObject([{ status: "succeeded" }]);
});

test("finds a refund that was sent after the dump of a restored database, and does not send it again", async () => {
  const { paymentId } = await app.paid();
  await plan(paymentId, 1_000);
  const dumped = await refundsOf(paymentId);
  app.around.createRefund = (real) => async (request) => {
    await real.createRefund(request);
    throw new ProviderFailure("no_answer", "the process ended");
  };
  await app.unheard(() => submitRefunds(app.services));
  // The row as in the dump: the refund was not sent.
  await app.database.db
    .updateTable("refunds")
    .set({
      status: "requested",
      requested_at: null,
      attempts: 0,
      needs_lookup: false,
      next_try_at: dumped[0]?.next_try_at,
    })
    .where("payment_id", "=", paymentId)
    .execute();
  minutes(25 * 60);
  app.around.createRefund = () => () => Promise.reject(new Error("the refund was sent again"));
  await submitRefunds(app.services);
  expect(await refundsOf(paymentId)).toMatchObject([{ status: "succeeded" }]);
  expect((await app.payment(paymentId)).amount_refunded).toBe(1_000);
});

test("marks a refund as failed that the provider refuses, and still counts it as owed", async () => {
  const { bookingId, paymentId } = await app.paid();
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

test("records a refund of the provider's dashboard once if it is reported twice at the same moment", async () => {
  const { bookingId, paymentId } = await app.paid();
  const record = (tx: Tx) => recordDashboardRefund(tx, bookingId, { amount: 10_000, now: app.clock.now() });
  expect(await overlapping(app, record, () => app.inTx(record))).toBe("done");
  expect(await refundsOf(paymentId)).toMatchObject([{ amount: 10_000, status: "succeeded" }]);
});

test("refunds a payment of the demo market's seed data", async () => {
  const made = await app.inTx((tx) =>
    makePayment(tx, { bookingId: randomUUID(), kind: "deposit", amount: 9_900, at: new Date("2025-02-01T12:00:00Z") }),
  );
  await plan(made.id, 9_900);
  await submitRefunds(app.services);
  expect(await app.payment(made.id)).toMatchObject({ status: "refunded", checkout_state: "closed" });
});
