/** A planned reversal that was not made, and a reversal of the same transfer in the provider's dashboard, in every order. */

import { afterAll, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makeBooking } from "#test/factories/bookings.ts";
import { documentOffences, documentsIn, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, expectValid, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";
import { offsetReversals } from "./offsets.ts";

const provider = memoryProvider();
const { reversals, failures } = provider.payouts.transfers;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { played, sentFor, sumOf, refundInDashboard, reverseInDashboard } = payoutsAt(() => app, provider);
type Played = Awaited<ReturnType<typeof played>>;

/** Makes a booking whose artist was paid $900 of $1,000. */
async function paidOut(): Promise<Played> {
  const one = await played([100_000]);
  await makePayouts(app.services);
  return one;
}

const viewOf = async ({ bookingId }: Played) =>
  (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);
const balances = async ({ artistId }: Played) => [
  await app.balance(`artist_payable:${artistId}`),
  await app.balance(`artist_receivable:${artistId}`),
];
const retry = ({ bookingId }: Played) =>
  app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))?.id ?? "", app.clock.now()));
const refund = async ({ payments }: Played, amount: number) => refundInDashboard(payments[0] ?? "", amount);
const fail = async (failure: (typeof failures)[number]) => {
  failures.push(failure);
  await makePayouts(app.services);
  failures.splice(0);
};
const atProvider = ({ bookingId }: Played) => {
  const sent = sentFor(bookingId);
  return (
    sumOf(sent) - sumOf([...reversals.values()].filter(({ transfer }) => sent.some(({ ref }) => ref === transfer)))
  );
};
const reversedOf = async ({ bookingId }: Played) =>
  (await app.publishedEvents(bookingId))
    .filter(({ topic }) => topic === "payout.reversed")
    .map(({ body }) => [body["amount"], body["planned"]]);

/** Sends again what waits, and fails unless the artist has `share` at the provider and nothing is open. */
async function expectEnd(one: Played, share: number) {
  await retry(one);
  for (let turn = 0; turn < 3; turn++) {
    app.clock.advance(2 * hourMs);
    await makePayouts(app.services);
  }
  expect(await balances(one)).toEqual([0, 0]);
  expect(atProvider(one)).toBe(share);
  const view = await viewOf(one);
  expect(view).toMatchObject({ canRetry: false, unsent: 0, error: null });
  expect((view?.amount ?? 0) - (view?.reversed ?? 0)).toBe(share);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
  await expectSound(app);
}

