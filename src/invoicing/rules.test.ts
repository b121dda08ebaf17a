import fc from "fast-check";
import { expect, test } from "vitest";
import { includedTax, maxAmount } from "#platform/money.rules.ts";
import { creditedTax, documentKinds, documentNames, documentNumber, noTax, taxOf } from "./rules.ts";

const gross = fc.integer({ min: 1, max: maxAmount });
const bps = fc.integer({ min: 0, max: 5_000 });

test("rounds the included tax once, half up, without changing the amount", () => {
  fc.assert(
    fc.property(gross, bps, (amount, rate) => {
      const whole = 10_000n + BigInt(rate);
      const exact = BigInt(amount) * BigInt(rate);
      const rounded = Number((2n * exact + whole) / (2n * whole));
      expect(includedTax(amount, rate)).toBe(rounded);
      expect(amount - rounded).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  [12_500, 2_500, 2_500],
  [11_900, 1_900, 1_900],
  [1, 5_000, 0],
  [3, 2_000, 1],
  [37_500, 0, 0],
])("returns the tax included in %i cents at %i basis points: %i", (amount, rate, tax) => {
  expect(includedTax(amount, rate)).toBe(tax);
});

test("throws a RangeError for an invalid amount or rate", () => {
  expect(() => includedTax(-1, 1_900)).toThrow(RangeError);
  expect(() => includedTax(1.5, 1_900)).toThrow(RangeError);
  expect(() => includedTax(100, -1)).toThrow(RangeError);
});

test("credits exactly the tax of a receipt in parts, and never more in between", () => {
  const parts = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(parts, bps, (amounts, rate) => {
      const whole = amounts.reduce((sum, one) => sum + one, 0);
      const original = { gross: whole, tax: includedTax(whole, rate), bps: rate };
      let before = { credited: 0, tax: 0 };
      for (const amount of amounts) {
        const tax = creditedTax(original, before, amount);
        expect(tax).toBeLessThanOrEqual(0);
        expect(Math.abs(tax)).toBeLessThanOrEqual(amount);
        before = { credited: before.credited + amount, tax: before.tax - tax };
        expect(before.tax).toBeLessThanOrEqual(original.tax);
      }
      expect(before).toEqual({ credited: whole, tax: original.tax });
    }),
    { numRuns: 5_000 },
  );
});

test("formats document numbers, and returns no tax without a label or rate", () => {
  expect([documentNumber("PF", 1), documentNumber("PF", 123_456)]).toEqual(["PF-00001", "PF-123456"]);
  expect(taxOf({ taxLabel: "VAT", taxBps: 1_900 }, true)).toEqual({ label: "VAT", bps: 1_900 });
  expect(taxOf({ taxLabel: "VAT", taxBps: 1_900 }, false)).toEqual(noTax);
  expect(taxOf({ taxLabel: "", taxBps: 1_900 }, true)).toEqual(noTax);
  expect(taxOf({ taxLabel: "VAT", taxBps: 0 }, true)).toEqual(noTax);
});

test("credits the printed tax in full although the rate differs", () => {
  const original = { gross: 10_000, tax: 1_700, bps: 1_900 };
  expect(creditedTax(original, { credited: 0, tax: 0 }, 10_000)).toBe(-1_700);
  expect(creditedTax(original, { credited: 4_000, tax: 639 }, 6_000)).toBe(-1_061);
  expect(creditedTax(original, { credited: 0, tax: 0 }, 9_999)).toBe(-includedTax(9_999, 1_900));
  expect(Object.is(creditedTax({ gross: 500, tax: 0, bps: 0 }, { credited: 0, tax: 0 }, 100), 0)).toBe(true);
});

test("names each kind of document", () => {
  expect(new Set(documentKinds.map((kind) => documentNames[kind]).filter(Boolean)).size).toBe(documentKinds.length);
  expect(noTax).toEqual({ label: "", bps: 0 });
});
