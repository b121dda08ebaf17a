import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { divideHeld, releaseHeld } from "#payments/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makePayment } from "#test/factories/payments.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt, syncRefund } from "#test/harness/payouts.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";

const provider = memoryProvider();
const { reversals } = provider.payouts.transfers;
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { played, payoutOf, sentFor, sumOf, refundInDashboard } = payoutsAt(() => app, provider);

test("splits the artist's share over the charges and sends it once, with each charge as its source", async () => {
  const { bookingId, artistId, account } = await played();
  await makePayouts(app.services);
  const sent = sentFor(bookingId);
  const bySum = sent.toSorted((a, b) => a.amount - b.amount);
  expect(bySum.map(({ amount, destination }) => [amount, destination])).toEqual([
    [33_750, account],
    [101_250, account],
  ]);
  expect(sent.map(({ charge }) => charge)).toEqual([expect.stringMatching(/^ch_/), expect.stringMatching(/^ch_/)]);
  expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
  expect(await app.balance(`artist_payable:${artistId}`)).toBe(0);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
  expect(await app.topics(bookingId)).toEqual(["payout.paid"]);
});

describe("makePayouts with transfers missing after a database restore", () => {
  const paidBefore = async () => {
    const one = await played();
    await makePayouts(app.services);
    const sent = sentFor(one.bookingId);
    // The dump was made before the payout: its transfers and their postings are missing.
    const ids = sql`(select t.id from transfers t join payouts p on p.id = t.payout_id where p.booking_id = ${one.bookingId})`;
    await app.inTx(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      const groups = sql`(select id from ledger_groups where cause_key in (select 'transfer:' || id from ${ids} as t(id)))`;
      await sql`delete from ledger_entries where group_id in ${groups}`.execute(tx);
      await sql`delete from ledger_groups where id in ${groups}`.execute(tx);
      await sql`delete from transfers where id in ${ids}`.execute(tx);
      await sql`update payouts set planned_at = null, paid_at = null where booking_id = ${one.bookingId}`.execute(tx);
    });
    return { ...one, sent };
  };

  test("finds the transfers at the provider and pays nothing twice", async () => {
    const { bookingId, sent, artistId } = await paidBefore();
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toEqual(sent);
    expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
    expect(await app.balance(`artist_payable:${artistId}`)).toBe(0);
  });

  test("sends nothing to an artist whose transfers match no row, and requires an admin", async () => {
    const { bookingId, sent } = await paidBefore();
    for (const { ref } of sent) {
      const made = provider.payouts.transfers.transfers.get(ref);
      if (made) provider.payouts.transfers.transfers.set(ref, { ...made, amount: made.amount - 1 });
    }
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toHaveLength(sent.length);
    expect(await app.topics(bookingId)).toContain("payout.failed");
    for (const { ref } of sent) provider.payouts.transfers.transfers.delete(ref);
  });
});

test("sends each payout exactly once with concurrent workers", async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => played()));
  await Promise.all(Array.from({ length: 8 }, () => makePayouts(app.services)));
  await makePayouts(app.services);
  for (const { bookingId } of made) {
    expect(sentFor(bookingId)).toHaveLength(2);
    expect(await app.topics(bookingId)).toEqual(["payout.paid"]);
  }
});

test("reduces an unsent payout by a refund, and reverses the artist's share of a later refund", async () => {
  const early = await played([100_000], { dueAt: new Date(app.clock.now().getTime() + hourMs) });
  await refundInDashboard(early.payments[0] ?? "", 30_000);
  expect((await payoutOf(early.bookingId)).amount).toBe(63_000);
  app.clock.advance(2 * hourMs);
  await makePayouts(app.services);
  expect(sumOf(sentFor(early.bookingId))).toBe(63_000);

  await refundInDashboard(early.payments[0] ?? "", 50_000);
  expect(await app.balance(`artist_receivable:${early.artistId}`)).toBe(45_000);
  await makePayouts(app.services);
  expect(await app.balance(`artist_receivable:${early.artistId}`)).toBe(0);
  const back = [...reversals.values()].filter(({ transfer }) => transfer === sentFor(early.bookingId)[0]?.ref);
  expect(sumOf(back)).toBe(45_000);
  await expectSound(app);
});

test("holds money that arrives during the division of a booking", async () => {
  const bookingId = randomUUID();
  const { id: artistId } = await app.inTx((tx) => makeArtist(tx, { name: `Act ${randomUUID()}` }));
  await app.inTx((tx) => makePayment(tx, { bookingId, kind: "deposit", amount: 40_000, at: app.clock.now() }));
  await app.inTx((tx) => makePayment(tx, { bookingId, kind: "balance", amount: 60_000, at: app.clock.now() }));
  const ended = { bookingId, artistId, currency: "usd", refund: 10_000, keep: 30_000, commissionBps: 1_000 };
  await app.inTx((tx) => divideHeld(tx, { ...ended, reason: "It was canceled.", now: app.clock.now() }));
  expect((await payoutOf(bookingId)).amount).toBe(27_000);
  expect(await app.balance(`held:${bookingId}`)).toBe(-60_000);
});

test("counts a concurrent dashboard refund before the release", async () => {
  const bookingId = randomUUID();
  const { id: artistId } = await app.inTx((tx) => makeArtist(tx, { name: `Act ${randomUUID()}` }));
  const payment = await app.inTx((tx) =>
    makePayment(tx, { bookingId, kind: "deposit", amount: 40_000, at: app.clock.now() }),
  );
  const { provider_payment: providerPayment } = await app.payment(payment.id);
  const refund = {
    ref: `re_${randomUUID()}`,
    refundId: null,
    providerPayment,
    amount: 10_000,
    currency: "usd",
    state: "succeeded" as const,
    reason: null,
    settled: null,
    createdAt: new Date(),
  };
  const release = { bookingId, artistId, currency: "usd", commissionBps: 1_000, at: app.clock.now() };
  const refunded = Promise.withResolvers<void>();
  let isOver = false;
  const released = refunded.promise
    .then(() => app.inTx((other) => releaseHeld(other, release)))
    .finally(() => {
      isOver = true;
    });
  await app.inTx(async (tx) => {
    await syncRefund(tx, refund, app.clock.now());
    refunded.resolve();
    // Gives the other transaction time to overtake if it did not wait for this one.
    for (let turn = 0; turn < 20 && !isOver; turn++) await sql`select pg_sleep(0.02)`.execute(tx);
  });
  await released;
  expect((await payoutOf(bookingId)).amount).toBe(27_000);
  expect(await app.balance(`held:${bookingId}`)).toBe(0);
});