describe("a refund of half the booking whose planned reversal of $450 is", () => {
  describe("refused, and then reversed in the dashboard", () => {
    test("by less: the rest is reversed", async () => {
      const one = await paidOut();
      await refund(one, 50_000);
      await fail("refused");
      await reverseInDashboard(one.bookingId, 30_000);
      expect(await balances(one)).toEqual([0, 15_000]);
      expect(await viewOf(one)).toMatchObject({ amount: 90_000, reversed: 30_000, unsent: 0, status: "paid" });
      expect(await reversedOf(one)).toEqual([[30_000, true]]);
      await expectSound(app);
      await expectEnd(one, 45_000);
    });

    test("by an older version, which deducted nothing: data is valid, and sending again deducts it", async () => {
      const one = await paidOut();
      await refund(one, 50_000);
      await fail("away");
      await reverseInDashboard(one.bookingId, 30_000);
      await app.database.db
        .updateTable("transfer_reversals")
        .set({ status: "failed", needs_lookup: false })
        .where("status", "=", "submitted")
        .execute();
      await expectValid(app);
      await app.inTx(async (tx) => {
        await offsetReversals(tx, (await lockPayoutOf(tx, one.bookingId))?.id ?? "", app.clock.now());
      });
      expect(await balances(one)).toEqual([0, 15_000]);
      await expectSound(app);
      await expectEnd(one, 45_000);
    });

    test("by more: only the difference waits to be sent again", async () => {
      const one = await paidOut();
      await refund(one, 50_000);
      await fail("refused");
      await reverseInDashboard(one.bookingId, 60_000);
      expect(await balances(one)).toEqual([-15_000, 0]);
      expect(await viewOf(one)).toMatchObject({ amount: 90_000, reversed: 45_000, unsent: 15_000, status: "failed" });
      expect(await reversedOf(one)).toEqual([
        [45_000, true],
        [15_000, false],
      ]);
      await expectSound(app);
      await expectEnd(one, 45_000);
    });
  });

  test("planned, but not sent before the reversal in the dashboard", async () => {
    const one = await paidOut();
    await refund(one, 50_000);
    await reverseInDashboard(one.bookingId, 60_000);
    expect(await balances(one)).toEqual([-15_000, 0]);
    await expectEnd(one, 45_000);
  });

  test("without an answer, and later refused", async () => {
    const one = await paidOut();
    await refund(one, 50_000);
    await fail("away");
    await reverseInDashboard(one.bookingId, 30_000);
    // It may have been made.
    expect(await balances(one)).toEqual([-30_000, 45_000]);
    await expectSound(app);
    app.clock.advance(hourMs);
    await fail("refused");
    expect(await balances(one)).toEqual([0, 15_000]);
    expect(await reversedOf(one)).toEqual([
      [30_000, false],
      [30_000, true],
    ]);
    await expectSound(app);
    await expectEnd(one, 45_000);
  });

  test("without an answer, and cannot have been made because too little is left of the transfer", async () => {
    const one = await paidOut();
    await refund(one, 50_000);
    await fail("away");
    await reverseInDashboard(one.bookingId, 60_000);
    expect(await balances(one)).toEqual([-15_000, 0]);
    await expectSound(app);
    await expectEnd(one, 45_000);
  });

  test("made without an answer, and found afterwards", async () => {
    const one = await paidOut();
    await refund(one, 50_000);
    await fail("lost");
    await reverseInDashboard(one.bookingId, 30_000);
    expect(await balances(one)).toEqual([-30_000, 45_000]);
    app.clock.advance(hourMs);
    await makePayouts(app.services);
    expect(await balances(one)).toEqual([-30_000, 0]);
    await expectEnd(one, 45_000);
  });
});

test("a reversal that is planned on a transfer that is then refused leaves nothing to send", async () => {
  const one = await paidOut();
  await reverseInDashboard(one.bookingId, 90_000);
  await retry(one);
  await fail("away");
  await refund(one, 100_000);
  expect(await balances(one)).toEqual([-90_000, 90_000]);
  app.clock.advance(hourMs);
  await fail("refused");
  expect(await balances(one)).toEqual([0, 0]);
  expect((await app.topics(one.bookingId)).filter((topic) => topic === "payout.failed")).toEqual([]);
  await expectEnd(one, 0);
});

test.each([
  ["first", 0, 37_500, -101_250],
  ["second", 1, 112_500, -33_750],
])(
  "a refund of the %s payment of a payout that was refused in full is not sent and taken back",
  async (_, refunded, amount, left) => {
    const one = await played();
    failures.push("refused", "refused");
    await makePayouts(app.services);
    await refundInDashboard(one.payments[refunded] ?? "", amount);
    expect(await balances(one)).toEqual([left, 0]);
    await retry(one);
    await makePayouts(app.services);
    // What is sent comes from the payment that was not refunded.
    const { provider_payment: other } = await app.payment(one.payments[1 - refunded] ?? "");
    const sent = await app.database.db
      .selectFrom("transfers as t")
      .innerJoin("payouts as p", "p.id", "t.payout_id")
      .select(["t.amount", "t.provider_payment"])
      .where("p.booking_id", "=", one.bookingId)
      .execute();
    expect(sent).toEqual([{ amount: -left, provider_payment: other }]);
    await expectEnd(one, -left);
  },
);

test("refunds of both payments of a payout that was refused in full leave nothing to send", async () => {
  const one = await played();
  failures.push("refused", "refused");
  await makePayouts(app.services);
  await refundInDashboard(one.payments[1] ?? "", 112_500);
  await refundInDashboard(one.payments[0] ?? "", 37_500);
  expect(await balances(one)).toEqual([0, 0]);
  expect(await viewOf(one)).toMatchObject({ amount: 0, status: "reversed", canRetry: false });
  await expectEnd(one, 0);
});

