/** Generated cases of the money rules, compared with a slow calculation in BigInt. TEST_DEEP=1 runs 1,000,000 cases, other runs 20,000. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencies, type Currency, splitCommission, splitPrice } from "#payments/rules.ts";
import { maxAmount, shareHalfUp, splitByLargestRemainder, takeFromLast } from "#platform/money.rules.ts";
import { type CancelFault, cancellationFee, divisionOf, policies, policyNames, quoteFor } from "../../rules.ts";

const cases = process.env["TEST_DEEP"] === "1" ? 1_000_000 : 20_000;
const timeout = 20_000 + cases / 2;
/** Returns the number of runs of a property. The five percentages add up to 100. */
const runs = (percent: number) => ({ numRuns: (cases * percent) / 100 });

const amount = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: maxAmount }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: maxAmount - 1_000, max: maxAmount }) },
);
const currency = fc.constantFrom(...(Object.keys(currencies) as Currency[]));
const bps = fc.integer({ min: 0, max: 10_000 });
const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
const halfUp = (whole: number, numerator: number, denominator: number) =>
  Number((2n * BigInt(whole) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));
const isWhole = (value: number) => Number.isInteger(value) && value >= 0;

/** The textbook method of the largest remainder: whole parts first, then one unit each to the largest remainders. */
function taughtSplit(total: number, parts: readonly number[]): number[] {
  const whole = BigInt(sum(parts));
  if (whole === 0n) return parts.map(() => 0);
  const floors = parts.map((part) => (BigInt(total) * BigInt(part)) / whole);
  const remainders = parts.map((part, index) => BigInt(total) * BigInt(part) - (floors[index] ?? 0n) * whole);
  for (let left = BigInt(total) - floors.reduce((all, one) => all + one, 0n); left > 0n; left--) {
    const largest = remainders.reduce((max, one) => (one > max ? one : max), -1n);
    const index = remainders.indexOf(largest);
    floors[index] = (floors[index] ?? 0n) + 1n;
    remainders[index] = -1n;
  }
  return floors.map(Number);
}

const booking = fc
  .record({
    fee: fc.integer({ min: 1, max: maxAmount }),
    depositPercent: fc.integer({ min: 1, max: 100 }),
    currency,
    commissionBps: bps,
    policy: fc.constantFrom(...policyNames),
    everything: fc.boolean(),
  })
  .map(({ fee, policy, everything, ...terms }) => {
    const quote = quoteFor(fee, terms);
    const charges = [quote.deposit_cents, ...(everything && quote.balance_cents > 0 ? [quote.balance_cents] : [])];
    return { quote, policy: policies[policy], charges, held: sum(charges) };
  });
const when = fc.record({
  daysBefore: fc.integer({ min: -40, max: 120 }),
  hoursSincePaid: fc.double({ min: 0, max: 200, noNaN: true }),
});
const fault = fc.constantFrom<CancelFault>("promoter", "artist", "nobody");

