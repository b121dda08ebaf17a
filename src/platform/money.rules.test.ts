import { describe, expect, test } from "vitest";
import { chargeable, currencies, type Currency, defaultCurrency, isCurrency } from "#payments/rules.ts";
import {
  amountIn,
  convertPart,
  formatMoney,
  formatPercent,
  includedTax,
  maxAmount,
  requireAmount,
  shareHalfUp,
  splitByLargestRemainder,
  splitOver,
  takeFromLast,
  totalLeft,
} from "./money.rules.ts";

describe("refused amounts", () => {
  test.each<[string, () => unknown, string]>([
    ["an amount with half a cent", () => requireAmount(0.5), "0.5 is not an amount in minor units"],
    ["more than the whole", () => shareHalfUp(1, 3, 2), "3/2 is not a share"],
    ["a share of no parts", () => shareHalfUp(1, 0, 0), "0 parts are too many or none"],
    ["too many parts", () => shareHalfUp(1, 1, 10_001), "10001 parts are too many or none"],
    ["a total that is no amount", () => splitByLargestRemainder(-1, [1, 1]), "-1 is not an amount in minor units"],
    ["a total of half a cent", () => splitByLargestRemainder(0.5, [1, 1]), "0.5 is not an amount in minor units"],
    ["a rate above the whole", () => includedTax(1, 10_001), "10001 is not a rate in basis points"],
    ["a negative rate", () => includedTax(1, -1), "-1 is not a rate in basis points"],
    ["a rate of half a basis point", () => includedTax(1, 0.5), "0.5 is not a rate in basis points"],
    ["the tax of a negative amount", () => includedTax(-1, 1), "-1 is not an amount in minor units"],
    ["a part above the whole", () => convertPart(2, 1, 1), "2 of 1 is not a part of an amount"],
    ["a part of nothing", () => convertPart(0, 0, 1), "0 of 0 is not a part of an amount"],
    ["a negative part", () => convertPart(-1, 1, 1), "-1 of 1 is not a part of an amount"],
    ["a part of half a cent", () => convertPart(0.5, 1, 1), "0.5 of 1 is not a part of an amount"],
    ["a part of a negative conversion", () => convertPart(1, 1, -1), "1 of 1 is not a part of an amount"],
    ["an amount above the parts", () => takeFromLast(3, [1, 1]), "3 is more than the parts have together"],
    ["a negative amount to take", () => takeFromLast(-1, [1]), "-1 is not an amount in minor units"],
    ["a negative part to take from", () => takeFromLast(0, [-1]), "-1 is not an amount in minor units"],
    ["a total above the parts", () => splitByLargestRemainder(3, [1, 1]), "3 is more than the parts have together"],
  ])("throws %s", (_title, act, message) => expect(act).toThrow(new RangeError(message)));
});

test("gives the whole to one part, and accepts at most ten thousand parts", () => {
  expect([shareHalfUp(7, 1, 1), shareHalfUp(7, 0, 1), shareHalfUp(10_000, 1, 10_000)]).toEqual([7, 0, 1]);
});

test("accepts the whole rate, no tax, nothing converted and the whole converted", () => {
  expect([includedTax(200, 10_000), includedTax(200, 0)]).toEqual([100, 0]);
  expect([convertPart(0, 1, 7), convertPart(3, 3, 7), convertPart(1, 3, 0), convertPart(2, 3, 7)]).toEqual([
    0, 7, 0, 4,
  ]);
});

test("gives the units to the earlier of equal remainders, for any number of parts", () => {
  expect(splitByLargestRemainder(2, [1, 1, 1, 1])).toEqual([1, 1, 0, 0]);
  expect(splitByLargestRemainder(3, [5, 5, 5, 5])).toEqual([1, 1, 1, 0]);
  expect(splitByLargestRemainder(0, [0, 0])).toEqual([0, 0]);
  expect(splitByLargestRemainder(maxAmount, [maxAmount, maxAmount])).toEqual([
    (maxAmount + 1) / 2,
    (maxAmount - 1) / 2,
  ]);
});

test("takes from the last part first, and from an earlier one only what is missing", () => {
  expect(takeFromLast(56_250, [37_500, 112_500])).toEqual([0, 56_250]);
  expect(takeFromLast(120_000, [37_500, 112_500])).toEqual([7_500, 112_500]);
  expect(takeFromLast(5, [4, 0, 3])).toEqual([2, 0, 3]);
  expect(takeFromLast(0, [])).toEqual([]);
});

test("splits over what is left of each part, a tie to the earlier one, without the parts that get nothing", () => {
  const parts = [
    { id: "first", left: 3 },
    { id: "empty", left: 0 },
    { id: "last", left: 7 },
  ];
  const sharesOf = (...of: Parameters<typeof splitOver<(typeof parts)[number]>>) =>
    splitOver(...of).map(({ id, left, share }) => [id, left, share]);
  expect(sharesOf(5, parts)).toEqual([
    ["first", 3, 2],
    ["last", 7, 3],
  ]);
  expect(sharesOf(1, parts)).toEqual([["last", 7, 1]]);
  expect(sharesOf(7, parts, takeFromLast)).toEqual([["last", 7, 7]]);
  expect([totalLeft(parts), totalLeft([])]).toEqual([10, 0]);
});

test("finds the sum of a currency, and none of another one", () => {
  const sums = [
    { currency: "eur", amount: 100 },
    { currency: "usd", amount: 250 },
  ];
  expect(["usd", "eur", "gbp"].map((currency) => amountIn(sums, currency))).toEqual([250, 100, 0]);
});

test("leaves a price below the least charge of its currency to manual payment, and charges the least itself", () => {
  for (const [currency, { min }] of Object.entries(currencies) as [Currency, { min: number }][])
    expect([min - 1, min, min + 1].map((price) => chargeable(price, currency))).toEqual([0, min, min + 1]);
});

test("defaults to US dollars, and formats further amounts with the cached format", () => {
  expect(defaultCurrency).toBe("usd");
  expect(isCurrency(defaultCurrency)).toBe(true);
  expect([formatPercent(25), formatPercent(825 / 100)]).toEqual(["25%", "8.25%"]);
  expect([formatMoney(100, "usd"), formatMoney(200, "usd"), formatMoney(205, "usd")]).toEqual(["$1", "$2", "$2.05"]);
});
