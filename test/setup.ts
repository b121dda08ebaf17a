/** An unexpected console error fails the test that caused it. */

import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  const complaints = [vi.mocked(console.error), vi.mocked(console.warn)].flatMap((spy) =>
    spy.mock.calls.map((call) => call.map(String).join(" ")),
  );
  vi.restoreAllMocks();
  expect(complaints, "console.error and console.warn stay silent in tests").toEqual([]);
});
