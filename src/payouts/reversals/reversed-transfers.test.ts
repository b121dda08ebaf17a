/** What was reversed in the provider's dashboard, and then refunded or lost in a dispute: the artist is not owed it again. */

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { returnShares } from "#disputes/index.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { type Booked, disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { payoutsOf } from "../index.ts";
import { lockPayoutOf, retryTransfers } from "../payouts.store.ts";
import { syncReversal } from "./reversals.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { booked, disputeOf, hear, rowOf, sentFor, balances } = disputedBookings(provider, () => app);
const { refundInDashboard } = payoutsAt(() => app, provider);

/** Reverses the transfers of a booking in the provider's dashboard, in full or the given amount of each. */
async function reverseInDashboard(bookingId: string, amount?: number) {
  for (const transfer of sentFor(bookingId)) {
    const reported = { ref: `trr_${randomUUID()}`, reversalId: null, transfer: transfer.ref, currency: "usd" };
    const now = app.clock.now();
    await app.inTx((tx) => syncReversal(tx, { ...reported, amount: amount ?? transfer.amount }, now));
  }
}

const nothing = { held: 0, payable: 0, receivable: 0 };

/** Restores what a version before migration 1115 stored of reversals in the dashboard: no transfer that sends them again. */
const asBefore = ({ bookingId }: Booked) =>
  app.inTx(async (tx) => {
    const of = sql`(select id from payouts where booking_id = ${bookingId})`;
    await sql`delete from transfers where payout_id in ${of} and replaced_reversal_id is not null`.execute(tx);
    await sql`update payouts set amount = 135000, paid_at = now() where id in ${of}`.execute(tx);
  });

test("migration 1115 makes owed again what was reversed, but not what a refund or dispute has taken since", async () => {
  const all: Booked[] = [];
  for (let count = 0; count < 4; count++) all.push(await booked("after the payout"));
  const [refunded, kept, disputed, planned] = all as [Booked, Booked, Booked, Booked];
  for (const one of [refunded, disputed]) await reverseInDashboard(one.bookingId);
  for (const one of [kept, planned]) await reverseInDashboard(one.bookingId, 5_000);
  for (const one of all) await asBefore(one);
  for (const one of [planned, refunded]) await refundInDashboard(one.payments[0] ?? "", 37_500);
  await refundInDashboard(refunded.payments[1] ?? "", 112_500);
  await hear(disputeOf(disputed.deposit, "lost"));
  expect(await balances(refunded)).toEqual({ held: 0, payable: -135_000, receivable: 135_000 });

  const file = await readFile(new URL("../../../migrations/1115_reversed_transfers.sql", import.meta.url), "utf8");
  await sql.raw(/^with [^;]*;/mu.exec(file.replaceAll(/^ *--.*\n/gmu, ""))?.[0] ?? "").execute(app.database.db);
  const payables = (await Promise.all(all.map(balances))).map(({ payable, receivable }) => [payable, receivable]);
  expect(payables).toEqual([
    [0, 0],
    [-10_000, 0],
    [-101_250, 0],
    [-10_000, 33_750],
  ]);
  const unsent = await payoutsOf(
    app.database.db,
    all.map(({ bookingId }) => bookingId),
    app.clock.now(),
  );
  expect(all.map(({ bookingId }) => unsent.get(bookingId)?.unsent)).toEqual([0, 10_000, 101_250, 10_000]);
  expect(unsent.get(refunded.bookingId)).toMatchObject({ status: "reversed", canRetry: false });
  await expectSound(app);

  for (const { bookingId } of all)
    await app.inTx(async (tx) => retryTransfers(tx, (await lockPayoutOf(tx, bookingId))?.id ?? "", app.clock.now()));
  for (let turn = 0; turn < 2; turn++) await makePayouts(app.services);
  const sent = all.map(({ bookingId }) => sentFor(bookingId).reduce((sum, { amount }) => sum + amount, 0));
  expect(sent).toEqual([135_000, 145_000, 236_250, 145_000]);
  for (const one of all) expect(await balances(one)).toEqual(nothing);
  await expectSound(app);
});

test("a lost dispute takes what waits to be sent again, and an appeal returns it by a new transfer", async () => {
  const one = await booked("after the payout");
  await reverseInDashboard(one.bookingId);
  await hear(disputeOf(one.deposit, "lost"));
  expect(await balances(one)).toEqual({ ...nothing, payable: -101_250 });
  await hear(disputeOf(one.refs[1] ?? "", "lost", { amount: 112_500 }));
  expect(await balances(one)).toEqual(nothing);
  await expectSound(app);
  await hear(disputeOf(one.deposit, "won"));
  const { id: disputeId } = await rowOf(one.deposit);
  const { bookingId } = one;
  await app.inTx((tx) => returnShares(tx, { disputeId, bookingId, expectedArtist: 33_750, now: app.clock.now() }));
  await makePayouts(app.services);
  expect(sentFor(bookingId).reduce((sum, { amount }) => sum + amount, 0)).toBe(135_000 + 33_750);
  expect(await balances(one)).toEqual(nothing);
  await expectSound(app);
});

test("a comparison lists our transfers and reversals that the provider does not show", async () => {
  const { bookingId } = await booked("after the payout");
  await reverseInDashboard(bookingId, 5_000);
  const transfer = sentFor(bookingId)[0]?.ref;
  const refused = () => Promise.reject(new ProviderFailure("refused", "it cannot be shown"));
  const none: Pick<typeof provider.gateway, "listTransfers"> = { async *listTransfers() {} };
  const gateway = { ...provider.gateway, ...none, retrieveTransfer: refused, findReversals: refused };
  const found = (await reconcile({ ...app.services, gateway }))?.differences ?? [];
  const what = expect.stringContaining("could not be compared") as string;
  expect(found).toContainEqual(expect.objectContaining({ kind: "transfer", ref: transfer, what }));
  expect(found).toContainEqual(expect.objectContaining({ kind: "reversal", amount: 5_000, what }));
});
