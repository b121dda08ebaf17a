import { expect, test } from "vitest";
import { formatShortDate } from "./dates.ts";

test("a column shows a date without its weekday, the month abbreviated", () => {
  expect(formatShortDate("2026-09-29")).toBe("29 Sep 2026");
});
