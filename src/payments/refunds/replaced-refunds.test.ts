import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { accounts, move, post } from "#ledger/index.ts";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { returnRefund } from "#test/harness/histories/refund-actions.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { dashboardRefunds } from "#test/harness/provider/dashboard-refunds.ts";
import { syncRefund } from "./refunds.ts";
import { recordRefundPaidOutside } from "./refused-refunds.ts";
import { refusedRefunds } from "./refused-refunds.views.ts";

const app = closeAfterFile(await paymentsHarness());
const { refused, planned, viewOf } = dashboardRefunds(app);
afterEach(() => expectSound(app));

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
  { owed: [10_000], made: [37_500], held: 0, rest: 0 },
  { owed: [10_000, 20_000], made: [37_500], held: 0, rest: 0 },
  { owed: [10_000, 20_000], made: [30_000], held: 7_500, rest: 0 },
  { owed: [10_000, 20_000], made: [20_000], held: 7_500, rest: 10_000 },
  { owed: [10_000, 20_000], made: [25_000], held: 7_500, rest: 5_000 },
  { owed: [10_000, 20_000], made: [15_000, 10_000], held: 7_500, rest: 5_000 },
  { owed: [30_000], made: [10_000, 15_000], held: 7_500, rest: 5_000 },
])("replaces refused refunds of $owed by $made from the dashboard", async ({ owed, made, held, rest }) => {
  const { report, rows, left, payment } = await refused(...owed);
  for (const amount of made) await report(`re_${amount}`, amount, "succeeded");
  expect((await left()).slice(0, 2)).toEqual([held, 0]);
  expect(await payment()).toMatchObject({ amount_refunded: made.reduce((sum, amount) => sum + amount, 0) });
  const open = (await rows()).filter(({ status }) => status !== "succeeded");
  expect(open.reduce((sum, one) => sum + one.amount, 0)).toBe(rest);
});

test("replaces refused refunds that may have been made last, so the provider is queried for them", async () => {
  const { report, rows } = await refused(10_000, 20_000);
  const [first] = await rows();
  await app.inTx((tx) =>
    tx
      .updateTable("refunds")
      .set({ needs_lookup: true })
      .where("id", "=", first?.id ?? "")
      .execute(),
  );
  await report("re_made", 25_000, "succeeded");
  expect((await rows()).map(({ amount, needs_lookup }) => [amount, needs_lookup])).toEqual([
    [5_000, true],
    [0, false],
    [25_000, false],
  ]);
});

test("replaces a refund from the dashboard that was canceled, and reports the next one as made there", async () => {
  const { report, left, succeeded } = await refused();
  await report("re_canceled", 20_000, "pending");
  await report("re_canceled", 20_000, "failed");
  expect(await succeeded()).toEqual([]);
  await report("re_made", 20_000, "succeeded");
  expect(await left()).toEqual([17_500, 0, []]);
  expect(await succeeded()).toMatchObject([{ amount: 20_000, madeAtProvider: true }]);
});

test("replaces a returned refund that suspense paid by the next one, out of suspense too", async () => {
  const { paymentId, bookingId } = await app.paid();
  const { report, left, succeeded } = await viewOf({ paymentId, bookingId });
  const entries = move(37_500, "usd", { debit: accounts.held(bookingId), credit: accounts.suspense });
  const at = app.clock.now();
  await app.inTx((tx) => post(tx, { cause: `test:${bookingId}`, kind: "release", bookingId, at, entries }));
  await report("re_unpaid", 20_000, "succeeded");
  await report("re_unpaid", 20_000, "failed");
  expect(await left()).toEqual([0, -17_500, [20_000]]);
  await report("re_next", 20_000, "succeeded");
  expect(await left()).toEqual([0, -17_500, []]);
  expect(await succeeded()).toEqual([]);
});

test("replaces a returned refund that suspense paid by one of the same amount, beside a refused one", async () => {
  const { paymentId, bookingId, report, left } = await refused(20_000);
  const entries = move(17_500, "usd", { debit: accounts.held(bookingId), credit: accounts.suspense });
  const at = app.clock.now();
  await app.inTx((tx) => post(tx, { cause: `test:${paymentId}`, kind: "release", bookingId, at, entries }));
  for (const state of ["succeeded", "failed"] as const) await report("re_unpaid", 17_500, state);
  expect(await left()).toEqual([0, 0, [20_000, 17_500]]);
  await report("re_next", 17_500, "succeeded");
  expect(await left()).toEqual([0, 0, [20_000]]);
});

test("reports a returned refund from the dashboard that is made again there only once", async () => {
  const { report, succeeded } = await refused();
  for (const state of ["succeeded", "failed"] as const) await report("re_first", 20_000, state);
  for (const state of ["succeeded", "failed"] as const) await report("re_second", 20_000, state);
  await report("re_third", 20_000, "succeeded");
  expect((await succeeded()).map((body) => body["madeAtProvider"])).toEqual([true, false, false]);
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

test.each([0, 5])(
  "replaces a refund that was returned after %i days if the comparison reports the next one after lost webhooks",
  async (days) => {
    const { paymentId, bookingId } = await app.paid();
    await planned(paymentId, 37_500);
    app.clock.advance(days * dayMs);
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
  },
);
