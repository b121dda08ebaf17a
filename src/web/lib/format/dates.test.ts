import { afterEach, expect, test } from "vitest";
import { formatPlatformDate, formatShortDate } from "./dates.ts";

test("formats a column's date without the weekday, the month abbreviated", () => {
  expect(formatShortDate("2026-09-29")).toBe("29 Sep 2026");
});

afterEach(() => {
  delete document.documentElement.dataset["timeZone"];
});

test.each([
  ["America/Los_Angeles", "28 Nov 2026"],
  ["Pacific/Kiritimati", "29 Nov 2026"],
])("returns the day of a payment in the platform's time zone %s", (zone, day) => {
  document.documentElement.dataset["timeZone"] = zone;
  expect(formatPlatformDate("2026-11-29T05:13:00Z")).toBe(day);
});
