/** What was reversed in the provider's dashboard, and then refunded or lost in a dispute: the artist is not owed it again. */

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { returnShares } from "#disputes/index.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { disputedBookings } from "#test/harness/provider/memory-disputes.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { syncReversal } from "./reversals.ts";

const provider = memoryProvider();
let app: PaymentsHarness;
beforeAll(async () => {
  app = await paymentsHarness({ gateway: provider.gateway });
});
afterAll(async () => {
  await expectSound(app);
  await app.close();
});

const { booked, disputeOf, hear, rowOf, sentFor, balances } = disputedBookings(provider, () => app);

/** Reverses the transfers of a booking in the provider's dashboard, in full or the given amount of each. */
async function reverseInDashboard(bookingId: string, amount?: number) {
  for (const transfer of sentFor(bookingId)) {
    const reported = { ref: `trr_${randomUUID()}`, reversalId: null, transfer: transfer.ref, currency: "usd" };
    const now = app.clock.now();
    await app.inTx((tx) => syncReversal(tx, { ...reported, amount: amount ?? transfer.amount }, now));
  }
}

const nothing = { held: 0, payable: 0, receivable: 0 };

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
