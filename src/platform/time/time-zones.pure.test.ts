import { expect, test } from "vitest";
import { formatTimeZone } from "./time-zones.rules.ts";

test("a zone is named as people name it, with the country where its name alone is not enough", () => {
  expect(formatTimeZone("America/Chicago")).toBe("US Central");
  expect(formatTimeZone("America/New_York")).toBe("US Eastern");
  expect(formatTimeZone("UTC")).toBe("UTC");
  expect(formatTimeZone("Europe/Berlin")).toBe("Central European Time");
});

test("a zone that the browser does not know is shown as it is written", () => {
  expect(formatTimeZone("Mars/Olympus_Mons")).toBe("Mars/Olympus Mons");
});
