import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import type { ProviderReversal } from "#gateway/transfer-gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { otherAccountOf } from "#test/harness/provider/other-account.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";
import { sendReversals, syncReversal } from "./reversals.ts";

const provider = memoryProvider();
const { reversals, failures } = provider.payouts.transfers;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { played, sentFor, refundInDashboard } = payoutsAt(() => app, provider);

async function paidOut() {
  const one = await played([100_000]);
  await makePayouts(app.services);
  const [sent] = sentFor(one.bookingId);
  if (!sent) throw new Error("the payout was not sent");
  return { ...one, payment: one.payments[0] ?? "", transfer: sent.ref };
}

/** Returns a reported reversal, by default of $90 from the dashboard. */
const reportedOf = (transfer: string, more: Partial<ProviderReversal> = {}): ProviderReversal => ({
  ref: `trr_${randomUUID()}`,
  reversalId: null,
  transfer,
  amount: 9_000,
  currency: "usd",
  ...more,
});
const sync = (reported: ProviderReversal) => app.inTx((tx) => syncReversal(tx, reported, app.clock.now()));

const rowsOf = (bookingId: string) =>
  app.database.db
    .selectFrom("transfer_reversals as r")
    .innerJoin("transfers as t", "t.id", "r.transfer_id")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .where("p.booking_id", "=", bookingId)
    .orderBy("r.created_at")
    .orderBy("r.amount")
    .select(["r.id", "r.amount", "r.status", "r.reason", "r.provider_ref", "r.last_error"])
    .execute();
const eventsOf = async (bookingId: string, topic: string) =>
  (await app.publishedEvents(bookingId)).filter((event) => event.topic === topic).map((event) => event.body);
const viewOf = async (bookingId: string) =>
  (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);
const retry = (bookingId: string) =>
  app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))?.id ?? "", app.clock.now()));
async function sendAgain(bookingId: string) {
  await retry(bookingId);
  await makePayouts(app.services);
}
const balances = async (artistId: string) => [
  await app.balance(`artist_payable:${artistId}`),
  await app.balance(`artist_receivable:${artistId}`),
];

describe("syncReversal of a dashboard reversal", () => {
  test("adds an unplanned reversal once to what the artist is owed", async () => {
    const { bookingId, artistId, transfer } = await paidOut();
    const reported = reportedOf(transfer);
    expect([await sync(reported), await sync(reported)]).toEqual(["done", "done"]);
    expect(await rowsOf(bookingId)).toMatchObject([
      {
        amount: 9_000,
        status: "succeeded",
        reason: "It was reversed at the payment provider.",
        provider_ref: reported.ref,
      },
    ]);
    expect(await balances(artistId)).toEqual([-9_000, 0]);
    const [published, ...more] = await eventsOf(bookingId, "payout.reversed");
    expect(published).toMatchObject({ bookingId, amount: 9_000, currency: "usd", planned: false, cause: "refund" });
    expect(more).toEqual([]);
  });

  test("waits for an admin, who sends the amount again to the same account", async () => {
    const { bookingId, artistId, account, transfer } = await paidOut();
    await sync(reportedOf(transfer));
    const sum = { amount: 90_000, reversed: 0 };
    expect(await viewOf(bookingId)).toMatchObject({ ...sum, status: "failed", canRetry: true, unsent: 9_000 });
    await makePayouts(app.services);
    expect(await balances(artistId)).toEqual([-9_000, 0]);
    await expectSound(app);
    await sendAgain(bookingId);
    await makePayouts(app.services);
    expect(await balances(artistId)).toEqual([0, 0]);
    expect(await viewOf(bookingId)).toMatchObject({ ...sum, status: "paid", canRetry: false, unsent: 0 });
    const sent = sentFor(bookingId).map(({ amount, destination }) => [amount, destination]);
    expect(sent).toEqual([
      [90_000, account],
      [9_000, account],
    ]);
    const [, reversed] = await eventsOf(bookingId, "payout.paid");
    expect(reversed).toMatchObject({ amount: 9_000, disputeId: null, reversalId: (await rowsOf(bookingId))[0]?.id });
    await expectSound(app);
  });

  test("completes a planned reversal of the same amount, or pays a part of it", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await refundInDashboard(payment, 10_000);
    expect(await balances(artistId)).toEqual([0, 9_000]);
    await sync(reportedOf(transfer, { amount: 8_999 }));
    expect(await balances(artistId)).toEqual([0, 1]);
    await refundInDashboard(payment, 10_000);
    await sync(reportedOf(transfer));
    expect(await balances(artistId)).toEqual([0, 1]);
    const rows = (await rowsOf(bookingId)).map(({ amount, status }) => [amount, status]);
    expect(rows.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, "requested"],
      [8_999, "succeeded"],
      [9_000, "succeeded"],
    ]);
    expect(await eventsOf(bookingId, "payout.reversed")).toMatchObject([
      { amount: 8_999, planned: true, cause: "refund" },
      { amount: 9_000, planned: true, cause: "refund" },
    ]);
    await sendReversals(app.services);
    expect([...reversals.values()].filter((one) => one.transfer === transfer)).toMatchObject([{ amount: 1 }]);
    // The same amount again: the planned reversal is already completed.
    await sync(reportedOf(transfer));
    expect(await balances(artistId)).toEqual([-9_000, 0]);
  });

  test("ignores a transfer that is not ours", async () => {
    expect(await sync(reportedOf("tr_of_another_platform"))).toBe("foreign");
  });
});

