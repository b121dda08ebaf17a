import { expect, test } from "vitest";
import { backoffSeconds, jitteredBackoffMs } from "./retry.ts";

const backoff = { firstSeconds: 5, maxSeconds: 60 };

test("doubles the wait with every attempt up to its maximum", () => {
  expect([1, 2, 3, 4, 5, 6, 5_000].map((attempt) => backoffSeconds(attempt, backoff))).toEqual([
    5, 10, 20, 40, 60, 60, 60,
  ]);
});

test("reduces the wait by at most half at random", () => {
  expect(jitteredBackoffMs(2, backoff, 0)).toBe(10_000);
  expect(jitteredBackoffMs(2, backoff, 1)).toBe(5_000);
});
