import { expect, test, vi } from "vitest";
import { releaseHoldText } from "./confirmation-text.ts";

test.each([
  ["2026-12-01T12:30:00Z", "until it ends"],
  ["2026-12-01T12:31:00Z", "after 30 minutes"],
])("releaseHoldText states for a hold until %s that the checkout can be opened again %s", (until, again) => {
  vi.setSystemTime(new Date("2026-12-01T12:00:00Z"));
  const text = releaseHoldText("Electric Dreams", "2027-02-13", { staysOnHold: true, until });
  expect(text).toMatch(new RegExp(`You can open the checkout again ${again}\\.$`));
});
