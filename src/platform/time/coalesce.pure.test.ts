import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a single call runs at once", () => {
  const work = vi.fn();
  coalesce(work, 50)();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test("a burst runs at once and once more afterwards, and a later call at once again", () => {
  const work = vi.fn();
  const call = coalesce(work, 50);
  for (let times = 0; times < 20; times++) call();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(50);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(50);
  call();
  expect(work).toHaveBeenCalledTimes(3);
});

test("calls without end run once a pause", () => {
  const work = vi.fn();
  const call = coalesce(work, 50);
  for (let ms = 0; ms < 1_000; ms += 5) {
    call();
    vi.advanceTimersByTime(5);
  }
  expect(work.mock.calls.length).toBeLessThanOrEqual(21);
  expect(work.mock.calls.length).toBeGreaterThanOrEqual(20);
});

test("what waits can be dropped", () => {
  const work = vi.fn();
  const call = coalesce(work, 50);
  call();
  call();
  call.cancel();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
});