describe("planned reversal", () => {
  test("is completed by the report with its id, not by its amount", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await refundInDashboard(payment, 10_000);
    await refundInDashboard(payment, 10_000);
    const [, second] = await rowsOf(bookingId);
    const named = reportedOf(transfer, { reversalId: second?.id ?? "" });
    await sync(named);
    expect((await rowsOf(bookingId)).find(({ id }) => id === second?.id)).toMatchObject({ provider_ref: named.ref });
    // One with an unknown id pays what the artist owes, as one from the dashboard does.
    await sync(reportedOf(transfer, { reversalId: randomUUID(), amount: 10_000 }));
    expect(await balances(artistId)).toEqual([-1_000, 0]);
  });

  test("is made once when its response was lost", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await refundInDashboard(payment, 10_000);
    failures.push("server_error");
    await sendReversals(app.services);
    expect(await balances(artistId)).toEqual([0, 9_000]);
    expect(await eventsOf(bookingId, "payout.failed")).toEqual([]);
    app.clock.advance(hourMs);
    await sendReversals(app.services);
    expect(await balances(artistId)).toEqual([0, 0]);
    expect([...reversals.values()].filter((one) => one.transfer === transfer)).toHaveLength(1);
  });

  test("may have been made while the key of another account is used, and is found with the first one", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await refundInDashboard(payment, 10_000);
    failures.push("lost");
    await sendReversals(app.services);
    const { gateway } = app.services;
    for (let turn = 0; turn < 2; turn++) {
      app.clock.advance(hourMs);
      await sendReversals({ ...app.services, gateway: gateway && otherAccountOf(gateway) });
      expect(await viewOf(bookingId)).toMatchObject({ canRetry: true, outside: 0 });
      await retry(bookingId);
    }
    await sendReversals(app.services);
    expect(await balances(artistId)).toEqual([0, 0]);
    expect([...reversals.values()].filter((one) => one.transfer === transfer)).toHaveLength(1);
  });

  test("fails with the provider's reason, and is published once", async () => {
    const { bookingId, artistId, payment } = await paidOut();
    await refundInDashboard(payment, 10_000);
    failures.push("refused");
    await sendReversals(app.services);
    const [row] = await rowsOf(bookingId);
    expect(row).toMatchObject({ status: "failed", last_error: "the account cannot be paid" });
    expect(await eventsOf(bookingId, "payout.failed")).toEqual([
      {
        what: "reversal",
        bookingId,
        amount: 9_000,
        currency: "usd",
        reason: "the account cannot be paid",
        refused: { id: row?.id, cause: "refund", earnerId: null },
      },
    ]);
    expect(await balances(artistId)).toEqual([0, 9_000]);
  });

  test("takes first what waits to be sent again, and no more than is left of the transfer", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await sync(reportedOf(transfer, { amount: 80_000 }));
    await refundInDashboard(payment, 50_000);
    expect((await rowsOf(bookingId)).map(({ amount }) => amount)).toEqual([80_000]);
    expect(await balances(artistId)).toEqual([-35_000, 0]);
    expect(await viewOf(bookingId)).toMatchObject({ amount: 90_000, reversed: 45_000, unsent: 35_000, canRetry: true });
    await expectSound(app);
    await refundInDashboard(payment, 50_000);
    expect((await rowsOf(bookingId)).map(({ amount }) => amount)).toEqual([80_000, 10_000]);
    expect(await balances(artistId)).toEqual([0, 10_000]);
    await makePayouts(app.services);
    expect(await balances(artistId)).toEqual([0, 0]);
    expect(await viewOf(bookingId)).toMatchObject({ status: "reversed", unsent: 0, canRetry: false });
    expect(sentFor(bookingId)).toHaveLength(1);
    await expectSound(app);
  });

  test("is planned on a transfer that is being sent again, and takes it back", async () => {
    const { bookingId, artistId, payment, transfer } = await paidOut();
    await sync(reportedOf(transfer, { amount: 90_000 }));
    failures.push("server_error");
    await sendAgain(bookingId);
    await refundInDashboard(payment, 100_000);
    expect(await balances(artistId)).toEqual([-90_000, 90_000]);
    app.clock.advance(hourMs);
    for (let turn = 0; turn < 2; turn++) await makePayouts(app.services);
    expect(await balances(artistId)).toEqual([0, 0]);
    expect(await viewOf(bookingId)).toMatchObject({ status: "reversed", unsent: 0, canRetry: false });
    await expectSound(app);
  });
});

describe("a refund after the whole payout was reversed in the dashboard", () => {
  test.each(["at once", "after it was queued", "after the provider refused it"])(
    "leaves nothing to send again: %s",
    async (when) => {
      const { bookingId, artistId, payment, transfer } = await paidOut();
      const { paidAt } = (await viewOf(bookingId)) ?? {};
      app.clock.advance(hourMs);
      await sync(reportedOf(transfer, { amount: 90_000 }));
      if (when === "after it was queued") await retry(bookingId);
      if (when === "after the provider refused it") {
        failures.push("refused");
        await sendAgain(bookingId);
      }
      await refundInDashboard(payment, 100_000);
      expect(await balances(artistId)).toEqual([0, 0]);
      const reversed = { amount: 90_000, reversed: 90_000, unsent: 0, status: "reversed", canRetry: false, paidAt };
      expect(await viewOf(bookingId)).toMatchObject(reversed);
      await expectSound(app);
      await retry(bookingId);
      await makePayouts(app.services);
      expect(sentFor(bookingId)).toHaveLength(1);
      expect(await balances(artistId)).toEqual([0, 0]);
      await expectSound(app);
    },
  );
});
