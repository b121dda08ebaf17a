import { expect, test } from "vitest";
import { rateOf, rateText } from "./rates.ts";

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

test("rateText writes what rateOf reads", () => {
  for (const cents of [0, 5, 150_000, 99_999_999]) expect(rateOf(rateText(cents))).toBe(cents);
});
