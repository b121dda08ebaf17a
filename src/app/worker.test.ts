import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { announce } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { lastDue } from "#platform/jobs/jobs.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { changeTopics } from "#realtime/api.ts";
import { broadcastChange } from "#realtime/index.ts";
import { testApp } from "#test/test-app.ts";
import { eventHandlersFor } from "./event-handlers.ts";
import { jobs } from "./jobs.ts";
import type { OpenServices } from "./services.ts";
import { loopOf, startLoop } from "./worker.ts";

test("runs an hourly or daily job once per time in all processes, makes up for a missed run, and retries after a failure", async () => {
  await using app = await testApp();
  let now = new Date("2027-01-10T03:40:30Z");
  let fails = false;
  let runs = 0;
  const services = { ...app.services, realClock: { now: () => now } };
  const loop = loopOf({
    name: "nightly",
    when: { daily: "03:41" },
    run: async () => {
      runs++;
      if (fails) throw new Error("stop");
    },
  });
  const inTwoProcesses = async () => {
    runs = 0;
    await Promise.allSettled([loop.run(services), loop.run(services)]);
    return runs;
  };
  const at = async (time: string) => {
    now = new Date(time);
    return inTwoProcesses();
  };
  expect(await at("2027-01-10T03:40:30Z")).toBe(0);
  expect(await at("2027-01-10T03:41:00Z")).toBe(1);
  expect(await at("2027-01-10T03:42:00Z")).toBe(0);
  expect(await at("2027-01-13T12:00:00Z")).toBe(1);
  fails = true;
  expect(await at("2027-01-14T04:00:00Z")).toBe(1);
  fails = false;
  expect(await at("2027-01-14T04:01:00Z")).toBe(0);
  expect(await at("2027-01-14T04:15:00Z")).toBe(1);
  expect(await at("2027-01-15T03:40:59Z")).toBe(0);
  // The clock was a year ahead for a while. The job does not wait until then.
  expect(await at("2028-01-15T12:00:00Z")).toBe(1);
  expect(await at("2027-01-16T04:00:00Z")).toBe(1);
});

test("does not run a job a second time while a process still runs it, unless that takes 6 hours", async () => {
  await using app = await testApp();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let now = new Date("2027-01-09T12:00:00Z");
  let runs = 0;
  const end = Promise.withResolvers<void>();
  const services = { ...app.services, realClock: { now: () => now } };
  const loop = loopOf({ name: "long", when: { daily: "02:41" }, run: () => (runs++, end.promise) });
  const leaseEnd = async () =>
    (await app.database.db.selectFrom("job_runs").select("lease_until").where("name", "=", "long").executeTakeFirst())
      ?.lease_until;
  await loop.run(services);
  now = new Date("2027-01-10T02:41:00Z");
  const first = loop.run(services);
  await expect.poll(() => runs).toBe(1);
  for (let minute = 5; minute <= 60; minute += 5) {
    now = new Date(now.getTime() + 5 * minuteMs);
    vi.advanceTimersByTime(5 * minuteMs);
    await expect.poll(leaseEnd).toEqual(new Date(now.getTime() + 15 * minuteMs));
  }
  await loop.run(services);
  expect(runs).toBe(1);
  const transactions = vi.spyOn(services.database, "transaction");
  now = new Date("2027-01-10T08:41:00Z");
  vi.advanceTimersByTime(5 * minuteMs);
  expect(transactions).not.toHaveBeenCalled();
  const second = loop.run(services);
  await expect.poll(() => runs).toBe(2);
  end.resolve();
  await Promise.all([first, second]);
  expect(await leaseEnd()).toBeNull();
  await loop.run(services);
  expect(runs).toBe(2);
});

