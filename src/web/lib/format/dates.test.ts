import { afterEach, expect, test } from "vitest";
import { formatMoment, formatPlatformDate, formatRelativeMoment, formatShortDate } from "./dates.ts";

test("formats a column's date without the weekday, the month abbreviated", () => {
  expect(formatShortDate("2026-09-29")).toBe("29 Sep 2026");
});

test("names the year of a moment only if it is not the current one", () => {
  const now = new Date();
  const [other, same] = [`${now.getFullYear() - 1}-06-15T12:00:00`, `${now.getFullYear()}-06-15T12:00:00`];
  const year = ` ${now.getFullYear() - 1}`;
  expect(formatRelativeMoment(other)).toMatch(new RegExp(`^\\w{3} 15 Jun${year} 12:00$`));
  expect(formatMoment(other)).toMatch(new RegExp(`^\\w{3} 15 Jun${year}, 12:00$`));
  expect(formatRelativeMoment(same)).toMatch(/^(today|\w{3} 15 Jun) 12:00$/);
  expect(formatMoment(same)).toMatch(/^\w{3} 15 Jun, 12:00$/);
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
