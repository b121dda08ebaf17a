import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { RealtimeTopic } from "#realtime/api.ts";
import { maxSilenceMs, startEventStream, waitMs } from "./event-stream.ts";

type Stream = {
  missedMs: number;
  send(about: RealtimeTopic): void;
  end(): void;
  fail(): void;
  gone: AbortSignal;
};

let streams: Stream[] = [];
let stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

function connect(missedMs: number, gone: AbortSignal): Promise<AsyncIterable<{ about: RealtimeTopic }>> {
  const body = new ReadableStream<{ about: RealtimeTopic }>({
    start: (controller) => {
      gone.addEventListener("abort", () => controller.error(new Error("aborted")));
      streams.push({
        missedMs,
        send: (about) => controller.enqueue({ about }),
        end: () => controller.close(),
        fail: () => controller.error(new Error("the connection was reset")),
        gone,
      });
    },
  });
  return Promise.resolve(body as unknown as AsyncIterable<{ about: RealtimeTopic }>);
}

/** Browser locks with one owner. Other requests wait in order. */
function makeLocks(): LockManager {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
    const turn = last.then(() => {
      if (signal.aborted) throw new DOMException("The request was aborted.", "AbortError");
      return work();
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return { request } as unknown as LockManager;
}

function tab(locks: LockManager | undefined, open = connect) {
  const received: RealtimeTopic[] = [];
  const stop = startEventStream({
    name: "stagedoor-live-test",
    connect: open,
    onNotification: (about) => received.push(about),
    locks,
  });
  stops.push(stop);
  return { received, stop };
}

/** Lets streams, locks and channels finish their pending work. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await vi.advanceTimersByTimeAsync(1);
};
const lastStream = () => streams.at(-1);

test("holds the stream in one tab, and notifies every tab", async () => {
  const locks = makeLocks();
  const [first, second] = [tab(locks), tab(locks)];
  await settle();
  expect(streams).toHaveLength(1);
  lastStream()?.send("bookings");
  await settle();
  expect(first.received).toEqual(["bookings"]);
  // The tab that opens the stream does not know the age of the other tab's lists.
  await expect.poll(() => second.received).toEqual(["everything", "bookings"]);
});

test("passes the lead to the next tab when the leading one closes, without missing changes", async () => {
  const locks = makeLocks();
  const first = tab(locks);
  await settle();
  const second = tab(locks);
  await settle();
  first.stop();
  await settle();
  expect(streams.map((stream) => stream.gone.aborted)).toEqual([true, false]);
  expect(second.received).toEqual([]);
  // The server sends the changes since this tab's document began.
  lastStream()?.send("users");
  await settle();
  expect(second.received).toEqual(["users"]);
  expect(first.received).toEqual([]);
});

test("opens a stream in each tab without locks", async () => {
  const [first, second] = [tab(undefined), tab(undefined)];
  await settle();
  expect(streams).toHaveLength(2);
  streams[1]?.send("claims");
  await settle();
  expect([first.received, second.received]).toEqual([[], ["claims"]]);
});

test("reopens a lost stream, with growing waits after failures", async () => {
  const tries: number[] = [];
  let refused = true;
  const open = (missedMs: number, gone: AbortSignal) => {
    tries.push(Date.now());
    return refused ? Promise.reject(new Error("nobody answers")) : connect(missedMs, gone);
  };
  const { received } = tab(undefined, open);
  await vi.advanceTimersByTimeAsync(60_000);
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  expect(waits.length).toBeGreaterThan(4);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(waitMs(index, 1) - 1);
    expect(wait).toBeLessThanOrEqual(waitMs(index, 0) + 1);
  }
  expect(received).toEqual([]);
  refused = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(streams).toHaveLength(1);
  lastStream()?.send("everything");
  await vi.advanceTimersByTimeAsync(6_000);
  lastStream()?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams).toHaveLength(2);
  expect(received).toEqual(["everything"]);
});

test("requests a stream with the time since the document began, later since the server's last message", async () => {
  const age = () => Math.max(performance.now(), Date.now() - performance.timeOrigin);
  await vi.advanceTimersByTimeAsync(1_500);
  const before = age();
  tab(undefined);
  await settle();
  expect(lastStream()?.missedMs).toBeGreaterThanOrEqual(before);
  expect(lastStream()?.missedMs).toBeLessThanOrEqual(age() + 1);
  await vi.advanceTimersByTimeAsync(20_000);
  lastStream()?.send("beat");
  await vi.advanceTimersByTimeAsync(7_000);
  lastStream()?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams).toHaveLength(2);
  expect(lastStream()?.missedMs).toBeGreaterThanOrEqual(7_000);
  expect(lastStream()?.missedMs).toBeLessThanOrEqual(8_000);
});

test("includes the time that the computer slept", async () => {
  tab(undefined);
  await settle();
  lastStream()?.send("beat");
  await settle();
  // Date.now() advances while performance.now() stops.
  vi.setSystemTime(Date.now() + 3 * hourMs);
  lastStream()?.fail();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lastStream()?.missedMs).toBeGreaterThanOrEqual(3 * hourMs);
});

test("waits at most ten seconds, and ends one when the browser is online again", async () => {
  expect([0, 1, 2, 3, 4, 20].map((failures) => waitMs(failures, 0))).toEqual([
    1_000, 2_000, 5_000, 10_000, 10_000, 10_000,
  ]);
  expect(waitMs(20, 1)).toBe(5_000);
  let tries = 0;
  tab(undefined, () => {
    tries += 1;
    return Promise.reject(new Error("offline"));
  });
  await vi.advanceTimersByTimeAsync(120_000);
  const before = tries;
  window.dispatchEvent(new Event("online"));
  await settle();
  expect(tries).toBe(before + 1);
});

test("drops a silent connection, and retains one with a heartbeat", async () => {
  const { received } = tab(undefined);
  await settle();
  await vi.advanceTimersByTimeAsync(maxSilenceMs - 1_000);
  lastStream()?.send("beat");
  await vi.advanceTimersByTimeAsync(maxSilenceMs - 1_000);
  expect(streams).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams.map((stream) => stream.gone.aborted)).toEqual([true, false]);
  expect(received).toEqual([]);
});

test("ends the stream and every wait on stop", async () => {
  const { received, stop } = tab(makeLocks());
  await settle();
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(streams.map((stream) => stream.gone.aborted)).toEqual([true]);
  expect(received).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
