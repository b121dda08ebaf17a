/** The schedule of the cron jobs over restarts, and what wakes which loops. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { publish } from "#platform/event-outbox.ts";
import { testApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
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

test("a commit wakes the loops it makes work for, and none that asks a provider from time to time", async () => {
  await using app = await testApp();
  const turns = { woken: 0, timed: 0 };
  const loopOf = (name: keyof typeof turns, wake?: false) => {
    const when = wake === false ? { everySeconds: 3_600, wake } : { everySeconds: 3_600 };
    return startLoop({ name, purpose: "Counts.", when, run: async () => void turns[name]++ }, app.services);
  };
  const loops = [loopOf("woken"), loopOf("timed", false)];
  for (let turn = 1; turn <= 4; turn++) {
    await expect.poll(() => turns.woken).toBe(turn);
    app.services.wake();
  }
  expect(turns.timed).toBe(1);
  await Promise.all(loops.map((loop) => loop.stop()));
  const timed = jobs.filter(({ when }) => "everySeconds" in when && when.wake === false);
  expect(timed.map(({ name }) => name)).toEqual(["esign-look", "payment-checkouts", "payment-heal"]);
});

test("a commit that comes while a loop is running begins one more turn when that has ended", async () => {
  await using app = await testApp();
  const turns: (() => void)[] = [];
  const run = async () => new Promise<void>((end) => turns.push(end));
  const loop = startLoop(
    { name: "held", purpose: "Ends when told.", when: { everySeconds: 3_600 }, run },
    app.services,
  );
  expect(turns).toHaveLength(1);
  app.services.wake();
  expect(turns).toHaveLength(1);
  turns[0]?.();
  await expect.poll(() => turns).toHaveLength(2);
  turns[1]?.();
  // Longer than the pause after a turn that was woken meanwhile.
  await pause(300);
  expect(turns).toHaveLength(2);
  await loop.stop();
});

test("handled events wake the loops, because they may have left work for them", async () => {
  await using app = await testApp();
  const wake = vi.fn<() => void>();
  const work = await startWork({
    ...app.services,
    config: { ...app.services.config, databaseUrl: app.databaseUrl },
    wake,
  });
  await pause(300);
  const before = wake.mock.calls.length;
  const { id } = await app.make.user();
  await app.database.transaction((tx) => publish(tx, "user.access_changed", { userId: id, cause: "role" }));
  await expect.poll(() => wake.mock.calls.length).toBeGreaterThan(before);
  await work.stop();
});
