import { afterEach, expect, test, vi } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { fetchWithClock, currentTime } from "./clock.ts";
import { localToday } from "./format/dates.ts";

afterEach(() => {
  delete document.documentElement.dataset["clockAhead"];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("returns the local day until a response reports that the installation's clock is ahead", async () => {
  vi.useFakeTimers({ now: new Date(2027, 0, 10, 12) });
  expect(localToday()).toBe("2027-01-10");
  const days = 28 * dayMs;
  vi.stubGlobal("fetch", async () => new Response(null, { headers: { "x-clock-ahead": String(days) } }));
  await fetchWithClock(new Request("http://localhost/api/x"), {});
  expect(localToday()).toBe("2027-02-07");
  expect(currentTime()).toEqual(new Date(2027, 1, 7, 12));
  vi.stubGlobal("fetch", async () => new Response(null));
  await fetchWithClock(new Request("http://localhost/api/x"), {});
  expect(localToday()).toBe("2027-02-07");
});
