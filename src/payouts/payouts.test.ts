import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayment } from "#test/factories/payments.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { payoutsAt, syncRefund } from "#test/harness/payouts.ts";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { divideHeld, releaseHeld } from "#payments/index.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { payoutsOf } from "./index.ts";
import { changeAccount } from "./accounts.store.ts";
import { findDuePayouts, lockPayoutOf, retryTransfers } from "./payouts.store.ts";

const provider = memoryProvider();
const { reversals, failures } = provider.payouts.transfers;
let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness({ gateway: provider.gateway });
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

const { played, payoutOf, sentFor, sumOf, hasChanged, report, refundInDashboard } = payoutsAt(() => app, provider);

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

describe("makePayouts sends nothing", () => {
  test.each([
    ["before its day", async () => played(undefined, { dueAt: new Date(app.clock.now().getTime() + hourMs) })],
    ["while the account is not complete", async () => played(undefined, { state: "pending" })],
    ["while the account is restricted", async () => played(undefined, { state: "restricted" })],
    [
      "for 72 hours after another bank account",
      async () => {
        const one = await played();
        await report(one.artistId, "bank 2");
        return one;
      },
    ],
  ])("%s", async (_name, make) => {
    const { bookingId } = await make();
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toEqual([]);
  });
});

test("freezes a payout after a change of the bank account whose webhook was lost", async () => {
  const { bookingId, artistId } = await played();
  hasChanged(artistId, "bank 2");
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  app.clock.advance(72 * hourMs + 1_000);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
});

test("holds a payout until the artist replaces an account that the provider does not know, and notifies the artist", async () => {
  const { bookingId, account, artistId } = await played();
  provider.payouts.accounts.accounts.delete(account);
  await makePayouts(app.services);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  expect(await app.topics(bookingId)).toEqual([]);
  const ended = await app.database.db
    .selectFrom("event_outbox")
    .select("body")
    .where("topic", "=", "payout_account.ended")
    .execute();
  expect(ended.map(({ body }) => body)).toContainEqual({ artistId, userId: null, account, why: "gone" });
  await app.inTx((tx) =>
    changeAccount(tx, artistId, { provider_account: "acct_new", onboarding_status: "completed" }, app.clock.now()),
  );
  const fresh = {
    ref: "acct_new",
    artistId,
    ownerId: null,
    submitted: true,
    state: "completed",
    bank: "bank 1",
    createdAt: new Date(),
  } as const;
  provider.payouts.accounts.accounts.set("acct_new", fresh);
  await makePayouts(app.services);
  expect(sentFor(bookingId).map(({ destination }) => destination)).toEqual(["acct_new", "acct_new"]);
});

test("sends a payout 72 hours after the change of the bank account that froze it", async () => {
  const { bookingId, artistId } = await played();
  await report(artistId, "bank 2");
  app.clock.advance(72 * hourMs + 1_000);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
});

describe("makePayouts after a lost response", () => {
  test.each(["lost", "server_error"] as const)("finds the transfer (%s), and sends nothing twice", async (failure) => {
    const { bookingId } = await played();
    failures.push(failure);
    await makePayouts(app.services);
    app.clock.advance(hourMs);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toHaveLength(2);
    expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
  });

  test("finds a second attempt with a new key", async () => {
    const { bookingId } = await played([50_000]);
    failures.push("refused");
    await makePayouts(app.services);
    await app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))!.id, app.clock.now()));
    failures.push("lost");
    await makePayouts(app.services);
    app.clock.advance(hourMs);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toHaveLength(1);
    expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
  });

  test("repeats an unanswered call only after its claim of 180 seconds", async () => {
    const { bookingId } = await played([50_000]);
    failures.push("away");
    await makePayouts(app.services);
    app.clock.advance(150_000);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toEqual([]);
    app.clock.advance(60_000);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toHaveLength(1);
  });

  test("queries the provider after more than 20 hours instead of repeating the call", async () => {
    const { bookingId } = await played([50_000]);
    failures.push("lost");
    await makePayouts(app.services);
    app.clock.advance(21 * hourMs);
    const { createTransfer } = app.services.gateway!;
    Object.assign(app.services.gateway!, { createTransfer: () => Promise.reject(new Error("sent again")) });
    await makePayouts(app.services);
    Object.assign(app.services.gateway!, { createTransfer });
    expect(sentFor(bookingId)).toHaveLength(1);
    expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
  });

  test("sends a transfer that never arrived only after the freeze", async () => {
    const { bookingId, artistId } = await played([50_000]);
    failures.push("away");
    await makePayouts(app.services);
    await report(artistId, "bank 2");
    app.clock.advance(hourMs);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toEqual([]);
    app.clock.advance(72 * hourMs);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toHaveLength(1);
  });
});

