import { expect, test } from "vitest";
import { formatShortDate } from "./dates.ts";

test("formats a column's date without the weekday, the month abbreviated", () => {
  expect(formatShortDate("2026-09-29")).toBe("29 Sep 2026");
});
