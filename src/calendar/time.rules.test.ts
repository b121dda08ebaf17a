import { describe, expect, test } from "vitest";
import { isDay } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { nightEnd } from "./night.rules.ts";
import { dayStart, eventSpan, instantOf, nearbyDays, sameDaysIn } from "./time.rules.ts";

const show = (date: string, time: string, zone: string, minutes = 180) => eventSpan({ date, time, zone, minutes });

describe("the instant of a show", () => {
  const table: [string, string, string, string][] = [
    ["2027-02-13", "20:30", "America/Chicago", "2027-02-14T02:30:00.000Z"],
    ["2027-07-01", "20:30", "America/Chicago", "2027-07-02T01:30:00.000Z"],
    ["2027-03-28", "03:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    // Doubled: the earlier one.
    ["2027-10-31", "02:30", "Europe/Berlin", "2027-10-31T00:30:00.000Z"],
    ["2027-11-07", "01:30", "America/New_York", "2027-11-07T05:30:00.000Z"],
    ["2027-04-04", "01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00.000Z"],
    ["2026-12-31", "23:59", "Pacific/Kiritimati", "2026-12-31T09:59:00.000Z"],
    ["2028-02-29", "12:00", "Asia/Kathmandu", "2028-02-29T06:15:00.000Z"],
  ];
  test.each(table)("reads %s %s in %s as %s", (date, time, zone, starts) => {
    const span = show(date, time, zone);
    expect("startsAt" in span && span.startsAt.toISOString()).toBe(starts);
  });

  test.each([
    ["2027-03-28", "02:30", "Europe/Berlin", "2027-03-28", "03:00"],
    ["2027-03-14", "02:00", "America/New_York", "2027-03-14", "03:00"],
    ["2027-10-03", "02:15", "Australia/Lord_Howe", "2027-10-03", "02:30"],
    ["2011-12-30", "20:00", "Pacific/Apia", "2011-12-31", "00:00"],
    ["2027-09-05", "00:30", "America/Santiago", "2027-09-05", "01:00"],
  ])("refuses %s %s in %s as missing, with the next valid time %s %s", (date, time, zone, nextDate, nextTime) => {
    const span = show(date, time, zone);
    if (!("missing" in span)) throw new Error("the time was accepted");
    expect(span.missing.nextValid).toEqual({ date: nextDate, time: nextTime });
    expect(span.missing.message).toContain(`The next valid time is ${nextTime}`);
  });

  test("retains the length of a show over the night in which clocks go back", () => {
    const span = show("2027-10-30", "23:30", "Europe/Berlin", 300);
    if (!("startsAt" in span)) throw new Error("refused");
    expect(span.endsAt.getTime() - span.startsAt.getTime()).toBe(300 * minuteMs);
  });
});

test("accepts only days of the calendar", () => {
  expect(isDay("2028-02-29")).toBe(true);
  for (const text of ["2027-02-29", "2027-13-01", "2027-1-1", "20270101", "2027-02-13T00:00", "", "2027-00-10"])
    expect(isDay(text), text).toBe(false);
});

test("describes nearby days relative to the requested one", () => {
  const days = nearbyDays("2027-02-20");
  expect(days[0]).toEqual({ date: "2027-02-21", reason: "the day after" });
  expect(days[1]).toEqual({ date: "2027-02-19", reason: "the day before" });
  expect(days.find((day) => day.date === "2027-02-13")?.reason).toBe("the Saturday before");
  expect(days.find((day) => day.date === "2027-02-06")?.reason).toBe("two Saturdays before");
});

describe("instantOf", () => {
  test.each([
    ["2027-03-28T01:59", "Europe/Berlin", "2027-03-28T00:59:00.000Z"],
    // In the gap of 02:00 to 03:00, wherever.
    ["2027-03-28T02:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["2027-03-28T02:59", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["2027-10-03T02:15", "Australia/Lord_Howe", "2027-10-02T15:30:00.000Z"],
    ["2027-09-05T00:30", "America/Santiago", "2027-09-05T04:00:00.000Z"],
    // Twice: the earlier one.
    ["2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:30:00.000Z"],
  ])("returns for %s in %s the instant %s", (local, zone, instant) => {
    expect(instantOf(local, zone).toISOString()).toBe(instant);
  });

  test("agrees with the end of a night and the start of a day", () => {
    expect(nightEnd("2027-03-13", "America/Chicago", "02:30")).toEqual(new Date("2027-03-14T08:00:00Z"));
    expect(instantOf("2027-09-05T00:00", "America/Santiago")).toEqual(dayStart("America/Santiago", "2027-09-05"));
  });
});

describe("sameDaysIn", () => {
  const [chicago, berlin] = ["America/Chicago", "Europe/Berlin"];
  const span = (from: string, to: string, zone: string) => ({ from: instantOf(from, zone), to: instantOf(to, zone) });

  test.each([
    // Clocks go forward in Chicago on the 14th, in Berlin on the 28th.
    ["2027-03-13T06:00", "2027-03-15T06:00"],
    ["2027-03-27T06:00", "2027-03-29T06:00"],
    ["2027-10-30T00:00", "2027-11-08T00:00"],
    ["2027-07-10T00:00", "2027-07-11T00:00"],
    // A night's end that clocks skip on its first or last day.
    ["2027-03-14T02:30", "2027-03-15T02:30"],
    ["2027-03-27T02:30", "2027-03-28T02:30"],
  ])("keeps the days from %s to %s in both directions", (from, to) => {
    const [there, here] = [span(from, to, chicago), span(from, to, berlin)];
    expect(sameDaysIn(there, { from: chicago, to: berlin })).toEqual(here);
    expect(sameDaysIn(here, { from: berlin, to: chicago })).toEqual(there);
  });

  test("returns undefined for a part of a day", () => {
    const part = span("2027-03-13T06:00", "2027-03-14T05:00", chicago);
    expect(sameDaysIn(part, { from: chicago, to: berlin })).toBeUndefined();
  });
});
