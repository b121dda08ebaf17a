import { describe, expect, test } from "vitest";
import { currencies } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { likelyRate, rateOf, rateProblem, rateText } from "./rates.ts";

test.each([
  ["1,500.00", 150_000],
  ["$1,500", 150_000],
  ["1.500,50", 150_050],
  ["1 500.5", 150_050],
  ["1500.", 150_000],
  ["12.5", 1250],
  ["150000", 150_000],
  ["0", 0],
  ["much", 0],
  ["", 0],
  ["999,999,999.00", 99_999_999],
])("rateOf reads %j as %d cents", (text, cents) => {
  expect(rateOf(text)).toBe(cents);
});

test.each([
  ["-5", "Enter an amount of 0 or more."],
  ["\u2212 $5.00", "Enter an amount of 0 or more."],
  ["99999999999999", "Enter at most 999,999.99."],
  ["1,000,000.00", "Enter at most 999,999.99."],
  ["1e5", "Enter an amount such as 1,500.00."],
  ["999,999.99", undefined],
  ["$1,500", undefined],
  ["12abc", "Enter an amount such as 1,500.00."],
  ["about 1,500", "Enter an amount such as 1,500.00."],
  ["1 500.5 EUR", undefined],
  ["US$1,500", undefined],
  ["1500 €", undefined],
  ["kr 1500", undefined],
  ["1500 kr.", undefined],
  ["1500kr", undefined],
  ["1500EUR", undefined],
  ["EUR1500", undefined],
  ["1k", "Enter an amount such as 1,500.00."],
  ["much", undefined],
  ["", undefined],
])("rateProblem of %j is %j", (text, problem) => {
  expect(rateProblem(text)).toBe(problem);
});

test.each(Object.keys(currencies))("rateProblem accepts an amount as it is displayed in %s", (currency) => {
  expect(rateProblem(formatMoney(150_000, currency))).toBeUndefined();
});

test("rateText writes text that rateOf reads", () => {
  for (const cents of [0, 5, 150_000, 99_999_999]) expect(rateOf(rateText(cents))).toBe(cents);
});

describe("likelyRate", () => {
  test.each([
    { cents: 1_500, stored: 150_000, meant: 150_000 },
    { cents: 2_000, stored: 150_000, meant: 200_000 },
    { cents: 15_000_000, stored: 150_000, meant: 150_000 },
    { cents: 100_000, stored: 150_000, meant: undefined },
    { cents: 1, stored: 150_000, meant: undefined },
    { cents: 0, stored: 150_000, meant: undefined },
    { cents: 1_500, stored: 0, meant: 150_000 },
    { cents: 150_000, stored: 0, meant: undefined },
  ])("returns $meant for $cents cents where $stored are stored", ({ cents, stored, meant }) => {
    expect(likelyRate(cents, stored, true)).toBe(meant);
  });
});
