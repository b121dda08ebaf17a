import { describe, expect, test } from "vitest";
import { exceptionsWith, isException, isNightOpen } from "./night.rules.ts";

const today = "2027-02-10";
// 13 February 2027 is a Saturday.
type Pattern = Parameters<typeof exceptionsWith>[0];
const pattern: Pattern = { openNights: ["fri", "sat"], nightExceptions: [] };
const change = (nights: string[], open: boolean, from: Pattern = pattern) => ({
  ...from,
  nightExceptions: exceptionsWith(from, { nights, open, today }),
});

describe("exceptionsWith", () => {
  test("stores only the nights that differ from their weekday", () => {
    const changed = change(["2027-02-14", "2027-02-13", "2027-02-11"], true);
    expect(changed.nightExceptions).toEqual([
      { night: "2027-02-11", open: true },
      { night: "2027-02-14", open: true },
    ]);
    expect(isNightOpen("2027-02-11", changed)).toBe(true);
    expect([isException("2027-02-11", changed), isException("2027-02-13", changed)]).toEqual([true, false]);
  });

  test("removes the exception of a night that equals its weekday again, and past ones", () => {
    const before = {
      ...pattern,
      nightExceptions: [
        { night: "2027-02-09", open: true },
        { night: "2027-02-13", open: false },
        { night: "2027-02-14", open: true },
      ],
    };
    expect(change(["2027-02-13"], true, before).nightExceptions).toEqual([{ night: "2027-02-14", open: true }]);
    expect(change(["2027-02-14"], false, before).nightExceptions).toEqual([{ night: "2027-02-13", open: false }]);
  });
});
