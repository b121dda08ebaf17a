import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { RefundFailed } from "#payments/rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { planRefund, recordRefundPaidOutside, submitRefunds, syncRefund } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { type Booked, disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { coverFailedRefund } from "./loss.ts";
import { recordDispute } from "./sync.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf } = disputedBookings(provider, () => app);

const planCancelRefund = ({ bookingId, payments: [paymentId = ""] }: Booked, amount: number) =>
  app.inTx((tx) =>
    planRefund(tx, { paymentId, amount, reason: "canceled", causeKey: `cancel ${bookingId}`, now: app.clock.now() }),
  );
const refundInDashboard = ({ deposit: providerPayment }: Booked, amount: number) =>
  provider.gateway.createRefund({ refundId: "", key: randomUUID(), providerPayment, amount });
const refundRow = (id: string) =>
  app.database.db.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Returns the events of a booking's failed refunds. */
const failuresOf = async ({ bookingId }: Booked) =>
  (await app.publishedEvents(bookingId)).flatMap(({ topic, body }) =>
    topic === "refund.failed" ? [body as RefundFailed] : [],
  );
/** The bank returns a sent refund. */
async function returnRefund(one: Booked, id: string): Promise<void> {
  const { provider_ref: ref, amount, currency } = await refundRow(id);
  const now = app.clock.now();
  const common = { ref: ref ?? "", refundId: id, providerPayment: one.deposit, amount, currency, createdAt: now };
  const failed = { ...common, settled: null, state: "failed", reason: "disputed" } as const;
  await app.inTx((tx) => syncRefund(tx, failed, now));
  for (const failure of await failuresOf(one)) await app.inTx((tx) => coverFailedRefund(tx, failure, now));
}

test("sends a refund of a disputed charge when the dispute is won, and completes it by the loss when it is lost", async () => {
  for (const outcome of ["won", "lost"] as const) {
    const one = await booked("before the show");
    await hear(disputeOf(one.deposit, "needs_response"));
    const { id } = await planCancelRefund(one, 30_000);
    await submitRefunds(app.services);
    const refund = () => refundRow(id);
    expect(await refund()).toMatchObject({ status: "requested", attempts: 0 });
    await hear(disputeOf(one.deposit, outcome));
    await submitRefunds(app.services);
    if (outcome === "lost") {
      expect(await refund()).toMatchObject({ status: "succeeded", attempts: 0, provider_ref: null });
      expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 30_000, from_held: 7_500 });
      const figures = sql`select refunded_cents, disputed_cents from payment_figures where payment_id = ${one.payments[0]}`;
      expect((await figures.execute(app.database.db)).rows).toEqual([{ refunded_cents: 0, disputed_cents: 37_500 }]);
    } else expect(await refund()).toMatchObject({ attempts: 1 });
    expect(await app.balance(`held:${one.bookingId}`)).toBe(outcome === "lost" ? -112_500 : -120_000);
    await expectSound(app);
  }
});

test("completes a refund that the bank returned by the loss of its dispute, and reports it as owed when the dispute is won", async () => {
  for (const order of [
    "returned, then lost",
    "lost, then returned",
    "returned, then won",
    "returned, then lost in part",
  ]) {
    const one = await booked("before the show");
    const { id } = await planCancelRefund(one, 30_000);
    await submitRefunds(app.services);
    const refund = () => refundRow(id);
    const isPart = order === "returned, then lost in part";
    const decided = order === "returned, then won" ? "won" : "lost";
    const of = isPart ? { amount: 20_000 } : {};
    await hear(disputeOf(one.deposit, "needs_response", of));
    if (order !== "lost, then returned") await returnRefund(one, id);
    await hear(disputeOf(one.deposit, decided, of));
    if (order === "lost, then returned") await returnRefund(one, id);
    if (isPart || decided === "won") {
      const owed = { status: "failed", by_dispute_at: null, amount: isPart ? 10_000 : 30_000 };
      expect(await refund()).toMatchObject(owed);
      expect((await failuresOf(one)).map(({ afterDispute }) => afterDispute)).toEqual([undefined, true]);
    } else {
      expect(await refund()).toMatchObject({ status: "succeeded", by_dispute_at: expect.any(Date) });
      expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 30_000, from_held: 7_500, from_loss: 0 });
      await returnRefund(one, id);
      expect(await refund()).toMatchObject({ status: "succeeded" });
      await hear(disputeOf(one.deposit, "won"));
      await hear(disputeOf(one.deposit, "won"));
      expect(await refund()).toMatchObject({ status: "failed", by_dispute_at: null, amount: 30_000 });
      expect(await app.balance(`held:${one.bookingId}`)).toBe(-120_000);
      const second = { ref: `du_second_${one.deposit}` };
      await hear(disputeOf(one.deposit, "lost", second));
      expect(await refund()).toMatchObject({ status: "succeeded", by_dispute_at: expect.any(Date) });
      await expectSound(app);
      await hear(disputeOf(one.deposit, "won", second));
      expect(await refund()).toMatchObject({ status: "failed", by_dispute_at: null });
    }
    await expectSound(app);
  }
});

