import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs a single call immediately", () => {
  const work = vi.fn();
  coalesce(work, 50)();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test("runs a burst immediately and once more afterwards, and a later call immediately again", () => {
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

test("runs endless calls once per pause", () => {
  const work = vi.fn();
  const call = coalesce(work, 50);
  for (let ms = 0; ms < 1_000; ms += 5) {
    call();
    vi.advanceTimersByTime(5);
  }
  expect(work.mock.calls.length).toBeLessThanOrEqual(21);
  expect(work.mock.calls.length).toBeGreaterThanOrEqual(20);
});

test("drops a waiting call on cancel", () => {
  const work = vi.fn();
  const call = coalesce(work, 50);
  call();
  call();
  call.cancel();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
});
