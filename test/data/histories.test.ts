/**
 * Generated histories of bookings, each played twice through the whole application: with webhooks in order, and with
 * webhooks shuffled, repeated and delivered much later. Both must result in the same final state, ledger and emails.
 * TEST_DEEP=1 plays more of them. `src/bookings/rules/histories.pure.test.ts` plays ten thousand with the rules alone.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyHistory, type Left, playHistories } from "#test/harness/histories/histories.ts";

const deep = process.env["TEST_DEEP"] === "1";
const { batches, atOnce, maxDays } = deep
  ? { batches: 3, atOnce: 6, maxDays: 40 }
  : { batches: 1, atOnce: 2, maxDays: 10 };

const amountOf = (rows: readonly Record<string, unknown>[], account: string) =>
  rows.filter((row) => row["account"] === account).reduce((sum, row) => sum + Number(row["amount"]), 0);

/** Fails unless every cent is with the payer, the artist or the platform, and nothing is in transit. */
function expectRest({ booking, balances, ledger, payout }: Left): void {
  expect(["completed", "canceled"]).toContain(booking.status);
  expect(amountOf(balances, "held")).toBe(0);
  expect(amountOf(balances, "artist_payable")).toBe(0);
  expect(amountOf(balances, "artist_receivable")).toBe(0);
  expect(amountOf(ledger, "refund_in_flight")).toBe(0);
  for (const { amount, paid } of payout) expect(paid || amount === 0).toBe(true);
}

test(
  `ends ${batches * atOnce} histories in the same final state with webhooks in any order`,
  { timeout: 120_000 + batches * 400_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyHistory(maxDays), { minLength: atOnce, maxLength: atOnce }),
        fc.integer(),
        fc.constantFrom("usd", "eur", "mxn"),
        async (histories, seed, received) => {
          const straight = await playHistories(histories, "in order", received);
          const mixed = await playHistories(histories, { seed }, received);
          for (const [index, left] of straight.left.entries()) {
            const history = `${JSON.stringify(histories[index])}`;
            expect(straight.later[index], `at rest: ${history}`).toEqual(left);
            expect(mixed.left[index], `alike: ${history}`).toEqual(left);
            expectRest(left);
          }
          for (const { atProvider, waiting } of [straight, mixed]) {
            expect(atProvider.ledger).toEqual(atProvider.provider);
            expect(waiting).toEqual([]);
          }
        },
      ),
      // A history is long, so a failing one is printed in full and not shrunk.
      { numRuns: batches, endOnFailure: true },
    );
  },
);
