import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { lockChargesLeft, makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { duringLookup } from "#test/harness/provider/during-lookup.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { payoutsOf, recordTransfer } from "./index.ts";
import { findDuePayouts, lockPayoutOf, retryTransfers } from "./payouts.store.ts";

const provider = memoryProvider();
const { failures } = provider.payouts.transfers;
let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness({ gateway: provider.gateway });
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

const { played, payoutOf, sentFor, sumOf, report, refundInDashboard } = payoutsAt(() => app, provider);

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

  test("records the transfer while a refund holds the lock of its payment, without holding that of the payout", async () => {
    const { bookingId } = await played([50_000]);
    failures.push("lost");
    await makePayouts(app.services);
    const [made] = sentFor(bookingId);
    if (!made) throw new Error("nothing was sent");
    const lockFreePayout = sql`select 1 from payouts where booking_id = ${bookingId} for update skip locked`;
    await overlapping(
      app,
      (tx) => lockChargesLeft(tx, bookingId),
      () => recordTransfer(app.services, made),
      async (tx) => expect((await lockFreePayout.execute(tx)).rows).toHaveLength(1),
    );
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

describe("makePayouts after the end of a claim", () => {
  /** Runs `work` while the next transfer is held after its lookup at the provider, and its claim has ended. */
  const afterClaim = (work: () => Promise<unknown>) =>
    duringLookup(
      app.services.gateway,
      "findTransfers",
      () => makePayouts(app.services),
      async () => {
        app.clock.advance(2 * hourMs);
        await work();
      },
    );
  const retry = (bookingId: string) =>
    app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))!.id, app.clock.now()));

  test("makes one transfer of two that were looked up at the same time", async () => {
    const { bookingId } = await played([50_000]);
    failures.push("refused");
    await makePayouts(app.services);
    await retry(bookingId);
    await afterClaim(() => makePayouts(app.services));
    expect(sentFor(bookingId)).toHaveLength(1);
    expect((await payoutOf(bookingId)).paid_at).not.toBe(null);
  });

  test("does not send the former amount of a transfer that was refused and reduced", async () => {
    const { bookingId, payments } = await played([50_000]);
    await afterClaim(async () => {
      failures.push("refused");
      await makePayouts(app.services);
      await refundInDashboard(payments[0] ?? "", 10_000);
    });
    expect(sentFor(bookingId)).toEqual([]);
    await retry(bookingId);
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toMatchObject([{ amount: 36_000 }]);
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