test("marks a refused payout as failed, and sends it after a manual retry", async () => {
  const { bookingId } = await played([50_000]);
  failures.push("refused");
  await makePayouts(app.services);
  app.clock.advance(hourMs);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  expect(await app.topics(bookingId)).toEqual(["payout.failed"]);
  const again = await app.inTx(async (tx) =>
    retryTransfers(tx, (await lockPayoutOf(tx, bookingId))!.id, app.clock.now()),
  );
  expect(again).toBe(1);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(1);
  expect(await app.topics(bookingId)).toEqual(["payout.failed", "payout.paid"]);
});

test("blocks a payout that exceeds its charges without delaying other payouts", async () => {
  const { bookingId } = await played([50_000]);
  await app.database.db.updateTable("payouts").set({ amount: 50_001 }).where("booking_id", "=", bookingId).execute();
  await makePayouts(app.services);
  await makePayouts(app.services);
  expect(await app.topics(bookingId)).toEqual(["payout.failed"]);
  const seen = async () => (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);
  expect(await seen()).toMatchObject({
    status: "failed",
    canRetry: true,
    error: expect.stringMatching(/are less than/),
  });
  expect(await findDuePayouts(app.database.db, app.clock.now(), 50)).not.toContainEqual(
    expect.objectContaining({ booking_id: bookingId }),
  );
  await app.database.db.updateTable("payouts").set({ amount: 45_000 }).where("booking_id", "=", bookingId).execute();
  await app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))!.id, app.clock.now()));
  await makePayouts(app.services);
  expect(sumOf(sentFor(bookingId))).toBe(45_000);
  expect(await seen()).toMatchObject({ status: "paid", error: null });
});

test("sends a payout that became due after sixty whose accounts cannot be fetched, and those later", async () => {
  const failing: Awaited<ReturnType<typeof played>>[] = [];
  for (let count = 0; count < 60; count++) failing.push(await played([37_500]));
  app.clock.advance(1_000);
  const good = await played([37_500]);
  const { gateway } = app.services;
  if (!gateway) throw new Error("the test has no provider");
  const { retrieveAccount } = gateway;
  Object.assign(gateway, {
    retrieveAccount: (ref: string) =>
      failing.some(({ account }) => account === ref)
        ? Promise.reject(new ProviderFailure("no_permission", "the key may not read this account"))
        : retrieveAccount(ref),
  });
  await makePayouts(app.services);
  await makePayouts(app.services);
  Object.assign(gateway, { retrieveAccount });
  expect(sentFor(good.bookingId)).toHaveLength(1);
  for (let turn = 0; turn < 3; turn++) {
    app.clock.advance(hourMs);
    await makePayouts(app.services);
  }
  for (const { bookingId } of failing) expect(sentFor(bookingId)).toHaveLength(1);
});

test.each(["no_answer", "server_error"] as const)(
  "waits once per run while the provider is away (%s), and delays only the payout that it waited for",
  async (kind) => {
    const made = [await played([37_500]), await played([37_500]), await played([37_500])];
    const { gateway } = app.services;
    if (!gateway) throw new Error("the test has no provider");
    const { retrieveAccount } = gateway;
    const fetched: string[] = [];
    Object.assign(gateway, {
      retrieveAccount: (ref: string) => {
        fetched.push(ref);
        return Promise.reject(new ProviderFailure(kind, "the provider is away"));
      },
    });
    const attempts = async () =>
      (await Promise.all(made.map(({ bookingId }) => payoutOf(bookingId))))
        .map((payout) => payout.attempts)
        .toSorted((a, b) => a - b);
    await makePayouts(app.services);
    expect([fetched.length, await attempts()]).toEqual([1, [0, 0, 1]]);
    await makePayouts(app.services);
    expect([fetched.length, await attempts()]).toEqual([2, [0, 1, 1]]);
    expect(new Set(fetched).size).toBe(2);
    Object.assign(gateway, { retrieveAccount });
    await makePayouts(app.services);
    expect(made.flatMap(({ bookingId }) => sentFor(bookingId))).toHaveLength(1);
    app.clock.advance(hourMs);
    await makePayouts(app.services);
    for (const { bookingId } of made) expect(sentFor(bookingId)).toHaveLength(1);
  },
);

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
