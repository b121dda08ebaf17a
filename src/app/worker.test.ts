/** The schedule of the cron jobs over restarts, and what wakes which loops. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { announce } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import { changeTopics } from "#realtime/api.ts";
import { testApp } from "#test/test-app.ts";
import { eventHandlersFor } from "./event-handlers.ts";
import { jobs } from "./jobs.ts";
import type { OpenServices } from "./services.ts";
import { startLoop, startWork } from "./worker.ts";

test("a start schedules every cron job as the code says, whatever an earlier version has left", async () => {
  await using app = await testApp();
  // On PostgreSQL the schedule has connections of its own.
  const services = { ...app.services, config: { ...app.services.config, databaseUrl: app.databaseUrl } };
  const startAndStop = async () => (await startWork(services)).stop();
  const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(app.database.db)).rows;
  const schedule = () => query("select name, cron, timezone from pgboss.schedule order by name");
  await startAndStop();
  const expected = jobs.flatMap(({ name, when }) =>
    "cron" in when ? [{ name, cron: when.cron, timezone: "UTC" }] : [],
  );
  expect(await schedule()).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  const [first, second, third] = expected;
  await query(`update pgboss.schedule set cron = '7 7 7 7 *' where name = '${first?.name}'`);
  await query(`update pgboss.schedule set timezone = 'Asia/Tokyo' where name = '${second?.name}'`);
  await query(`delete from pgboss.schedule where name = '${third?.name}'`);
  await startAndStop();
  expect(await schedule()).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});

test("runs a loop after a commit that announces one of its topics, and after no other", async () => {
  await using app = await testApp();
  const turns = { contracts: 0, messages: 0, timed: 0 };
  const loopOf = (name: keyof typeof turns, wokenBy?: readonly string[]) => {
    const when = { everySeconds: 3_600, ...(wokenBy ? { wokenBy } : {}) };
    return startLoop({ name, purpose: "Counts.", when, run: async () => void turns[name]++ }, app.services);
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
    await vi.waitFor(() => expect(turns.contracts).toBe(turn));
    app.services.wake();
  }
  await app.database.transaction((tx) => broadcastChange(tx, "money", { admins: true }));
  await vi.waitFor(() => expect(turns.contracts).toBe(5));
  expect(turns).toEqual({ contracts: 5, messages: 1, timed: 1 });
  await Promise.all(loops.map((loop) => loop.stop()));
});

test("names only topics that something announces", () => {
  const events = Object.keys(eventHandlersFor({} as OpenServices));
  const rows = ["messages", "provider_events", "esign_events", "refunds", "charges", "card_removals"];
  const known = new Set<string>([...events, ...changeTopics, ...rows, "reversals", "evidence", "pictures"]);
  const named = jobs.flatMap(({ when }) => ("everySeconds" in when ? (when.wokenBy ?? []) : []));
  expect(named.filter((topic) => !known.has(topic))).toEqual([]);
  const timed = jobs.filter(({ when }) => "everySeconds" in when && !when.wokenBy);
  expect(timed.map(({ name }) => name)).toEqual(["esign-look", "payment-checkouts", "payment-heal"]);
});

test("a commit that comes while a loop is running begins one more turn when that has ended", async () => {
  await using app = await testApp();
  const turns: (() => void)[] = [];
  const run = async () => new Promise<void>((end) => turns.push(end));
  const loop = startLoop(
    { name: "held", purpose: "Ends when told.", when: { everySeconds: 3_600, wokenBy: ["held"] }, run },
    app.services,
  );
  expect(turns).toHaveLength(1);
  await app.database.transaction(async (tx) => announce(tx, "held"));
  expect(turns).toHaveLength(1);
  turns[0]?.();
  await expect.poll(() => turns).toHaveLength(2);
  turns[1]?.();
  // Longer than the pause after a turn that was woken meanwhile.
  await pause(300);
  expect(turns).toHaveLength(2);
  await loop.stop();
});

test("wakes the loops of an event's topic when it was handled, because that may have left work for them", async () => {
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