describe("generated cases of money", { timeout }, () => {
  test("round a share half up, and the rest is not negative", () => {
    const parts = fc.constantFrom(2, 3, 7, 100, 1_000, 9_999, 10_000);
    fc.assert(
      fc.property(amount, parts, fc.nat(10_000), (whole, denominator, seed) => {
        const numerator = seed % (denominator + 1);
        const share = shareHalfUp(whole, numerator, denominator);
        expect(share).toBe(halfUp(whole, numerator, denominator));
        expect(isWhole(whole - share)).toBe(true);
      }),
      runs(15),
    );
  });

  test("split a price into deposit and balance of at least the least charge, and the retained amount into commission and artist's share", () => {
    fc.assert(
      fc.property(amount, fc.nat(100), currency, bps, (price, percent, of, commissionBps) => {
        const { deposit, balance } = splitPrice(price, percent, of);
        expect([deposit + balance, isWhole(deposit), isWhole(balance)]).toEqual([price, true, true]);
        const { min } = currencies[of];
        expect(balance === 0 || balance >= min).toBe(true);
        if (deposit !== price) expect(deposit).toBe(halfUp(price, percent, 100));
        const { commission, artist } = splitCommission(price, commissionBps);
        expect([commission, artist]).toEqual([halfUp(price, commissionBps, 10_000), price - commission]);
      }),
      runs(15),
    );
  });

  test("split by the largest remainder", () => {
    const split = fc
      .tuple(fc.array(amount, { minLength: 1, maxLength: 5 }), fc.nat(1_000_000))
      .map(([parts, millionths]) => ({
        parts,
        total: Math.min(maxAmount, Math.floor((sum(parts) * millionths) / 1_000_000)),
      }));
    fc.assert(
      fc.property(split, ({ parts, total }) => {
        const shares = splitByLargestRemainder(total, parts);
        expect(shares).toEqual(taughtSplit(total, parts));
        expect(sum(shares)).toBe(total);
        expect(shares.every((share, index) => isWhole(share) && share <= (parts[index] ?? -1))).toBe(true);
      }),
      runs(15),
    );
  });

  test("divide a cancellation into three parts, with the fee of the highest reached step", () => {
    fc.assert(
      fc.property(booking, fault, when, ({ quote, policy, held }, whose, at) => {
        const input = { ...quote, policy, held };
        const { refund, artist, commission } = divisionOf(input, whose, at);
        expect(refund + artist + commission).toBe(held);
        expect([refund, artist, commission].every(isWhole)).toBe(true);
        const isFree =
          whose !== "promoter" ||
          (at.hoursSincePaid < policy.coolingOff.hours && at.daysBefore >= policy.coolingOff.unlessDaysBeforeBelow);
        // A step applies from its day on. The last one applies to all later days, also after the show.
        const reached = policy.steps.filter(
          (_step, index) => index === 0 || at.daysBefore < (policy.steps[index - 1]?.daysBeforeAtLeast ?? 0),
        );
        const owed = Math.max(
          0,
          ...reached.map(
            (step) =>
              halfUp(quote.deposit_cents, step.depositBps, 10_000) +
              halfUp(quote.balance_cents, step.balanceBps, 10_000) +
              halfUp(quote.fee_cents, step.feeBps, 10_000),
          ),
        );
        const kept = isFree ? 0 : Math.min(held, owed);
        expect([artist + commission, commission]).toEqual([kept, halfUp(kept, quote.commission_bps, 10_000)]);
        if (whose === "promoter") expect(cancellationFee(policy, { ...quote, paid: held }, at)).toBe(kept);
      }),
      runs(15),
    );
  });

  test("refund no more than each charge, and reverse every transfer with the last refund", () => {
    const later = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(booking, fault, when, later, ({ quote, policy, charges, held }, whose, at, permilles) => {
        const { refund, artist, commission } = divisionOf({ ...quote, policy, held }, whose, at);
        const refunded = takeFromLast(refund, charges);
        const left = charges.map((charge, index) => charge - (refunded[index] ?? 0));
        const transfers = splitByLargestRemainder(artist, left);
        expect(transfers.every((transfer, index) => transfer <= (left[index] ?? -1))).toBe(true);
        // Refunds in the provider's dashboard reduce the artist's and the platform's parts to nothing.
        const has = [artist, commission];
        const reversed = transfers.map(() => 0);
        const takeBack = (wanted: number) => {
          const shares = splitByLargestRemainder(wanted, has);
          shares.forEach((share, index) => (has[index] = (has[index] ?? 0) - share));
          const open = transfers.map((transfer, index) => transfer - (reversed[index] ?? 0));
          const back = splitByLargestRemainder(shares[0] ?? 0, open);
          back.forEach((share, index) => (reversed[index] = (reversed[index] ?? 0) + share));
          expect([sum(shares), sum(back)]).toEqual([wanted, shares[0] ?? 0]);
        };
        for (const permille of permilles) takeBack(Math.floor((sum(has) * permille) / 1_000));
        takeBack(sum(has));
        expect(has).toEqual([0, 0]);
        expect(reversed).toEqual(transfers);
      }),
      runs(40),
    );
  });
});
