import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatDayAndMonth,
  daysBetween,
  dayText,
  formatDay,
  formatMonthOf,
  readDay,
  addDays,
  weekdayOf,
} from "../web/lib/format/dates.ts";

const anyDay = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2399-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));

test("a date is read, and one that does not exist is not", () => {
  expect(readDay("2028-02-29")).toEqual({ year: 2028, month: 2, day: 29 });
  for (const text of ["2027-02-29", "2027-13-01", "2027-00-10", "2027-04-31", "27-04-30", "2027-4-3", "", undefined])
    expect(readDay(text)).toBeUndefined();
});

test("a date is said with its weekday", () => {
  expect(formatDay("2027-02-13")).toBe("Saturday 13 February");
  expect(formatDay("2027-02-13", { short: true, year: true })).toBe("Sat 13 Feb 2027");
  expect(formatDayAndMonth("2027-01-16")).toBe("16 January");
  expect(formatMonthOf("2026-10-04")).toBe("October 2026");
  expect(formatDay("soon")).toBe("soon");
});

test("weekdays, shifts and distances agree with the calendar for any two dates", () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -800, max: 800 }), (text, days) => {
      const day = readDay(text);
      if (!day) throw new Error("every generated date exists");
      expect(dayText(day)).toBe(text);
      expect(weekdayOf(day)).toBe(new Date(`${text}T00:00:00Z`).getUTCDay());
      const other = new Date(Date.parse(`${text}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
      expect(addDays(text, days)).toBe(other);
      expect(daysBetween(text, other)).toBe(days);
    }),
  );
});
