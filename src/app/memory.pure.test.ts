import { expect, test } from "vitest";
import { releaseUnusedMemory } from "./memory.ts";

test("releaseUnusedMemory frees unused memory", () => {
  const waste = () => Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  const before = waste().length && process.memoryUsage().heapUsed;
  releaseUnusedMemory();
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(20_000_000);
});
