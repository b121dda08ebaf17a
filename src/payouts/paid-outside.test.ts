import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { accounts, move, post } from "#ledger/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { lockChargesLeft, makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { paidOutside, type Played, payoutsAt } from "#test/harness/payouts.ts";
import { disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { planPayouts } from "./index.ts";
import { recordPayoutPaidOutside } from "./paid-outside.ts";
import { lockPayoutOf, retryTransfers } from "./payouts.store.ts";

const provider = memoryProvider();
const { failures } = provider.payouts.transfers;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const payouts = payoutsAt(() => app, provider);
const { played, sentFor, sumOf, report, refundInDashboard, reverseInDashboard, viewOf, eventsOf } = payouts;
const { recordPaidOutside: record } = payouts;
const { disputeOf, hear, returnShare } = disputedBookings(provider, () => app);

const { how, by } = paidOutside;
const balances = async ({ artistId }: Played) => [
  await app.balance(`artist_payable:${artistId}`),
  await app.balance(`artist_receivable:${artistId}`),
];

const retry = ({ bookingId }: Played) =>
  app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))?.id ?? "", app.clock.now()));

/** Retries what is open, and fails unless the provider sends nothing more and agrees. */
async function expectClosed(one: Played) {
  const before = sentFor(one.bookingId);
  await retry(one);
  app.clock.advance(2 * hourMs);
  await makePayouts(app.services);
  expect(sentFor(one.bookingId)).toEqual(before);
  expect(await viewOf(one)).toMatchObject({ canRetry: false, outside: 0, unsent: 0, error: null });
  expect(await balances(one)).toEqual([0, 0]);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
  await expectSound(app);
}

async function paidOut(): Promise<Played> {
  const one = await played([100_000]);
  await makePayouts(app.services);
  return one;
}