test.each([
  [{ hourly: 7 }, "2027-01-10T03:06:59Z", "2027-01-10T02:07:00Z"],
  [{ hourly: 7 }, "2027-01-10T03:07:00Z", "2027-01-10T03:07:00Z"],
  [{ daily: "03:41" }, "2027-01-10T03:40:59Z", "2027-01-09T03:41:00Z"],
  [{ daily: "03:41" }, "2027-01-10T23:00:00Z", "2027-01-10T03:41:00Z"],
])("finds that %o was last due before %s at %s", (when, now, due) => {
  expect(lastDue(when, new Date(now))).toEqual(new Date(due));
});

test("gives every job a time at which it can run", () => {
  const wrong = jobs.filter(
    ({ when }) => !("everySeconds" in when) && Number.isNaN(lastDue(when, new Date()).getTime()),
  );
  expect(wrong).toEqual([]);
});

test("runs a loop after a commit that announces one of its topics, and after no other", async () => {
  await using app = await testApp();
  const turns = { contracts: 0, messages: 0, timed: 0 };
  const loopOf = (name: keyof typeof turns, wokenBy?: readonly string[]) => {
    const when = { everySeconds: 3_600, ...(wokenBy ? { wokenBy } : {}) };
    return startLoop({ name, when, run: async () => void turns[name]++ }, app.services);
  };
  const loops = [loopOf("contracts", ["booking.status_changed", "money"]), loopOf("messages", ["messages"])];
  loops.push(loopOf("timed"));
  const undone = app.database.transaction(async (tx) => {
    await publish(tx, "booking.status_changed", {});
    throw new Error("stop");
  });
  await expect(undone).rejects.toThrow("stop");
  for (let turn = 2; turn <= 4; turn++) {
    await app.database.transaction((tx) => publish(tx, "booking.status_changed", {}));
    await expect.poll(() => turns.contracts).toBe(turn);
    app.services.wake();
  }
  await app.database.transaction((tx) => broadcastChange(tx, "money", { admins: true }));
  await expect.poll(() => turns.contracts).toBe(5);
  expect(turns).toEqual({ contracts: 5, messages: 1, timed: 1 });
  await Promise.all(loops.map((loop) => loop.stop()));
});

test("names only announced topics", () => {
  const events = Object.keys(eventHandlersFor({} as OpenServices));
  const rows = ["messages", "provider_events", "refunds", "charges", "card_removals"];
  const known = new Set<string>([...events, ...changeTopics, ...rows, "reversals", "evidence", "pictures"]);
  const named = jobs.flatMap(({ when }) => ("everySeconds" in when ? (when.wokenBy ?? []) : []));
  expect(named.filter((topic) => !known.has(topic))).toEqual([]);
  const timed = jobs.filter(({ when }) => "everySeconds" in when && when.everySeconds < 60 && !when.wokenBy);
  expect(timed.map(({ name }) => name)).toEqual(["payment-checkouts"]);
});

test("runs a loop once more after a commit during its run", async () => {
  await using app = await testApp();
  const turns: (() => void)[] = [];
  const run = async () => new Promise<void>((end) => turns.push(end));
  const loop = startLoop({ name: "held", when: { everySeconds: 3_600, wokenBy: ["held"] }, run }, app.services);
  expect(turns).toHaveLength(1);
  await app.database.transaction(async (tx) => announce(tx, "held"));
  expect(turns).toHaveLength(1);
  turns[0]?.();
  await expect.poll(() => turns).toHaveLength(2);
  turns[1]?.();
  // Longer than the pause after a run that was woken during another.
  await pause(300);
  expect(turns).toHaveLength(2);
  await loop.stop();
});

test("wakes the loops of an event's topic after it was handled, because that may have left work for them", async () => {
  await using app = await testApp();
  const topics: string[][] = [];
  app.database.onAnnounced((announced) => topics.push([...announced]));
  const { id } = await app.make.user();
  await app.database.transaction((tx) => publish(tx, "user.access_changed", { userId: id, cause: "role" }));
  expect(topics.at(-1)).toEqual(["user.access_changed"]);
  topics.length = 0;
  await app.settle();
  expect(topics.flat()).toContain("user.access_changed");
});
