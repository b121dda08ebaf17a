import { afterEach, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { makeClockCheck } from "./own-clock.ts";
import { testComponent } from "./test-component.ts";
import { listFailing } from "./views.ts";

const app = closeAfterFile(await testApp());
afterEach(() => app.database.exec("delete from operator_notices; delete from component_tests"));

/** Without the limit of five seconds, too short under load. */
const testDatabase = () => testComponent(app.services, "database", { limitMs: 120_000 });

function otherProcess() {
  const clock = { aheadMs: 3_600_000 };
  const realClock = { now: () => new Date(Date.now() + clock.aheadMs) };
  const config = { ...app.services.config, process: "worker" as const };
  return { clock, check: makeClockCheck({ ...app.services, realClock, config }) };
}

test("keeps the database failing in the test of a process with the right clock, until the wrong one is right", async () => {
  const { clock, check } = otherProcess();
  await check();
  expect(await listFailing(app.services)).toEqual(["database"]);
  const { works, message } = await testDatabase();
  expect([works, message]).toEqual([
    false,
    expect.stringMatching(
      /^The clock of another process differs from that of the database: worker on .+ \(process \d+\)\. Holds, .*log of that/,
    ),
  ]);
  clock.aheadMs = 0;
  await check();
  expect(await testDatabase()).toMatchObject({ works: true });
});

test("ignores a process that has not reported for three minutes, because it has ended, and deletes its notice at the next start", async () => {
  await otherProcess().check();
  await app.database.exec("update operator_notices set last_at = last_at - interval '4 minutes'");
  expect(await testDatabase()).toMatchObject({ works: true });
  await makeClockCheck(app.services)();
  expect(await app.database.db.selectFrom("operator_notices").select("kind").execute()).toEqual([]);
});

test("does not report this process as another one after its clock is right", async () => {
  const realClock = { now: () => new Date(Date.now() + 3_600_000) };
  await makeClockCheck({ ...app.services, realClock })();
  expect(await testDatabase()).toMatchObject({ works: true });
});

test("reports neither a right clock nor a notice of it, and its difference in the metrics", async () => {
  await makeClockCheck(app.services)();
  expect(await listFailing(app.services)).toEqual([]);
  const metrics = await (await app.request("/metrics")).text();
  const [, seconds] = /^stagedoor_clock_difference_seconds (.+)$/m.exec(metrics) ?? [];
  expect(Math.abs(Number(seconds))).toBeLessThan(60);
});
