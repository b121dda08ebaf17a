import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatMoney,
  formatMoneyExact,
  isAmount,
  maxAmount,
  shareHalfUp,
  bpsHalfUp,
  splitByLargestRemainder,
} from "#platform/money.rules.ts";
import {
  checkoutMinutes,
  type Currency,
  currencies,
  demoFee,
  displayedPaymentStatus,
  checkoutStates,
  type CheckoutState,
  type CheckoutStep,
  isCurrency,
  nextCheckoutState,
  paymentLabel,
  splitCommission,
  splitPrice,
} from "../rules.ts";

const amount = fc.integer({ min: 0, max: maxAmount });
const currency = fc.constantFrom(...(Object.keys(currencies) as Currency[]));

describe("money rules", () => {
  test("splits a price into deposit and balance that add up and are large enough to charge", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 100 }), currency, (price, percent, of) => {
        const { deposit, balance } = splitPrice(price, percent, of);
        const { min } = currencies[of];
        expect([deposit + balance, isAmount(deposit), isAmount(balance)]).toEqual([price, true, true]);
        expect(balance === 0 || balance >= min).toBe(true);
        expect(deposit === 0 || deposit === price || deposit >= min).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  test("rounds the deposit percentage half up", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: maxAmount }), fc.integer({ min: 1, max: 99 }), (price, percent) => {
        const exact = BigInt(price) * BigInt(percent);
        const rounded = Number((exact + 50n) / 100n);
        expect(splitPrice(price, percent, "usd").deposit).toBe(rounded);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    [150_000, 25, { deposit: 37_500, balance: 112_500 }],
    [10_002, 25, { deposit: 2_501, balance: 7_501 }],
    [10_001, 25, { deposit: 2_500, balance: 7_501 }],
    [150_000, 0, { deposit: 0, balance: 150_000 }],
    [150_000, 100, { deposit: 150_000, balance: 0 }],
    [0, 25, { deposit: 0, balance: 0 }],
    [197, 25, { deposit: 197, balance: 0 }],
    [200, 25, { deposit: 50, balance: 150 }],
    [200, 75, { deposit: 150, balance: 50 }],
    [197, 75, { deposit: 197, balance: 0 }],
  ])("splits %i at %i percent", (price, percent, parts) => {
    expect(splitPrice(price, percent, "usd")).toEqual(parts);
  });

  test("splits the retained amount into commission and the artist's share", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (kept, bps) => {
        const { commission, artist } = splitCommission(kept, bps);
        const rounded = Number((BigInt(kept) * BigInt(bps) + 5_000n) / 10_000n);
        expect({ commission, artist }).toEqual({ commission: rounded, artist: kept - rounded });
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, maxAmount + 1])(
    "throws a RangeError for the amount %s",
    (wrong) => {
      expect(isAmount(wrong)).toBe(false);
      expect(() => splitPrice(wrong, 25, "usd")).toThrow(RangeError);
      expect(() => splitCommission(wrong, 1_000)).toThrow(RangeError);
      expect(() => shareHalfUp(wrong, 1, 2)).toThrow(RangeError);
    },
  );

  test("rounds every share half up, regardless of the denominator", () => {
    const denominator = fc.constantFrom(2, 3, 100, 1_000, 10_000);
    fc.assert(
      fc.property(amount, denominator, fc.nat(10_000), (whole, parts, seed) => {
        const numerator = seed % (parts + 1);
        const exact = 2n * BigInt(whole) * BigInt(numerator) + BigInt(parts);
        expect(shareHalfUp(whole, numerator, parts)).toBe(Number(exact / (2n * BigInt(parts))));
      }),
      { numRuns: 20_000 },
    );
    expect([shareHalfUp(1, 1, 2), shareHalfUp(3, 1, 2), shareHalfUp(1, 1, 3), bpsHalfUp(50, 100)]).toEqual([
      1, 2, 0, 1,
    ]);
  });

  test.each([
    [3, 2],
    [1, 0],
    [1, 10_001],
    [0.5, 1],
    [-1, 2],
    [1, 1.5],
  ])("throws a RangeError for the share %s of %s", (numerator, denominator) => {
    expect(() => shareHalfUp(100, numerator, denominator)).toThrow(RangeError);
  });

  test("formats cents only if there are any, and always in the exact format", () => {
    expect([formatMoney(150_000, "usd"), formatMoney(150_050, "usd"), formatMoney(0, "eur")]).toEqual([
      "$1,500",
      "$1,500.50",
      "€0",
    ]);
    expect([formatMoneyExact(150_000, "usd"), formatMoneyExact(5, "gbp")]).toEqual(["$1,500.00", "£0.05"]);
  });

  test.each([-1, 101, 0.5, Number.NaN])("throws a RangeError for %s percent", (wrong) => {
    expect(() => splitPrice(100, wrong, "usd")).toThrow(RangeError);
  });

  test("accepts the maximum amount, and no more", () => {
    expect([isAmount(0), isAmount(maxAmount), isAmount(maxAmount + 1)]).toEqual([true, true, false]);
    expect(splitCommission(maxAmount, 10_000)).toEqual({ commission: maxAmount, artist: 0 });
    expect(demoFee(37_500)).toBe(1_118);
  });

  test("accepts only the listed two-decimal currencies", () => {
    expect(["usd", "eur", "gbp"].every(isCurrency)).toBe(true);
    for (const other of ["jpy", "kwd", "USD", "", "constructor", "__proto__"]) expect(isCurrency(other)).toBe(false);
  });
});

