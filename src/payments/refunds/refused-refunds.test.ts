import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { maxEventAttempts } from "#platform/webhooks/processing.ts";
import { processEvents, reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { planRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { duringLookup } from "#test/harness/provider/during-lookup.ts";
import { otherAccountOf } from "#test/harness/provider/other-account.ts";
import { syncRefund } from "./refunds.ts";
import { retryRefund, recordRefundPaidOutside } from "./refused-refunds.ts";
import { refusedRefunds } from "./refused-refunds.views.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.createRefund;
  await expectSound(app);
});

async function refused(amount: number) {
  const paid = await app.paid();
  const plan = { paymentId: paid.paymentId, amount, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  app.around.createRefund = () => () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  await submitRefunds(app.services);
  delete app.around.createRefund;
  return { ...paid, id };
}
const again = (id: string) => app.inTx((tx) => retryRefund(tx, id, app.clock.now()));
const settle = (id: string) =>
  app.inTx((tx) =>
    recordRefundPaidOutside(tx, { id, how: "Bank transfer of today.", by: randomUUID(), now: app.clock.now() }),
  );
/** The services with the key of another provider account. */
const otherAccount = () => {
  const { gateway } = app.services;
  return { ...app.services, gateway: gateway && otherAccountOf(gateway) };
};
const listed = async () => (await refusedRefunds(app.database.db)).map(({ id }) => id);

test("sends a retried refund once", async () => {
  const { id, paymentId } = await refused(10_000);
  expect(await listed()).toEqual([id]);
  await again(id);
  await expect(settle(id)).rejects.toMatchObject({ kind: "conflict" });
  await submitRefunds(app.services);
  await app.settle();
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
  await expect(again(id)).rejects.toMatchObject({ kind: "conflict" });
  expect(await listed()).toEqual([]);
});

test("sends a retried refund once if its claim ends before the answer of its lookup", async () => {
  const { id, paymentId } = await refused(10_000);
  await again(id);
  await duringLookup(
    app.services.gateway,
    "findRefunds",
    () => submitRefunds(app.services),
    async () => {
      app.clock.advance(hourMs);
      await submitRefunds(app.services);
    },
  );
  await app.settle();
  const { provider_payment: payment } = await app.payment(paymentId);
  expect(await app.services.gateway?.findRefunds(payment ?? "")).toHaveLength(1);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
});

test.each([
  ["server_error", "and refuses the lookup"],
  ["no_answer", "and the key of another account is used"],
] as const)("refuses to record a refund as paid that the provider may have made (%s %s)", async (kind, then) => {
  const { paymentId, bookingId } = await app.paid();
  const plan = { paymentId, amount: 10_000, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  app.around.createRefund = (provider) => async (request) => {
    await provider.createRefund(request);
    throw new ProviderFailure(kind, "the provider failed");
  };
  await app.unheard(() => submitRefunds(app.services));
  delete app.around.createRefund;
  const { gateway } = app.services;
  const findRefunds = () => Promise.reject(new ProviderFailure("refused", "the lookup was refused"));
  app.clock.advance(hourMs);
  const refusing = { ...app.services, gateway: gateway && { ...gateway, findRefunds } };
  await submitRefunds(then === "and refuses the lookup" ? refusing : otherAccount());
  expect(await refusedRefunds(app.database.db)).toMatchObject([{ id, can_settle: false }]);
  const failed = (await app.publishedEvents(bookingId)).filter(({ topic }) => topic === "refund.failed");
  expect(failed.map(({ body }) => body["isUnconfirmed"])).toEqual([true]);
  await expect(settle(id)).rejects.toThrow("The provider may have made this refund.");
  await again(id);
  await submitRefunds(app.services);
  await app.settle();
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
  await reconcile(app.services);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
});

test("requires an admin for a refund that the provider no longer has, and sends it again once after a lookup", async () => {
  const { paymentId, bookingId } = await app.paid();
  const { provider_payment: providerPayment } = await app.payment(paymentId);
  const plan = { paymentId, amount: 10_000, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  const accepted = { ref: `re_gone_${id}`, refundId: id, providerPayment, amount: 10_000, currency: "usd" };
  app.around.createRefund = () => async () => ({
    ...accepted,
    state: "pending",
    reason: null,
    settled: null,
    createdAt: app.clock.now(),
  });
  await submitRefunds(app.services);
  delete app.around.createRefund;
  for (let turn = 0; turn < 3; turn++) {
    app.clock.advance(hourMs);
    await submitRefunds(app.services);
  }
  const error = expect.stringContaining(`no longer has the refund ${accepted.ref}`) as string;
  expect(await refusedRefunds(app.database.db)).toMatchObject([{ id, can_retry: true, can_settle: false, error }]);
  expect((await app.topics(bookingId)).filter((topic) => topic === "refund.failed")).toHaveLength(1);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 0 });
  await expectSound(app);
  await expect(settle(id)).rejects.toThrow("The provider may have made this refund.");
  for (let turn = 0; turn < 2; turn++) {
    await again(id);
    await submitRefunds(otherAccount());
    expect(await refusedRefunds(app.database.db)).toMatchObject([{ id, can_retry: true, can_settle: false }]);
    await expect(settle(id)).rejects.toThrow("The provider may have made this refund.");
  }
  const alarms = (await app.publishedEvents(bookingId)).filter(({ topic }) => topic === "refund.failed");
  expect(alarms.map(({ body }) => body["isUnconfirmed"])).toEqual([true, true, true]);
  await again(id);
  await submitRefunds(app.services);
  await app.settle();
  expect(await listed()).toEqual([]);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
});

test("sends a refund that the provider no longer has once beside another that has its mark", async () => {
  const { paymentId } = await app.paid();
  const plan = { paymentId, amount: 10_000, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  app.around.createRefund = (real) => async (request) => ({
    ...(await real.createRefund(request)),
    ref: `re_gone_${request.refundId}`,
    state: "pending",
  });
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  await submitRefunds(app.services);
  delete app.around.createRefund;
  await app.settle();
  app.clock.advance(hourMs);
  await submitRefunds(app.services);
  expect(await listed()).toEqual([id]);
  await again(id);
  for (let turn = 0; turn < 2; turn++) {
    await submitRefunds(app.services);
    await app.settle();
    app.clock.advance(hourMs);
  }
  expect(await listed()).toEqual([]);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 20_000 });
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
});

