import { describe, expect, test } from "vitest";
import { dayIn } from "#platform/time/calendar.rules.ts";
import { outsideLimits } from "./notice.rules.ts";

describe("notice and advance", () => {
  const limits = { minimumNotice: 7, maximumBookingDays: 365 };
  const now = new Date("2026-11-21T03:30:00Z");
  test("counts days at the venue: it is still yesterday in Chicago", () => {
    expect(dayIn("America/Chicago", now)).toBe("2026-11-20");
    expect(outsideLimits("2026-11-27", limits, "America/Chicago", now)).toBeUndefined();
    expect(outsideLimits("2026-11-27", limits, "Europe/Berlin", now)?.state).toBe("too_soon");
  });
  test("allows 365 days ahead", () => {
    expect(outsideLimits("2027-11-21", limits, "Europe/Berlin", now)).toBeUndefined();
    expect(outsideLimits("2027-11-22", limits, "Europe/Berlin", now)).toMatchObject({
      state: "too_far",
      last: "2027-11-21",
    });
  });
  test("names a limit of one day in the singular", () => {
    const one = { minimumNotice: 1, maximumBookingDays: 1 };
    expect(outsideLimits("2026-11-21", one, "UTC", now)?.message).toMatch(/^This artist needs 1 day's notice\./);
    expect(outsideLimits("2026-11-23", one, "UTC", now)?.message).toMatch(/up to 1 day ahead\./);
  });
  test("names no date if the notice is longer than the maximum advance", () => {
    for (const day of ["2026-11-22", "2027-01-10", "2027-10-15", "2026-11-01"]) {
      const outside = outsideLimits(day, { minimumNotice: 300, maximumBookingDays: 10 }, "UTC", now);
      expect(outside?.message).toMatch(
        /^(?:This artist takes no bookings at the moment|Sunday 1 November 2026 has passed)\.$/,
      );
    }
  });
  test("describes a past day as passed", () => {
    expect(outsideLimits("2026-11-01", limits, "UTC", now)?.message).toMatch(/^Sunday 1 November 2026 has passed/);
  });
});
