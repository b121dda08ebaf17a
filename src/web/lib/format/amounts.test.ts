import { expect, test } from "vitest";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { amountFormat, formatSums, parseCents } from "./amounts.ts";

test("shows cents for all amounts if one has cents", () => {
  expect(amountFormat([1000, 2000])(1000, "usd")).toBe("$10");
  expect(amountFormat([1000, 2050])(1000, "usd")).toBe("$10.00");
});

test("joins amounts of several currencies in one format", () => {
  const dollars = { currency: "usd", amount: 150_000 };
  expect(formatSums([dollars, { currency: "eur", amount: 20_000 }], "usd")).toBe("$1,500 + €200");
  expect(formatSums([dollars, { currency: "eur", amount: 20_050 }], "usd")).toBe("$1,500.00 + €200.50");
});

test("leaves out a currency without an amount, and joins negative amounts with a word", () => {
  const [dollars, euros] = [
    { currency: "usd", amount: 150_000 },
    { currency: "eur", amount: 0 },
  ];
  expect(formatSums([euros, dollars], "usd")).toBe("$1,500");
  expect(formatSums([euros, { ...dollars, amount: 0 }], "usd")).toBe("€0");
  expect(formatSums([dollars, { ...euros, amount: -500 }], "usd")).toBe("$1,500 and -€5");
});

test("formats no amount as a zero of the given currency", () => {
  expect(formatSums([], "eur")).toBe("€0");
  expect(formatSums([], "usd", formatMoneyExact)).toBe("$0.00");
});

test.each([
  ["120", 12_000],
  ["120.5", 12_050],
  ["120,50", 12_050],
  [" 1,120.50 ", 112_050],
  ["1,500", 150_000],
  ["999,999.99", 99_999_999],
  ["1,50,000", undefined],
  ["1.500,50", undefined],
  ["1,500,000", undefined],
  ["-5", undefined],
  ["", undefined],
])("reads the amount %j as %j cents", (text, cents) => {
  expect(parseCents(text)).toBe(cents);
});
