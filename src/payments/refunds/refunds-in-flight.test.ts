import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { dashboardRefunds } from "#test/harness/provider/dashboard-refunds.ts";
import { recordRefundPaidOutside } from "./refused-refunds.ts";

const app = closeAfterFile(await paymentsHarness());
const { refused, planned, unanswered, holdCall, viewOf } = dashboardRefunds(app);
afterEach(() => expectSound(app));

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
  expect(await left()).toEqual([2_500, 0, []]);
  app.clock.advance(5 * minuteMs);
  await submitRefunds(app.services);
  expect((await rows()).map(({ amount, status }) => [amount, status])).toEqual([
    [25_000, "succeeded"],
    [5_000, "succeeded"],
    [5_000, "succeeded"],
  ]);
});

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
