import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure, type ProviderRefund } from "#gateway/gateway.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { returnRefund } from "#test/harness/histories/refund-actions.ts";
import { planRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { syncRefund } from "./refunds.ts";
import { recordRefundPaidOutside } from "./refused-refunds.ts";
import { refusedRefunds } from "./refused-refunds.views.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(() => expectSound(app));

/** Makes a payment of $375, of which the provider refuses refunds of these amounts. */
async function refused(...amounts: number[]) {
  const paid = await app.paid();
  app.around.createRefund = () => () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  for (const amount of amounts) await planned(paid.paymentId, amount);
  delete app.around.createRefund;
  return viewOf(paid);
}

async function planned(paymentId: string, amount: number) {
  const plan = { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  await submitRefunds(app.services);
  return id;
}

async function viewOf({ paymentId, bookingId }: { paymentId: string; bookingId: string }) {
  const payment = async () => app.payment(paymentId);
  const providerPayment = (await payment()).provider_payment ?? "";
  const suspense = await app.balance("suspense");
  return {
    paymentId,
    payment,
    providerPayment,
    report: (ref: string, amount: number, state: ProviderRefund["state"]) => {
      const made = { ref: `${ref}_${paymentId}`, refundId: null, providerPayment, amount, currency: "usd" };
      const reported = { ...made, state, reason: null, settled: null, createdAt: app.clock.now() };
      return app.inTx((tx) => syncRefund(tx, reported, app.clock.now()));
    },
    rows: () =>
      app.database.db
        .selectFrom("refunds")
        .select(["id", "amount", "status", "provider_ref"])
        .where("provider_payment", "=", providerPayment)
        .orderBy("created_at")
        .orderBy("amount")
        .execute(),
    /** What is held, what came into suspense, and the amounts that are listed as owed. */
    left: async () => [
      0 - (await app.balance(`held:${bookingId}`)),
      (await app.balance("suspense")) - suspense,
      (await refusedRefunds(app.database.db))
        .filter(({ provider_payment: of }) => of === providerPayment)
        .map(({ amount }) => amount),
    ],
    succeeded: async () =>
      (await app.publishedEvents(bookingId))
        .filter(({ topic }) => topic === "refund.succeeded")
        .map(({ body }) => body),
  };
}

test("replaces a refund that the bank returned by one from the dashboard, and that one by the next", async () => {
  const paid = await app.paid();
  const id = await planned(paid.paymentId, 37_500);
  const { report, rows, left, payment, succeeded } = await viewOf(paid);
  const [first] = await rows();
  const sent = { ref: first?.provider_ref ?? "", refundId: id, providerPayment: (await payment()).provider_payment };
  const reportSent = (state: "succeeded" | "failed") => {
    const reported = { ...sent, amount: 37_500, currency: "usd", reason: null, settled: null, state };
    return app.inTx((tx) => syncRefund(tx, { ...reported, createdAt: app.clock.now() }, app.clock.now()));
  };
  await reportSent("failed");
  for (const ref of ["re_second", "re_third"]) {
    await report(ref, 37_500, "succeeded");
    await report(ref, 37_500, "succeeded");
    expect(await left()).toEqual([0, 0, []]);
    await expectSound(app);
    await report(ref, 37_500, "failed");
    expect(await left()).toEqual([0, 0, [37_500]]);
  }
  // A list of the provider that was fetched before the return.
  expect([await reportSent("succeeded"), await reportSent("failed")]).toEqual(["done", "done"]);
  expect((await rows()).map(({ amount }) => amount)).toEqual([0, 0, 37_500]);
  expect((await succeeded()).map((body) => body["madeAtProvider"])).toEqual([false, false, false]);
  const [owed] = await refusedRefunds(app.database.db);
  const outside = { id: owed?.id ?? "", how: "Bank transfer.", by: randomUUID(), now: app.clock.now() };
  await app.inTx((tx) => recordRefundPaidOutside(tx, outside));
  expect(await report("re_fourth", 37_500, "succeeded")).toBe("paid_twice");
  expect(await left()).toEqual([0, 0, []]);
});

test.each([
  { owed: [10_000], amount: 37_500, held: 0, rest: 0 },
  { owed: [10_000, 20_000], amount: 37_500, held: 0, rest: 0 },
  { owed: [10_000, 20_000], amount: 30_000, held: 7_500, rest: 0 },
  { owed: [10_000, 20_000], amount: 20_000, held: 7_500, rest: 10_000 },
  { owed: [10_000, 20_000], amount: 25_000, held: 7_500, rest: 5_000 },
])("replaces refused refunds of $owed by one of $amount from the dashboard", async ({ owed, amount, held, rest }) => {
  const { report, rows, left, payment } = await refused(...owed);
  await report("re_one", amount, "succeeded");
  expect((await left()).slice(0, 2)).toEqual([held, 0]);
  expect(await payment()).toMatchObject({ amount_refunded: amount });
  const open = (await rows()).filter(({ status }) => status !== "succeeded");
  expect(open.reduce((sum, one) => sum + one.amount, 0)).toBe(rest);
});

test("replaces a smaller refused refund only once the one from the dashboard succeeds", async () => {
  const { report, left, succeeded } = await refused(10_000);
  await report("re_canceled", 37_500, "pending");
  await report("re_canceled", 37_500, "failed");
  expect(await left()).toEqual([27_500, 0, [10_000]]);
  await report("re_made", 37_500, "pending");
  await report("re_made", 37_500, "succeeded");
  expect(await left()).toEqual([0, 0, []]);
  expect(await succeeded()).toMatchObject([{ amount: 37_500, madeAtProvider: true }]);
});

test.each(["refused", "returned"] as const)(
  "lists a %s refund no longer while one from the dashboard is pending",
  async (how) => {
    const { report, left } = how === "refused" ? await refused(37_500) : await refused();
    if (how === "returned")
      for (const state of ["succeeded", "failed"] as const) await report("re_first", 37_500, state);
    expect(await left()).toEqual([0, 0, [37_500]]);
    await report("re_next", 37_500, "pending");
    expect(await left()).toEqual([0, 0, []]);
    await report("re_next", 37_500, "failed");
    expect(await left()).toEqual([0, 0, [37_500]]);
  },
);

test("replaces a returned refund if the comparison reports its return and the next one after lost webhooks", async () => {
  const { paymentId, bookingId } = await app.paid();
  await planned(paymentId, 37_500);
  const { providerPayment, rows, left } = await viewOf({ paymentId, bookingId });
  await returnRefund(app, { bookingId });
  app.clock.advance(minuteMs);
  const made = { refundId: "", key: randomUUID(), providerPayment, amount: 37_500 };
  await app.services.gateway?.createRefund(made);
  await reconcile(app.services);
  expect(await left()).toEqual([0, 0, []]);
  expect((await rows()).map(({ amount, status }) => [amount, status])).toEqual([
    [0, "succeeded"],
    [37_500, "succeeded"],
  ]);
});
