/** The schedule of the cron jobs over restarts. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { testApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { startWork } from "./worker.ts";

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
