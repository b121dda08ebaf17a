import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure, type ProviderRefund } from "#gateway/gateway.ts";
import { accounts, move, post } from "#ledger/index.ts";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
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
  for (const amount of amounts) {
    await planned(paid.paymentId, amount);
    app.clock.advance(1_000);
  }
  delete app.around.createRefund;
  return viewOf(paid);
}

async function planned(paymentId: string, amount: number) {
  const plan = { paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  await submitRefunds(app.services);
  return id;
}

/** Plans a refund whose call has no response. */
async function unanswered(paymentId: string, amount: number) {
  app.around.createRefund = () => () => Promise.reject(new ProviderFailure("no_answer", "the provider is away"));
  await planned(paymentId, amount);
  delete app.around.createRefund;
}

/** Holds the next call for a refund until `respond`. `sent`: once it began. */
function holdCall() {
  const [begun, response] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.around.createRefund = (real) => async (request) => {
    begun.resolve();
    await response.promise;
    return real.createRefund(request);
  };
  return { sent: begun.promise, respond: response.resolve };
}

async function viewOf({ paymentId, bookingId }: { paymentId: string; bookingId: string }) {
  const payment = async () => app.payment(paymentId);
  const providerPayment = (await payment()).provider_payment ?? "";
  const suspense = await app.balance("suspense");
  return {
    paymentId,
    bookingId,
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
        .select(["id", "amount", "status", "provider_ref", "needs_lookup"])
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

test.each([
  { made: 10_000, rest: 20_000 },
  { made: 37_500, rest: 0 },
])("replaces a part of a refund whose call has no response by $made from the dashboard", async ({ made, rest }) => {
  const paid = await app.paid();
  await unanswered(paid.paymentId, 30_000);
  const { providerPayment, rows, left } = await viewOf(paid);
  await app.services.gateway?.createRefund({ refundId: "", key: randomUUID(), providerPayment, amount: made });
  await app.settle();
  expect(await left()).toEqual([7_500 - Math.max(0, made - 30_000), 0, []]);
  app.clock.advance(5 * minuteMs);
  await submitRefunds(app.services);
  expect((await rows()).map(({ amount, status }) => [amount, status])).toEqual([
    [rest, "succeeded"],
    [made, "succeeded"],
  ]);
});

test.each([
  { made: 17_500, outcome: "done" },
  { made: 10_000, outcome: "paid_twice" },
])("sends no refund of more than the charge beside one paid outside and $made from the dashboard", async (given) => {
  const { paymentId, report, rows, left } = await refused(20_000);
  const [owed] = await rows();
  const outside = { id: owed?.id ?? "", how: "Bank transfer.", by: randomUUID(), now: app.clock.now() };
  await app.inTx((tx) => recordRefundPaidOutside(tx, outside));
  await unanswered(paymentId, 17_500);
  expect(await report("re_made", given.made, "succeeded")).toBe(given.outcome);
  app.clock.advance(5 * minuteMs);
  await submitRefunds(app.services);
  const made = expect.stringContaining("re_made");
  expect(await rows()).toMatchObject([
    { amount: 20_000, provider_ref: null },
    {
      amount: 17_500,
      status: "succeeded",
      provider_ref: given.outcome === "done" ? made : expect.not.stringMatching("re_made"),
    },
  ]);
  expect(await left()).toEqual([0, 0, []]);
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

test("gives the reference of a refund from the dashboard to one of its amount that was certainly not made", async () => {
  const { report, rows } = await refused(18_000, 18_000);
  const [first, second] = await rows();
  const mayBeMade = { needs_lookup: true };
  await app.database.db
    .updateTable("refunds")
    .set(mayBeMade)
    .where("id", "=", first?.id ?? "")
    .execute();
  await report("re_made", 18_000, "succeeded");
  expect(await rows()).toMatchObject([
    { id: first?.id, status: "failed", needs_lookup: true, provider_ref: null },
    { id: second?.id, status: "succeeded", provider_ref: expect.stringContaining("re_made") },
  ]);
});

test("gives no reference from the dashboard to a refund in flight that the provider can make too", async () => {
  const { paymentId, providerPayment, rows, left } = await refused(18_000);
  const call = holdCall();
  const inFlight = planned(paymentId, 18_000);
  await call.sent;
  delete app.around.createRefund;
  await app.database.db
    .updateTable("refunds")
    .set({ created_at: new Date(app.clock.now().getTime() - dayMs) })
    .where("status", "=", "submitted")
    .where("provider_payment", "=", providerPayment)
    .execute();
  const made = { refundId: "", key: randomUUID(), providerPayment, amount: 18_000 };
  const { ref } = (await app.services.gateway?.createRefund(made)) ?? {};
  await app.settle();
  call.respond();
  const id = await inFlight;
  await app.settle();
  expect(await rows()).toMatchObject([
    { id, status: "succeeded", provider_ref: expect.not.stringMatching(`^${ref}$`) },
    { status: "succeeded", provider_ref: ref },
  ]);
  expect(await left()).toEqual([1_500, 0, []]);
});

test("ignores the failure of a call whose refund was reduced and is sent again", async () => {
  const paid = await app.paid();
  const { providerPayment, rows } = await viewOf(paid);
  const first = holdCall();
  const sending = planned(paid.paymentId, 30_000);
  await first.sent;
  delete app.around.createRefund;
  await app.services.gateway?.createRefund({ refundId: "", key: randomUUID(), providerPayment, amount: 10_000 });
  await app.settle();
  app.clock.advance(1_000);
  const second = holdCall();
  const sendingAgain = submitRefunds(app.services);
  await second.sent;
  first.respond();
  await sending;
  expect((await rows())[0]).toMatchObject({ amount: 20_000, status: "submitted" });
  second.respond();
  await sendingAgain;
  delete app.around.createRefund;
  expect((await rows())[0]).toMatchObject({ amount: 20_000, status: "succeeded" });
  expect((await app.publishedEvents(paid.bookingId)).map(({ topic }) => topic)).not.toContain("refund.failed");
});

test("adopts a second refund that has the mark of one with another reference", async () => {
  const paid = await app.paid();
  const refundId = await planned(paid.paymentId, 10_000);
  const { providerPayment, rows, left } = await viewOf(paid);
  const second = { refundId, key: randomUUID(), providerPayment, amount: 10_000 };
  await app.services.gateway?.createRefund(second);
  for (let turn = 0; turn < 2; turn++) await app.settle();
  await reconcile(app.services);
  expect((await rows()).map(({ amount, status }) => [amount, status])).toEqual([
    [10_000, "succeeded"],
    [10_000, "succeeded"],
  ]);
  expect(await left()).toEqual([17_500, 0, []]);
});

test("counts a pending refund from the dashboard against one without a response", async () => {
  const paid = await app.paid();
  await unanswered(paid.paymentId, 30_000);
  const { report, rows, left } = await viewOf(paid);
  await report("re_one", 5_000, "pending");
  await report("re_two", 5_000, "succeeded");
  await report("re_one", 5_000, "succeeded");
  expect((await rows()).map(({ amount }) => amount)).toEqual([25_000, 5_000, 5_000]);
  expect(await left()).toEqual([2_500, 0, []]);
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

test("lists a refund as a difference that the provider made before a canceled one from the dashboard reduced it", async () => {
  const paid = await app.paid();
  app.around.createRefund = (real) => async (request) => {
    await real.createRefund(request);
    throw new ProviderFailure("no_answer", "the provider is away");
  };
  await app.unheard(() => planned(paid.paymentId, 30_000));
  delete app.around.createRefund;
  const { report, rows } = await viewOf(paid);
  await report("re_canceled", 7_500, "pending");
  await report("re_made", 7_500, "succeeded");
  await report("re_canceled", 7_500, "failed");
  app.clock.advance(5 * minuteMs);
  await submitRefunds(app.services);
  expect((await rows()).map(({ amount }) => amount)).toEqual([22_500, 7_500, 7_500]);
  const ref = (await rows())[0]?.provider_ref ?? "";
  const difference = { ref, amount: 30_000, what: "the provider refunded another sum" };
  for (let run = 0; run < 2; run++)
    expect((await reconcile(app.services))?.differences).toContainEqual(expect.objectContaining(difference));
});