describe("payment statuses", () => {
  test("displays a waiting payment as Pending Payment, and an unknown status unchanged", () => {
    const label = (status: string) => paymentLabel(displayedPaymentStatus({ status, declined: false }));
    expect(["requires_payment_method", "succeeded", "refunded"].map(label)).toEqual([
      "Pending Payment",
      "Succeeded",
      "Refunded",
    ]);
    expect(["processing", "toString"].map(label)).toEqual(["processing", "toString"]);
  });

  test("displays a failed payment as Failed if the bank declined it, else as Not paid", () => {
    const label = (declined: boolean) => paymentLabel(displayedPaymentStatus({ status: "failed", declined }));
    expect([label(true), label(false)]).toEqual(["Failed", "Not paid"]);
  });

  test("allows exactly the transitions of the table", () => {
    const states = Object.keys(checkoutStates) as CheckoutState[];
    const steps: CheckoutStep[] = ["open", "pay", "end", "refund", "refundFailed"];
    const found = states
      .flatMap((state) =>
        steps.flatMap((step) => nextCheckoutState(state, step) && `${state} ${step} ${nextCheckoutState(state, step)}`),
      )
      .filter(Boolean);
    expect(found).toEqual([
      "reserved open open",
      "reserved pay paid",
      "reserved end closed",
      "open pay paid",
      "open end closed",
      "paid refund closed",
      "closed pay paid",
      "closed refundFailed paid",
    ]);
  });

  test("expires a checkout one minute after the displayed time", () => {
    expect(checkoutMinutes).toEqual({ shown: 30, expires: 31 });
  });
});

describe("splitByLargestRemainder", () => {
  const amount = fc.integer({ min: 0, max: maxAmount });
  const split = fc.array(amount, { maxLength: 6 }).chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      total: fc.integer({
        min: 0,
        max: Math.min(
          maxAmount,
          parts.reduce((sum, part) => sum + part, 0),
        ),
      }),
    }),
  );

  test("assigns the whole total, no part more than itself, each within one unit of its exact share", () => {
    fc.assert(
      fc.property(split, ({ parts, total }) => {
        const shares = splitByLargestRemainder(total, parts);
        const whole = parts.reduce((sum, part) => sum + part, 0);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole === 0 ? 0 : total);
        for (const [index, part] of parts.entries()) {
          const share = shares[index] ?? -1;
          expect(share).toBeLessThanOrEqual(part);
          const distance = BigInt(share) * BigInt(whole) - BigInt(total) * BigInt(part);
          expect(distance < BigInt(whole) || whole === 0).toBe(true);
          expect(distance > -BigInt(whole) || whole === 0).toBe(true);
        }
      }),
    );
  });

  test("assigns the odd cent to the largest remainder, and to the first of equal ones", () => {
    expect(splitByLargestRemainder(56_250, [37_500, 112_500])).toEqual([14_063, 42_187]);
    expect(splitByLargestRemainder(1, [1, 1])).toEqual([1, 0]);
    expect(splitByLargestRemainder(2, [1, 4])).toEqual([0, 2]);
    expect(() => splitByLargestRemainder(3, [1, 1])).toThrow(RangeError);
    expect(() => splitByLargestRemainder(1, [-1, 2])).toThrow(RangeError);
  });
});
