import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import {
  formatDayAndMonth,
  daysBetween,
  dayText,
  formatDay,
  formatWeekdayDate,
  formatMonthOf,
  readDay,
  addDays,
  dayIn,
  formatInstant,
  isDay,
  isTimeZone,
  timeIn,
  weekdayOf,
} from "./calendar.rules.ts";
import { dayMs } from "./durations.rules.ts";

const anyDay = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2399-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));

test("reads a date, and refuses one that does not exist", () => {
  expect(readDay("2028-02-29")).toEqual({ year: 2028, month: 2, day: 29 });
  for (const text of ["2027-02-29", "2027-13-01", "2027-00-10", "2027-04-31", "27-04-30", "2027-4-3", "", undefined])
    expect(readDay(text)).toBeUndefined();
  for (const text of ["0000-01-01", "0999-12-31", "10000-01-01"]) expect(isDay(text)).toBe(false);
});

test("describes a date with its weekday", () => {
  expect(formatDay("2027-02-13")).toBe("Saturday 13 February");
  expect(formatWeekdayDate("2027-02-13")).toBe("Sat 13 Feb 2027");
  expect(formatDayAndMonth("2027-01-16")).toBe("16 January");
  expect(formatMonthOf("2026-10-04")).toBe("October 2026");
  expect(formatDay("soon")).toBe("soon");
});

test("agrees with the calendar on weekdays, shifts and distances of any two dates", () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -800, max: 800 }), (text, days) => {
      const day = readDay(text);
      if (!day) throw new Error("every generated date exists");
      expect(dayText(day)).toBe(text);
      expect(weekdayOf(day)).toBe(new Date(`${text}T00:00:00Z`).getUTCDay());
      const other = new Date(Date.parse(`${text}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
      expect(addDays(text, days)).toBe(other);
      expect(daysBetween(text, other)).toBe(days);
    }),
  );
});

test("throws for arithmetic with a text that is no day", () => {
  expect(() => addDays("soon", 1)).toThrow(RangeError);
  expect(() => daysBetween("2027-02-13", "2027-02-30")).toThrow(RangeError);
});

test("returns the day and the time of any instant in any zone as the time zone database does", () => {
  const zones = [
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Europe/Berlin",
    "UTC",
  ];
  const instant = fc.date({ min: new Date("1970-01-01"), max: new Date("2399-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
      const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
      expect(dayIn(zone, at)).toBe(there.toPlainDate().toString());
      expect(timeIn(zone, at)).toBe(there.toPlainTime().toString({ smallestUnit: "minute" }));
    }),
  );
});

test("accepts a zone by its name only", () => {
  for (const zone of ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"]) expect(isTimeZone(zone)).toBe(true);
  for (const zone of ["", "Mars/Olympus", "+01:00", "Europe/Berlin ", "__proto__"])
    expect(isTimeZone(zone)).toBe(false);
});

test("describes an instant with its zone", () => {
  expect(formatInstant(new Date("2026-11-28T20:03:00Z"), "America/Chicago")).toBe(
    "Saturday 28 November 2026, 14:03 (US Central)",
  );
});
