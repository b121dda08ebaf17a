import { expect, test } from "vitest";
import { scaleFor } from "./scale.ts";

test.each([
  [0, [0, 100]],
  [1_350_000, [0, 500_000, 1_000_000, 1_500_000]],
  [4_000, [0, 1_000, 2_000, 3_000, 4_000]],
  [99_999_999, [0, 25_000_000, 50_000_000, 75_000_000, 100_000_000]],
])("divides a scale up to %i cents into round steps", (most, ticks) => {
  expect(scaleFor(most)).toEqual({ top: ticks.at(-1), ticks });
});