test("a refused part of a payout whose payments are refunded in full is never sent", async () => {
  const one = await played();
  await fail("refused");
  await refundInDashboard(one.payments[0] ?? "", 37_500);
  await refundInDashboard(one.payments[1] ?? "", 112_500);
  await makePayouts(app.services);
  expect(await balances(one)).toEqual([0, 0]);
  const sent = sumOf(sentFor(one.bookingId));
  expect(await viewOf(one)).toMatchObject({ status: "reversed", amount: sent, reversed: sent, canRetry: false });
  await expectEnd(one, 0);
  expect(sumOf(sentFor(one.bookingId))).toBe(sent);
});

test("a refund as large as the refused part of a payout leaves it paid with the rest, and documents it", async () => {
  const one = await played([25_000, 75_000]);
  const { bookingId: id, artistId } = one;
  await app.inTx((tx) => makeBooking(tx, { id, artistId, fee: 100_000 }));
  await fail("refused");
  await issueDocuments(app.services);
  const refused = (await viewOf(one))?.unsent ?? 0;
  const rest = 90_000 - refused;
  await refundInDashboard(one.payments[1] ?? "", refused / 0.9);
  expect(await balances(one)).toEqual([0, 0]);
  expect(await viewOf(one)).toMatchObject({ status: "paid", amount: rest, reversed: 0, canRetry: false });
  const paid = (await app.publishedEvents(id)).filter(({ topic }) => topic === "payout.paid");
  expect(paid.map(({ body }) => body["amount"])).toEqual([rest]);
  await issueDocuments(app.services);
  expect(await documentOffences(app.database.db)).toEqual([]);
  const statements = (await documentsIn(app.database.db, id)).filter(({ kind }) => kind.startsWith("payout"));
  expect(statements.map(({ gross, details }) => [gross, details])).toMatchObject([
    [rest, { figures: expect.arrayContaining([{ label: "Refunded before the payout", amount: -refused }]) }],
  ]);
  await expectEnd(one, rest);
});

test("a part of a payout whose refund was planned before it was refused is not sent and taken back", async () => {
  const one = await played([50_000, 50_000]);
  await fail("away");
  await makePayouts(app.services);
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  await refundInDashboard(one.payments[1] ?? "", 50_000);
  app.clock.advance(hourMs);
  await fail("refused");
  await makePayouts(app.services);
  expect(await balances(one)).toEqual([0, 0]);
  await expectEnd(one, 0);
});

test("a reversal in the dashboard reduces first what can no longer be reversed of the same transfer", async () => {
  const one = await played([50_000, 50_000]);
  await fail("away");
  await makePayouts(app.services);
  await refundInDashboard(one.payments[0] ?? "", 50_000);
  await refundInDashboard(one.payments[1] ?? "", 10_000);
  await reverseInDashboard(one.bookingId, 20_000);
  expect(await balances(one)).toEqual([-45_000, 34_000]);
  await expectSound(app);
  await expectEnd(one, 36_000);
});

test.each(["refused", "made"])(
  "a refund does not remove a transfer that may have been made, and that then is %s",
  async (end) => {
    const one = await played([100_000]);
    const { gateway } = app.services;
    const findTransfers = () => Promise.reject(new ProviderFailure("refused", "the lookup was refused"));
    failures.push(end === "made" ? "lost" : "away");
    await makePayouts(app.services);
    app.clock.advance(hourMs);
    await makePayouts({ ...app.services, gateway: gateway && { ...gateway, findTransfers } });
    expect(await viewOf(one)).toMatchObject({ status: "failed", canRetry: true });
    for (let turn = 0; turn < 2; turn++) {
      await refund(one, 50_000);
      await retry(one);
    }
    expect(await balances(one)).toEqual([-90_000, 90_000]);
    if (end === "refused") await fail("refused");
    await expectEnd(one, 0);
    expect(sumOf(sentFor(one.bookingId))).toBe(end === "made" ? 90_000 : 0);
  },
);