test("records a retried refund as paid if the provider does not know its payment", async () => {
  const { id, paymentId } = await refused(4_000);
  await again(id);
  await submitRefunds(otherAccount());
  expect(await listed()).toEqual([id]);
  await settle(id);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 4_000 });
});

test("records a refund as paid that the provider had accepted and refuses, once it answers for the payment", async () => {
  const { id, paymentId } = await refused(3_000);
  const accepted = { requested_at: app.clock.now(), needs_lookup: true, last_error: "The provider no longer has it." };
  await app.database.db.updateTable("refunds").set(accepted).where("id", "=", id).execute();
  await expect(settle(id)).rejects.toThrow("The provider may have made this refund.");
  await again(id);
  app.around.createRefund = () => () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  await submitRefunds(app.services);
  await settle(id);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 3_000 });
});

test("marks the payment refunded when the refund is paid outside, and leaves the money in the provider's account", async () => {
  const { id, paymentId, bookingId } = await refused(37_500);
  const clearing = await app.balance("psp_clearing");
  const outside = await app.balance("paid_outside");
  await settle(id);
  expect(await app.payment(paymentId)).toMatchObject({ status: "refunded", amount_refunded: 37_500 });
  expect(await app.balance("psp_clearing")).toBe(clearing);
  expect(await app.balance("paid_outside")).toBe(outside - 37_500);
  expect(await app.topics(bookingId)).toContain("refund.succeeded");
  await expect(again(id)).rejects.toMatchObject({ kind: "conflict" });
});

