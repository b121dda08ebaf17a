/** A provider account in pesos, whose minor unit is less than a cent: parts of a transfer that are reversed in the dashboard. */

import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { reconcile } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { settlementAt } from "#test/harness/settlement.ts";

const app = closeAfterFile(await paymentsHarness({ env: { SANDBOX_CURRENCIES: "mxn" } }));
afterAll(() => expectSound(app));
const { gateway, released, accountAndLedger, transfersOf } = settlementAt(() => app);

/** Makes a deposit of $375 that is paid to the artist less 10 % commission: $337.50. */
async function paidOut() {
  const booking = await released();
  await makePayouts(app.services);
  const [transfer] = await transfersOf(booking.bookingId);
  if (!transfer) throw new Error("nothing was sent");
  return { ...booking, transfer };
}
type PaidOut = Awaited<ReturnType<typeof paidOut>>;

async function reverseInDashboard({ transfer }: PaidOut, amount: number): Promise<void> {
  await gateway().createReversal({ reversalId: "", key: randomUUID(), transfer: transfer.ref, amount });
  await app.settle();
}

const reversalsOf = ({ bookingId }: PaidOut) =>
  app.database.db
    .selectFrom("transfer_reversals as r")
    .innerJoin("transfers as t", "t.id", "r.transfer_id")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select(["r.amount", "r.status", "r.settled_amount as settled"])
    .where("p.booking_id", "=", bookingId)
    .orderBy("r.settled_amount", "desc")
    .execute();

async function expectAgreement(): Promise<void> {
  for (const { provider, ledger } of await accountAndLedger()) expect(ledger).toBe(provider);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
  await expectSound(app);
}

test("stores a reversal of less than a cent without owing it to the artist, and counts it with the next one", async () => {
  const one = await paidOut();
  await reverseInDashboard(one, 17);
  expect(await reversalsOf(one)).toEqual([{ amount: 0, status: "succeeded", settled: 17 }]);
  expect(await app.balance(`artist_payable:${one.artistId}`)).toBe(0);
  await expectAgreement();
  await reverseInDashboard(one, 2);
  expect((await reversalsOf(one)).map(({ amount }) => amount)).toEqual([0, 1]);
  expect(await app.balance(`artist_payable:${one.artistId}`)).toBe(-1);
  await expectAgreement();
});

test(
  "books no more than the transfer for parts of any size that are the whole of it",
  { timeout: 120_000 },
  async () => {
    const part = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 200_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), fc.nat(33_000), async (parts, refunded) => {
        const one = await paidOut();
        let left = one.transfer.amount;
        for (const [index, amount] of parts.entries()) {
          if (index === 3 && refunded > 0) {
            const id = randomUUID();
            await gateway().createRefund({
              refundId: id,
              key: id,
              providerPayment: one.providerPayment,
              amount: refunded,
            });
            await app.settle();
            await makePayouts(app.services);
            const [transfer] = await transfersOf(one.bookingId);
            left = one.transfer.amount - (transfer?.reversed ?? 0);
          }
          if (amount > left) continue;
          left -= amount;
          await reverseInDashboard(one, amount);
        }
        if (left > 0) await reverseInDashboard(one, left);
        await expectAgreement();
        const [transfer] = await transfersOf(one.bookingId);
        expect(transfer?.reversed).toBe(one.transfer.amount);
        const booked = (await reversalsOf(one)).reduce((sum, { amount }) => sum + amount, 0);
        expect(booked).toBe(33_750);
      }),
      { numRuns: 3 },
    );
  },
);