test("completes with the rest of a loss a part of a larger refund that the bank returned after it", async () => {
  const one = await booked("before the show");
  const { id } = await planCancelRefund(one, 30_000);
  await submitRefunds(app.services);
  const loss = await app.balance("dispute_loss");
  await hear(disputeOf(one.deposit, "lost", { amount: 20_000 }));
  expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 0, from_held: 7_500, from_loss: 12_500 });
  for (let turn = 0; turn < 2; turn++) {
    await returnRefund(one, id);
    expect(await refundRow(id)).toMatchObject({ status: "failed", amount: 17_500, by_dispute_at: null });
    expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 12_500, from_held: 7_500, from_loss: 0 });
    const covered = app.database.db.selectFrom("refunds").select(["status", "amount"]).where("id", "<>", id);
    const ofPayment = covered.where("payment_id", "=", one.payments[0] ?? "");
    expect(await ofPayment.execute()).toEqual([{ status: "succeeded", amount: 12_500 }]);
    expect(await app.balance("dispute_loss")).toBe(loss);
    await expectSound(app);
  }
});

test("charges the platform when the bank takes a charge that was already refunded", async () => {
  const one = await booked("before the show");
  await planCancelRefund(one, 37_500);
  await submitRefunds(app.services);
  await hear(disputeOf(one.deposit, "lost"));
  expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 0, from_held: 0, from_loss: 37_500 });
  expect(await app.balance(`held:${one.bookingId}`)).toBe(-112_500);
  await expectSound(app);
});

test("charges the platform when a refund before the lost dispute is not known yet", async () => {
  const one = await booked("before the show");
  await refundInDashboard(one, 10_000);
  await hear(disputeOf(one.deposit, "lost"));
  expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 0, from_held: 27_500, from_loss: 10_000 });
  expect(await app.balance(`held:${one.bookingId}`)).toBe(-112_500);
});

test("syncs the refunds before a lost dispute in the order in which they were made", async () => {
  const one = await booked("before the show");
  const { id } = await planCancelRefund(one, 37_500);
  await submitRefunds(app.services);
  const { provider_ref: ref } = await refundRow(id);
  const sent = await provider.gateway.retrieveRefund(ref ?? "");
  provider.refunds.set(sent.ref, { ...sent, state: "failed", reason: "closed" });
  await refundInDashboard(one, 37_500);
  await hear(disputeOf(one.deposit, "lost"));
  expect(await refundRow(id)).toMatchObject({ amount: 0, provider_ref: sent.ref });
  expect(await rowOf(one.deposit)).toMatchObject({ from_refunds: 0, from_held: 0, from_loss: 37_500 });
  expect(await app.balance(`held:${one.bookingId}`)).toBe(-112_500);
});

test("divides the loss of the rest after a refund that exceeds the charge beside one paid outside", async () => {
  const one = await booked("before the show");
  app.around.createRefund = () => () => Promise.reject(new ProviderFailure("refused", "the card is gone"));
  const { id } = await planCancelRefund(one, 20_000);
  await submitRefunds(app.services);
  delete app.around.createRefund;
  const outside = { id, how: "Bank transfer.", by: randomUUID(), now: app.clock.now() };
  await app.inTx((tx) => recordRefundPaidOutside(tx, outside));
  await refundInDashboard(one, 30_000);
  await hear(disputeOf(one.deposit, "lost", { amount: 7_500 }));
  expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 7_500, from_loss: 0 });
  expect(await app.balance(`held:${one.bookingId}`)).toBe(-122_500);
});

