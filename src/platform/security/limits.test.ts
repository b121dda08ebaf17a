import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freshDatabase } from "#test/database.ts";
import { movableClock } from "../time/clock.ts";
import { keysFrom } from "./keys.ts";
import { makeLimits } from "./limits.ts";

const place = closeAfterFile(await freshDatabase());

const limitsAt = (clock: ReturnType<typeof movableClock>) =>
  makeLimits({ database: place.database, keys: keysFrom(randomBytes(32)), clock, on: true });

test("lets the allowed number pass, then returns when the next is allowed", async () => {
  // The wait is counted in whole seconds, so the time stands still.
  vi.setSystemTime(0);
  onTestFinished(() => void vi.useRealTimers());
  const clock = movableClock(new Date("2027-01-01T12:00:00Z"));
  const limits = limitsAt(clock);
  expect([await limits.hit("a", 2, 60), await limits.hit("a", 2, 60)]).toEqual([1, 2]);
  await expect(limits.hit("a", 2, 60)).rejects.toMatchObject({ kind: "too_many", retryAfterSeconds: 60 });
  await limits.hit("day", 1, 86_400);
  await expect(limits.hit("day", 1, 86_400)).rejects.toThrow("Too many attempts. Please wait 24 hours and try again.");
  clock.advance(61_000);
  expect(await limits.hit("a", 2, 60)).toBe(1);
});

test("blocks no caller after a clock that ran ahead was set back", async () => {
  const clock = movableClock(new Date("2027-01-31T12:00:00Z"));
  const limits = limitsAt(clock);
  for (let count = 0; count < 3; count++) await limits.hit("a", 3, 3_600);
  clock.moveTo(new Date("2027-01-01T12:00:00Z"));
  expect(await limits.hit("a", 3, 3_600)).toBe(1);
});

test("counts parallel hits together, even if they are stored in another order than they read the clock", async () => {
  const clock = movableClock(new Date("2027-03-31T12:00:01Z"));
  const limits = limitsAt(clock);
  for (let count = 0; count < 2; count++) await limits.hit("b", 3, 900);
  clock.moveTo(new Date("2027-03-31T12:00:00Z"));
  expect(await limits.hit("b", 3, 900)).toBe(3);
  await expect(limits.hit("b", 3, 900)).rejects.toMatchObject({ kind: "too_many" });
});
