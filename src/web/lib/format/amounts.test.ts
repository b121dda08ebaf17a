import { expect, test } from "vitest";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { amountFormat, formatSums } from "./amounts.ts";

test("shows cents for all amounts if one has cents", () => {
  expect(amountFormat([1000, 2000])(1000, "usd")).toBe("$10");
  expect(amountFormat([1000, 2050])(1000, "usd")).toBe("$10.00");
});

test("joins amounts of several currencies in one format", () => {
  const dollars = { currency: "usd", amount: 150_000 };
  expect(formatSums([dollars, { currency: "eur", amount: 20_000 }], "usd")).toBe("$1,500 + €200");
  expect(formatSums([dollars, { currency: "eur", amount: 20_050 }], "usd")).toBe("$1,500.00 + €200.50");
});

test("formats no amount as a zero of the given currency", () => {
  expect(formatSums([], "eur")).toBe("€0");
  expect(formatSums([], "usd", formatMoneyExact)).toBe("$0.00");
});