test.each([17_500, 10_000])(
  "replaces a refund without a response by %i from the dashboard beside one that a lost dispute completed",
  async (amount) => {
    const one = await booked("before the show");
    app.around.createRefund = () => () => Promise.reject(new ProviderFailure("no_answer", "away"));
    await hear(disputeOf(one.deposit, "needs_response", { amount: 20_000 }));
    await planCancelRefund(one, 20_000);
    await hear(disputeOf(one.deposit, "lost", { amount: 20_000 }));
    const { id } = await planCancelRefund({ ...one, bookingId: `second ${one.bookingId}` }, 17_500);
    await submitRefunds(app.services);
    delete app.around.createRefund;
    const made = await refundInDashboard(one, amount);
    await app.inTx((tx) => syncRefund(tx, made, app.clock.now()));
    app.clock.advance(hourMs);
    await submitRefunds(app.services);
    const rest = amount === 17_500 ? { amount, provider_ref: made.ref } : { amount: 17_500 - amount };
    expect(await refundRow(id)).toMatchObject({ status: "succeeded", ...rest });
    expect(await app.balance(`held:${one.bookingId}`)).toBe(-112_500);
  },
);

test.each(["fetched", "booked"])(
  "records a lost dispute whose refunds cannot be %s, and fetches none after it",
  async (what) => {
    const one = await booked("before the show");
    const made = await refundInDashboard(one, 10_000);
    let calls = 0;
    const findRefunds = async () => {
      calls += 1;
      if (what === "fetched") throw new ProviderFailure("refused", "the charge is archived");
      return [{ ...made, amount: -1 }];
    };
    const gateway = { ...provider.gateway, findRefunds };
    for (let turn = 0; turn < 2; turn++)
      expect(await recordDispute(app.services, gateway, disputeOf(one.deposit, "lost"))).toBe("done");
    expect(calls).toBe(1);
    expect(await rowOf(one.deposit)).toMatchObject({ status: "lost", from_held: 37_500 });
  },
);

test("divides a loss when its webhook is repeated, after the refunds before it could not be fetched", async () => {
  const one = await booked("before the show");
  await refundInDashboard(one, 10_000);
  const { ref, amount } = disputeOf(one.deposit, "lost");
  provider.disputes.disputes.set(ref, disputeOf(one.deposit, "lost"));
  const type = "charge.dispute.closed";
  const now = app.clock.now();
  const payload = JSON.stringify({ id: ref, type, objectId: ref, paymentRef: one.deposit, account: null });
  const event = { id: ref, provider: "sandbox", type, payload, received_at: now, next_try_at: now };
  await app.inTx((tx) => tx.insertInto("provider_events").values(event).execute());
  const findRefunds = () => Promise.reject(new ProviderFailure("no_answer", "away"));
  await processEvents({ ...app.services, gateway: { ...provider.gateway, findRefunds } });
  await expect(rowOf(one.deposit)).rejects.toThrow("no result");
  app.clock.advance(hourMs);
  await processEvents({ ...app.services, gateway: provider.gateway });
  expect(await rowOf(one.deposit)).toMatchObject({ amount, status: "lost", from_held: 27_500, from_loss: 10_000 });
  expect(await app.balance(`held:${one.bookingId}`)).toBe(-112_500);
});

test("divides no loss while the database fails", async () => {
  const one = await booked("before the show");
  const failing = Object.assign(new Error("the server is shutting down"), { code: "57P01" });
  const gateway = { ...provider.gateway, findRefunds: () => Promise.reject(failing) };
  const lost = disputeOf(one.deposit, "lost");
  await expect(recordDispute(app.services, gateway, lost)).rejects.toBe(failing);
  await expect(rowOf(one.deposit)).rejects.toThrow("no result");
});
