/**
 * Generated cases of the money rules against a second, slow calculation in whole numbers of any size. TEST_DEEP=1 runs 1,000,000 of them;
 * every other run takes the fiftieth part.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxAmount, shareOf, splitByLargestRemainder } from "#platform/money.rules.ts";
import { currencies, type Currency, splitCommission, splitPrice } from "#payments/rules.ts";
import { type CancelFault, cancellationFee, divisionOf, policies, policyNames, quoteFor } from "../rules.ts";

const cases = process.env["TEST_DEEP"] === "1" ? 1_000_000 : 20_000;
const timeout = 20_000 + cases / 2;
/** The share of all cases that a property gets; the five shares are the whole. */
const runs = (percent: number) => ({ numRuns: (cases * percent) / 100 });

/** Small amounts and the neighbours of the cap come often: there the rounding decides. */
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

/** The method of the largest remainder as it is taught: whole parts first, then one unit each to the largest remainders. */
function taughtSplit(total: number, parts: readonly number[]): number[] {
  const whole = BigInt(sum(parts));
  if (whole === 0n) return parts.map(() => 0);
  const floors = parts.map((part) => (BigInt(total) * BigInt(part)) / whole);
  const remainders = parts.map((part, index) => BigInt(total) * BigInt(part) - (floors[index] ?? 0n) * whole);
  for (let left = BigInt(total) - floors.reduce((all, one) => all + one, 0n); left > 0n; left--) {
    const largest = remainders.reduce((most, one) => (one > most ? one : most), -1n);
    const index = remainders.indexOf(largest);
    floors[index] = (floors[index] ?? 0n) + 1n;
    remainders[index] = -1n;
  }
  return floors.map(Number);
}

/** What a booking was made on, and how much of it has been paid. */
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
  test("a share is the exact one rounded half up, and its rest is what is left", () => {
    const parts = fc.constantFrom(2, 3, 7, 100, 1_000, 9_999, 10_000);
    fc.assert(
      fc.property(amount, parts, fc.nat(10_000), (whole, denominator, seed) => {
        const numerator = seed % (denominator + 1);
        const share = shareOf(whole, numerator, denominator);
        expect(share).toBe(halfUp(whole, numerator, denominator));
        expect(isWhole(whole - share)).toBe(true);
      }),
      runs(15),
    );
  });

  test("deposit and balance are the price, commission and the artist's share are what is kept, and no part is too small to charge", () => {
    fc.assert(
      fc.property(amount, fc.nat(100), currency, bps, (price, percent, of, commissionBps) => {
        const { deposit, balance } = splitPrice(price, percent, of);
        expect([deposit + balance, isWhole(deposit), isWhole(balance)]).toEqual([price, true, true]);
        const { least } = currencies[of];
        expect(balance === 0 || balance >= least).toBe(true);
        if (deposit !== price) expect(deposit).toBe(halfUp(price, percent, 100));
        const { commission, artist } = splitCommission(price, commissionBps);
        expect([commission, artist]).toEqual([halfUp(price, commissionBps, 10_000), price - commission]);
      }),
      runs(15),
    );
  });

  test("a split is that of the largest remainder", () => {
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

  test("a cancellation gives every cent to one of three, the fee by the highest step that was reached", () => {
    fc.assert(
      fc.property(booking, fault, when, ({ quote, policy, held }, whose, at) => {
        const facts = { ...quote, policy, held };
        const { refund, artist, commission } = divisionOf(facts, whose, at);
        expect(refund + artist + commission).toBe(held);
        expect([refund, artist, commission].every(isWhole)).toBe(true);
        const isFree =
          whose !== "promoter" ||
          (at.hoursSincePaid < policy.coolingOff.hours && at.daysBefore >= policy.coolingOff.unlessDaysBeforeBelow);
        // A step counts from its day on; the last one is reached by everything that comes later, also after the show.
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

  test("from the charges to the last refund: no charge gives more than it took, and the last refund takes the rest", () => {
    const later = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(booking, fault, when, later, ({ quote, policy, charges, held }, whose, at, permilles) => {
        const { refund, artist, commission } = divisionOf({ ...quote, policy, held }, whose, at);
        const refunded = splitByLargestRemainder(refund, charges);
        const left = charges.map((charge, index) => charge - (refunded[index] ?? 0));
        const transfers = splitByLargestRemainder(artist, left);
        expect(transfers.every((transfer, index) => transfer <= (left[index] ?? -1))).toBe(true);
        // What the artist and the platform have gives way to refunds in the provider's dashboard, until nothing is left.
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