test("closes what was reversed in the dashboard, and leaves the provider's account at its balance", async () => {
  const one = await paidOut();
  await reverseInDashboard(one.bookingId, 20_000);
  expect(await viewOf(one)).toMatchObject({ status: "failed", outside: 20_000 });
  const [clearing, outside] = [await app.balance("psp_clearing"), await app.balance("paid_outside")];
  await expect(record(one, 19_999)).rejects.toThrow("The amounts have changed.");
  const given = await Promise.allSettled([record(one, 20_000), record(one, 20_000)]);
  expect(given.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(record(one, 20_000)).rejects.toThrow("Nothing of this payout was refused");
  expect([await app.balance("psp_clearing"), await app.balance("paid_outside")]).toEqual([clearing, outside - 20_000]);
  expect(await viewOf(one)).toMatchObject({ status: "paid", amount: 90_000, reversed: 0 });
  const [, event, ...more] = await eventsOf(one, "payout.paid");
  expect(event).toMatchObject({ amount: 20_000, paidOutside: { how, by } });
  expect(more).toEqual([]);
  await expectClosed(one);
});

test("closes a refused transfer of a payout in two parts, and publishes each part with its amount", async () => {
  const one = await played();
  failures.push("refused");
  await makePayouts(app.services);
  const sent = sumOf(sentFor(one.bookingId));
  await record(one, 135_000 - sent);
  const paid = await eventsOf(one, "payout.paid");
  expect(paid.map((body) => [body["amount"], body["paidOutside"] !== undefined])).toEqual([
    [135_000 - sent, true],
    [sent, false],
  ]);
  await expectClosed(one);
});

test("lists a later transfer of the provider as a difference", async () => {
  const one = await played([50_000]);
  failures.push("refused");
  await makePayouts(app.services);
  await record(one, 45_000);
  const { id: transferId } = await app.database.db
    .selectFrom("transfers as t")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select("t.id")
    .where("p.booking_id", "=", one.bookingId)
    .executeTakeFirstOrThrow();
  const made = { key: transferId, bookingId: one.bookingId, destination: one.account, charge: null };
  const { ref } = await provider.payouts.transfers.gateway.createTransfer({
    ...made,
    transferId,
    amount: 45_000,
    currency: "usd",
  });
  expect(await reconcile(app.services)).toMatchObject({
    differences: [{ kind: "transfer", amount: 45_000, what: expect.stringContaining("paid outside") as string }],
  });
  provider.payouts.transfers.transfers.delete(ref);
  expect(await balances(one)).toEqual([0, 0]);
});

test("reverses first what the provider sent, and requires an admin for what was paid outside", async () => {
  const one = await paidOut();
  await reverseInDashboard(one.bookingId, 20_000);
  await record(one, 20_000);
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  await makePayouts(app.services);
  expect(await balances(one)).toEqual([0, 0]);
  expect(await viewOf(one)).toMatchObject({ amount: 90_000, reversed: 45_000, status: "paid", outside: 0 });
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  await makePayouts(app.services);
  expect(await balances(one)).toEqual([0, 20_000]);
  const error = expect.stringContaining("Ask the artist to pay it back") as string;
  expect(await viewOf(one)).toMatchObject({ reversed: 70_000, outside: -20_000, canRetry: false, error });
  expect(await eventsOf(one, "payout.failed")).toMatchObject([{ what: "reversal", amount: 20_000, reason: error }]);
  await expectSound(app);
  const outside = await app.balance("paid_outside");
  await record(one, -20_000);
  expect(await app.balance("paid_outside")).toBe(outside + 20_000);
  expect(await viewOf(one)).toMatchObject({ amount: 90_000, reversed: 90_000, status: "reversed" });
  expect((await eventsOf(one, "payout.reversed")).at(-1)).toMatchObject({ amount: 20_000, paidOutside: { how, by } });
  await expectClosed(one);
});

test("closes a reversal that the provider refused, when the artist has paid it back", async () => {
  const one = await paidOut();
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  failures.push("refused");
  await makePayouts(app.services);
  expect(await viewOf(one)).toMatchObject({ outside: -45_000, canRetry: true });
  await retry(one);
  const { gateway } = app.services;
  const missing = () => Promise.reject(new ProviderFailure("missing", "no such transfer"));
  await makePayouts({
    ...app.services,
    gateway: gateway && { ...gateway, findReversals: missing, createReversal: missing },
  });
  expect(await viewOf(one)).toMatchObject({ outside: -45_000, canRetry: true });
  await record(one, -45_000);
  expect(await viewOf(one)).toMatchObject({ amount: 90_000, reversed: 45_000, status: "paid" });
  await expectClosed(one);
});

test("refuses while a payment of the booking is disputed", async () => {
  const one = await paidOut();
  await reverseInDashboard(one.bookingId, 20_000);
  const { provider_payment: paymentRef } = await app.payment(one.payments[0] ?? "");
  const type = "charge.dispute.created";
  const notice = {
    id: `evt_${randomUUID()}`,
    provider: "sandbox",
    type,
    payload: JSON.stringify({ type, objectId: null, paymentRef }),
    received_at: app.clock.now(),
  };
  await app.inTx((tx) => tx.insertInto("provider_events").values(notice).execute());
  await expect(record(one, 20_000)).rejects.toThrow("disputes a payment");
  await app.inTx((tx) => tx.deleteFrom("provider_events").where("id", "=", notice.id).execute());
  await record(one, 20_000);
});

test("refuses what the provider may have made, until its outcome is known", async () => {
  const { gateway } = app.services;
  const unanswered = async (method: "findTransfers" | "findReversals") => {
    failures.push("server_error");
    await makePayouts(app.services);
    app.clock.advance(hourMs);
    const lookup = () => Promise.reject(new ProviderFailure("refused", "the lookup was refused"));
    await makePayouts({ ...app.services, gateway: gateway && { ...gateway, [method]: lookup } });
  };
  const again = async (one: Played) => {
    await retry(one);
    await makePayouts(app.services);
  };
  const one = await played([50_000]);
  await unanswered("findTransfers");
  expect(await viewOf(one)).toMatchObject({ status: "failed", canRetry: true, outside: 0 });
  await expect(record(one, 45_000)).rejects.toThrow("send it again first");
  await again(one);
  expect(await viewOf(one)).toMatchObject({ status: "paid" });
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  await unanswered("findReversals");
  expect(await viewOf(one)).toMatchObject({ canRetry: true, outside: 0 });
  await expect(record(one, -45_000)).rejects.toThrow("send it again first");
  await again(one);
  expect(await viewOf(one)).toMatchObject({ status: "reversed" });
  expect(sumOf(sentFor(one.bookingId))).toBe(45_000);
  await expectClosed(one);
});

test.each(["pending", "restricted"] as const)("closes a payout that waits for an account (%s)", async (state) => {
  const one = await played([37_500, 112_500], { state, dueAt: new Date(app.clock.now().getTime() + hourMs) });
  await makePayouts(app.services);
  expect(await viewOf(one)).toMatchObject({ waits: "account", outside: 0 });
  await expect(record(one, 135_000)).rejects.toThrow("Nothing of this payout was refused");
  app.clock.advance(2 * hourMs);
  await makePayouts(app.services);
  expect(await viewOf(one)).toMatchObject({ waits: "account", canRetry: false, outside: 135_000 });
  await record(one, 135_000);
  await expect(record(one, 135_000)).rejects.toThrow("Nothing of this payout was refused");
  expect(await viewOf(one)).toMatchObject({ status: "paid", amount: 135_000 });
  expect(await eventsOf(one, "payout.paid")).toMatchObject([{ amount: 135_000, paidOutside: { how } }]);
  await report(one.artistId, "bank 1");
  await expectClosed(one);
});

test("sends a share that an appeal returned to the account after a payout outside the provider", async () => {
  const one = await played([37_500, 112_500], { state: "pending" });
  const { provider_payment: charge } = await app.payment(one.payments[0] ?? "");
  await record(one, 135_000);
  const dispute = (status: string) => hear(disputeOf(charge ?? "", status));
  await dispute("lost");
  expect(await viewOf(one)).toMatchObject({ outside: -33_750, owed: 33_750 });
  await record(one, -33_750);
  await dispute("won");
  const { bookingId } = one;
  await returnShare({ deposit: charge ?? "", bookingId });
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  await report(one.artistId, "bank 1");
  await makePayouts(app.services);
  expect(sumOf(sentFor(bookingId))).toBe(33_750);
  await expectClosed(one);
});

test("closes a payout that the provider refused to plan, and the unsent transfers of a restricted account", async () => {
  const stuck = await played();
  const { gateway } = app.services;
  const retrieveAccount = () => Promise.reject(new ProviderFailure("refused", "no such capability"));
  await makePayouts({ ...app.services, gateway: gateway && { ...gateway, retrieveAccount } });
  expect(await viewOf(stuck)).toMatchObject({ status: "failed", canRetry: true, outside: 135_000 });
  await record(stuck, 135_000);
  await expectClosed(stuck);
  const planned = await played([50_000]);
  await planPayouts(app.services, lockChargesLeft);
  expect(await viewOf(planned)).toMatchObject({ outside: 0 });
  await report(planned.artistId, "bank 1", "restricted");
  await makePayouts(app.services);
  expect(await viewOf(planned)).toMatchObject({ waits: "account", outside: 45_000 });
  await record(planned, 45_000);
  await report(planned.artistId, "bank 1");
  await expectClosed(planned);
});

test("refuses a payout without a payment, and records one with a payment of which less than nothing is left", async () => {
  const one = await played([37_500, 112_500], { state: "pending" });
  const { bookingId } = one;
  const recordWith = (lockCharges: typeof lockChargesLeft) => {
    const paid = { bookingId, how, by, expected: 135_000, now: app.clock.now() };
    return app.inTx((tx) => recordPayoutPaidOutside(tx, paid, lockCharges));
  };
  await expect(recordWith(async () => [])).rejects.toMatchObject({ kind: "conflict" });
  await recordWith(async (...of) =>
    (await lockChargesLeft(...of)).map((charge, index) => (index === 0 ? { ...charge, left: -1 } : charge)),
  );
  await report(one.artistId, "bank 1");
  await expectClosed(one);
});

test("closes a payout that is more than its payments, and sends a share of it that an appeal returned", async () => {
  const one = await played([50_000]);
  const { artistId, bookingId } = one;
  const entries = move(10_000, "usd", { debit: accounts.disputeLoss, credit: accounts.artistPayable(artistId) });
  const more = { cause: `more:${bookingId}`, kind: "release", bookingId, at: app.clock.now(), entries } as const;
  await app.inTx((tx) => post(tx, more));
  await app.database.db.updateTable("payouts").set({ amount: 55_000 }).where("booking_id", "=", bookingId).execute();
  await makePayouts(app.services);
  const error = expect.stringMatching(/are less than the payout/) as string;
  expect(await viewOf(one)).toMatchObject({ status: "failed", error, outside: 55_000 });
  await record(one, 55_000);
  expect(await viewOf(one)).toMatchObject({ status: "paid", amount: 55_000 });
  await expectClosed(one);
  const { provider_payment: charge } = await app.payment(one.payments[0] ?? "");
  await hear(disputeOf(charge ?? "", "lost", { amount: 12_000 }));
  await record(one, -11_000);
  await hear(disputeOf(charge ?? "", "won", { amount: 12_000 }));
  await returnShare({ deposit: charge ?? "", bookingId }, 11_000);
  await makePayouts(app.services);
  expect(sumOf(sentFor(bookingId))).toBe(11_000);
  await expectClosed(one);
});

test("offers what is left of a waiting transfer after the reversals that are planned on it", async () => {
  const one = await played([50_000]);
  failures.push("away");
  await makePayouts(app.services);
  await refundInDashboard(one.payments[0] ?? "", 25_000);
  await report(one.artistId, "bank 1", "restricted");
  app.clock.advance(hourMs);
  await makePayouts(app.services);
  expect(await viewOf(one)).toMatchObject({ waits: "account", outside: 22_500 });
  await record(one, 22_500);
  await report(one.artistId, "bank 1");
  await expectClosed(one);
});

test("refuses a reversal that a call without an answer may have made, if the later lookup is refused", async () => {
  const one = await paidOut();
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  failures.push("lost");
  await makePayouts(app.services);
  app.clock.advance(21 * hourMs);
  const { gateway } = app.services;
  const findReversals = () => Promise.reject(new ProviderFailure("refused", "the lookup was refused"));
  await makePayouts({ ...app.services, gateway: gateway && { ...gateway, findReversals } });
  expect(await viewOf(one)).toMatchObject({ canRetry: true, outside: 0 });
  await expectClosed(one);
});

test("records what a transfer paid that a restored database does not know", async () => {
  const one = await played([50_000]);
  const { gateway, transfers } = provider.payouts.transfers;
  const made = { key: randomUUID(), transferId: randomUUID(), destination: one.account, charge: null, currency: "usd" };
  const { ref } = await gateway.createTransfer({ ...made, bookingId: one.bookingId, amount: 40_000 });
  await makePayouts(app.services);
  const error = expect.stringContaining("If they paid this payout, pay nothing more") as string;
  expect(await viewOf(one)).toMatchObject({ status: "failed", error, outside: 45_000 });
  await record(one, 45_000);
  transfers.delete(ref);
  await expectClosed(one);
});
