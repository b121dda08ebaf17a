import { describe, expect, test } from "vitest";
import type { CalendarEntry } from "../../../lib/api/artist/calendar.ts";
import { clockMinutes, hoursOf, mondayOf, nightColumn } from "./week-layout.ts";

const chicago = { zone: "America/Chicago", nightEndsAt: "06:00" };
let count = 0;
const entry = (night: string, from: string, to: string, more: Partial<CalendarEntry> = {}): CalendarEntry => ({
  kind: "show",
  venue: null,
  id: `entry-${(count += 1)}`,
  title: "Whitt",
  starts_at: from,
  ends_at: to,
  night,
  last_night: night,
  time_zone: "America/Chicago",
  booking_id: null,
  hold: null,
  status: null,
  conflict: false,
  ...more,
});
const held = (rank: number, from: string, to: string) =>
  entry("2027-02-12", from, to, { kind: "hold", hold: { id: `hold-${rank}`, rank, challenged: false } });
const timesOf = (entries: CalendarEntry[], night: string) =>
  nightColumn(entries, night, chicago).blocks.map(({ from, to, lane, lanes }) => [from / 60, to / 60, lane, lanes]);

test("mondayOf returns the first day of the week", () => {
  expect(["2027-02-08", "2027-02-14", "2027-02-15"].map(mondayOf)).toEqual(["2027-02-08", "2027-02-08", "2027-02-15"]);
});

describe("nightColumn", () => {
  test("draws a show past midnight in its evening, and one beyond the end of the night in both nights", () => {
    const late = entry("2027-02-13", "2027-02-13T23:30:00-06:00", "2027-02-14T02:00:00-06:00");
    expect(timesOf([late], "2027-02-13")).toEqual([[23.5, 26, 0, 1]]);
    expect(timesOf([late], "2027-02-14")).toEqual([]);
    const long = { ...late, ends_at: "2027-02-14T08:00:00-06:00", last_night: "2027-02-14" };
    expect(timesOf([long], "2027-02-13")).toEqual([[23.5, 30, 0, 1]]);
    expect(timesOf([long], "2027-02-14")).toEqual([[6, 8, 0, 1]]);
  });

  test("uses the time of the artist's zone on daylight saving days", () => {
    // 14 March 2027: 02:00 is skipped. 7 November 2027: 01:00 to 02:00 exists twice.
    const spring = entry("2027-03-13", "2027-03-14T01:00:00-06:00", "2027-03-14T03:30:00-05:00");
    expect(timesOf([spring], "2027-03-13")).toEqual([[25, 27.5, 0, 1]]);
    const after = entry("2027-03-14", "2027-03-14T20:00:00-05:00", "2027-03-14T23:00:00-05:00");
    expect(timesOf([after], "2027-03-14")).toEqual([[20, 23, 0, 1]]);
    const autumn = entry("2027-11-06", "2027-11-07T01:30:00-05:00", "2027-11-07T01:15:00-06:00");
    expect(timesOf([autumn], "2027-11-06")).toEqual([[25.5, 26.5, 0, 1]]);
    expect(clockMinutes(new Date("2027-11-07T01:15:00-06:00"), "2027-11-06", chicago.zone)).toBe(25 * 60 + 15);
  });

  test("separates blocked nights and whole days of other calendars from the hours", () => {
    const blocked = entry("2027-02-12", "2027-02-12T06:00:00-06:00", "2027-02-14T06:00:00-06:00", {
      kind: "blocked",
      last_night: "2027-02-13",
    });
    const day = entry("2027-02-13", "2027-02-13T00:00:00-06:00", "2027-02-14T00:00:00-06:00", { kind: "external" });
    const { allNight, blocks } = nightColumn([blocked, day], "2027-02-13", chicago);
    expect([allNight, blocks]).toEqual([[blocked, day], []]);
    expect(nightColumn([blocked, day], "2027-02-12", chicago).allNight).toEqual([blocked]);
  });

  test("places overlapping entries side by side, and groups the holds of one time into one block", () => {
    const show = entry("2027-02-12", "2027-02-12T20:00:00-06:00", "2027-02-12T23:00:00-06:00");
    const early = entry("2027-02-12", "2027-02-12T18:00:00-06:00", "2027-02-12T20:30:00-06:00", { kind: "external" });
    const next = entry("2027-02-12", "2027-02-12T23:00:00-06:00", "2027-02-13T00:00:00-06:00");
    expect(timesOf([show, next, early], "2027-02-12")).toEqual([
      [18, 20.5, 0, 2],
      [20, 23, 1, 2],
      [23, 24, 0, 1],
    ]);
    const at = ["2027-02-12T20:00:00-06:00", "2027-02-12T23:00:00-06:00"] as const;
    const { blocks } = nightColumn([held(1, ...at), held(2, ...at)], "2027-02-12", chicago);
    expect(blocks.map(({ entries }) => entries.map(({ hold }) => hold?.rank))).toEqual([[1, 2]]);
  });
});

test("hoursOf returns 14:00 to 02:00, and extends it for earlier or later entries", () => {
  const columns = (entries: CalendarEntry[]) => [nightColumn(entries, "2027-02-12", chicago)];
  expect(hoursOf(columns([]))).toEqual({ first: 14, last: 26 });
  const work = entry("2027-02-12", "2027-02-12T09:15:00-06:00", "2027-02-12T17:00:00-06:00", { kind: "external" });
  const late = entry("2027-02-12", "2027-02-13T01:00:00-06:00", "2027-02-13T03:15:00-06:00");
  expect(hoursOf(columns([work, late]))).toEqual({ first: 9, last: 28 });
});