test("refuses to retry a refund that the bank returned, and retains its payment outside the provider", async () => {
  const { paymentId, bookingId } = await app.paid();
  const plan = { paymentId, amount: 5_000, reason: "test", causeKey: randomUUID(), now: app.clock.now() };
  const { id } = await app.inTx((tx) => planRefund(tx, plan));
  await submitRefunds(app.services);
  await app.settle();
  const row = await app.database.db.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const failed = {
    ref: row.provider_ref ?? "",
    refundId: id,
    providerPayment: row.provider_payment,
    amount: 5_000,
    currency: "usd",
    state: "failed",
    reason: "lost_or_stolen_card",
    settled: null,
    createdAt: app.clock.now(),
  } as const;
  const sync = () => app.inTx((tx) => syncRefund(tx, failed, app.clock.now()));
  await sync();
  await sync();
  expect((await app.topics(bookingId)).toSorted()).toEqual(["payment.succeeded", "refund.failed", "refund.succeeded"]);
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 0 });
  await expect(again(id)).rejects.toThrow("sent this refund back");
  await settle(id);
  expect(await sync()).toBe("done");
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 5_000 });
});

test("pays a part of a refused refund with a smaller one from the dashboard, and sends the rest once", async () => {
  const { id, paymentId, bookingId } = await refused(30_000);
  const { provider_payment: providerPayment } = await app.payment(paymentId);
  const held = await app.balance(`held:${bookingId}`);
  const made = { refundId: "", key: randomUUID(), providerPayment: providerPayment ?? "", amount: 10_000 };
  await app.services.gateway?.createRefund(made);
  await app.settle();
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 10_000 });
  expect(await app.balance(`held:${bookingId}`)).toBe(held);
  await expectSound(app);
  await submitRefunds(app.services);
  await app.settle();
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 30_000 });
  expect(await app.balance(`held:${bookingId}`)).toBe(held);
  await expect(again(id)).rejects.toMatchObject({ kind: "conflict" });
});

test("lists a refund as a difference that the provider made despite a payment outside", async () => {
  const { id, paymentId } = await refused(2_000);
  await settle(id);
  const { provider_payment: providerPayment } = await app.payment(paymentId);
  await app.services.gateway?.createRefund({
    refundId: id,
    key: randomUUID(),
    providerPayment: providerPayment ?? "",
    amount: 2_000,
  });
  expect(await reconcile(app.services)).toMatchObject({
    differences: [{ kind: "money", amount: 2_000, what: expect.stringContaining("outside") }],
  });
  expect(await app.payment(paymentId)).toMatchObject({ amount_refunded: 2_000 });
});

test("refuses payment outside the provider until the notice of a dispute failed, which publishes the refund again", async () => {
  const { id, paymentId, bookingId } = await refused(3_000);
  const { provider_payment: payment } = await app.payment(paymentId);
  const notice = {
    id: `evt_${id}`,
    provider: "sandbox",
    type: "charge.dispute.created",
    payload: JSON.stringify({ type: "charge.dispute.created", objectId: null, paymentRef: payment }),
    received_at: app.clock.now(),
  };
  await app.inTx((tx) => tx.insertInto("provider_events").values(notice).execute());
  await expect(settle(id)).rejects.toThrow("disputes this payment");
  const alarms = async () => (await app.topics(bookingId)).filter((topic) => topic === "refund.failed").length;
  expect([await listed(), await alarms()]).toEqual([[], 1]);
  for (let attempt = 0; attempt < maxEventAttempts; attempt++) {
    app.clock.advance(hourMs);
    await app.unheard(() => processEvents(app.services));
  }
  expect([await listed(), await alarms()]).toEqual([[id], 2]);
  await settle(id);
});
