import { describe, expect, test } from "vitest";
import { formatWeekdayDate } from "./days.rules.ts";
import { readTypedDay } from "./typed-day.rules.ts";

describe("readTypedDay", () => {
  test.each([
    "2027-02-13",
    " Sat 13 Feb 2027 ",
    "13 february 2027",
    "13th Feb 2027",
    "February 13, 2027",
    "Feb 13 2027",
    "13.2.2027",
    "13.02.2027",
    "2/13/2027",
    "13/2/2027",
    "13 Feb",
    "Saturday, 13 Feb",
  ])("reads %j", (text) => {
    expect(readTypedDay(text, "2026-11-24")).toBe("2027-02-13");
  });

  test.each([
    "",
    "13",
    "13 Feb 27",
    "30 Feb 2027",
    "13 Fib 2027",
    "2027-2",
    "13 Feb 14 2027",
    "13.14.2027",
    "1 2 3 Feb",
  ])("reads nothing in %j", (text) => {
    expect(readTypedDay(text, "2026-11-24")).toBeUndefined();
  });

  test("reads no day without a year if today is unknown", () => {
    expect(readTypedDay("13 Feb")).toBeUndefined();
    expect(readTypedDay("24 Nov", "2026-11-24")).toBe("2026-11-24");
    expect(readTypedDay("29 Feb", "2097-01-01")).toBe("2104-02-29");
  });

  test("reads what formatWeekdayDate writes", () => {
    expect(readTypedDay(formatWeekdayDate("2027-05-31"))).toBe("2027-05-31");
  });
});
