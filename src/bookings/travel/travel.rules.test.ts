import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { describeLongDrive, longDriveBetween, longDrivesOf, type PlacedShow } from "./travel.rules.ts";

const austin = { name: "Austin, Texas", lat: 30.27, lon: -97.74 };
const dallas = { name: "Dallas, Texas", lat: 32.78, lon: -96.8 };
const berlin = { name: "Berlin, Germany", lat: 52.52, lon: 13.41 };
const kmh = { travelSpeed: 80, travelSpeedUnit: "kmh" } as const;
const mph = { travelSpeed: 50, travelSpeedUnit: "mph" } as const;

const show = (id: string, from: string, to: string, more: Partial<PlacedShow> = {}): PlacedShow => ({
  id,
  isRequest: false,
  date: from.slice(0, 10),
  zone: "America/Chicago",
  startsAt: new Date(`${from}:00-06:00`),
  endsAt: new Date(`${to}:00-06:00`),
  town: austin,
  ...more,
});
const friday = show("friday", "2027-02-12T20:00", "2027-02-12T23:00");
const inDallas = (from: string, more: Partial<PlacedShow> = {}) =>
  show("dallas", from, "2027-02-13T23:00", { town: dallas, ...more });

describe("longDriveBetween", () => {
  test("compares the drive with the time between two shows, in both units", () => {
    // 182 miles, 293 km: at 80 km/h 3 h 40 min, at 50 mph 3 h 39 min.
    const early = inDallas("2027-02-13T02:38");
    expect(longDriveBetween(friday, early, kmh)).toEqual({ distance: 293, neededMinutes: 220, availableMinutes: 218 });
    expect(longDriveBetween(friday, early, mph)).toEqual({ distance: 182, neededMinutes: 219, availableMinutes: 218 });
    expect(longDriveBetween(friday, inDallas("2027-02-13T02:40"), kmh)).toBeNull();
    expect(longDriveBetween(friday, early, { ...kmh, travelSpeed: 120 })).toBeNull();
  });

  test("returns null within one town, and always a drive for overlapping shows in two towns", () => {
    expect(longDriveBetween(friday, show("late", "2027-02-12T22:00", "2027-02-13T01:00"), kmh)).toBeNull();
    expect(longDriveBetween(friday, inDallas("2027-02-12T22:00"), kmh)?.availableMinutes).toBe(0);
  });

  test("returns no drive at a higher speed or with more time if there was none before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 149 }), fc.integer({ min: 0, max: 600 }), (travelSpeed, minutes) => {
        const next = (more: number) =>
          inDallas("2027-02-13T00:00", { startsAt: new Date(friday.endsAt.getTime() + more * minuteMs) });
        const warns = (speed: number, more: number) =>
          longDriveBetween(friday, next(more), { travelSpeed: speed, travelSpeedUnit: "kmh" }) !== null;
        if (!warns(travelSpeed, minutes))
          expect([warns(travelSpeed + 1, minutes), warns(travelSpeed, minutes + 1)]).toEqual([false, false]);
      }),
    );
  });
});

describe("longDrivesOf", () => {
  const idsOf = (all: readonly PlacedShow[]) => longDrivesOf(all, kmh).map(({ first, next }) => [first.id, next.id]);

  test("compares only neighboring shows, regardless of the input order", () => {
    const early = inDallas("2027-02-13T01:00", { endsAt: new Date("2027-02-13T02:00:00-06:00") });
    const late = show("late", "2027-02-13T03:00", "2027-02-13T05:00");
    expect(idsOf([late, friday, early])).toEqual([
      ["friday", "dallas"],
      ["dallas", "late"],
    ]);
  });

  test("compares a request with the shows before and after it, and not with other requests", () => {
    const request = (id: string, town: PlacedShow["town"]) =>
      show(id, "2027-02-13T00:00", "2027-02-13T01:00", { isRequest: true, town });
    const next = show("next", "2027-02-13T20:00", "2027-02-13T23:00");
    expect(idsOf([friday, request("a", dallas), request("b", berlin), next])).toEqual([
      ["friday", "a"],
      ["friday", "b"],
      ["b", "next"],
    ]);
  });
});

test("describeLongDrive names both shows, the distance and both times", () => {
  const next = inDallas("2027-02-13T02:00");
  const drive = longDriveBetween(friday, next, kmh);
  expect(drive && describeLongDrive(friday, next, drive, kmh)).toBe(
    "Fri 12 Feb in Austin, Texas ends at 23:00, and Sat 13 Feb in Dallas, Texas begins at 02:00. " +
      "The distance is 293 km in a straight line. At 80 km/h the drive takes 3 h 40 min, and there is 3 h between the shows.",
  );
});
