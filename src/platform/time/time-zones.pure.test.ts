import { expect, test } from "vitest";
import { formatTimeZone } from "./time-zones.rules.ts";

test("names a zone in common words, with the country where its name alone is ambiguous", () => {
  expect(formatTimeZone("America/Chicago")).toBe("US Central");
  expect(formatTimeZone("America/New_York")).toBe("US Eastern");
  expect(formatTimeZone("UTC")).toBe("UTC");
  expect(formatTimeZone("Europe/Berlin")).toBe("Central European Time");
});

test("returns an unknown zone unchanged", () => {
  expect(formatTimeZone("Mars/Olympus_Mons")).toBe("Mars/Olympus Mons");
});
