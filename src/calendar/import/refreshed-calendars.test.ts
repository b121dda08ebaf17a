import { describe, expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { calendarOf } from "#test/harness/calendars/calendar-server.ts";
import { calendarsOfFile, evening } from "#test/harness/calendars/external-calendars.ts";
import { refreshBeforeCommitment, syncDueCalendars } from "./sync.ts";

const { server, app, scene, fail } = await calendarsOfFile({ RATE_LIMITS: "on" });

describe("an external calendar", () => {
  test("is read again before a commitment if it is older than 5 minutes, and soon after if 2 seconds were too short", async () => {
    const { act, path, add, entriesNow, list } = await scene(evening);
    await add();
    server.serve(path, calendarOf(evening, { from: "20270720T180000Z", to: "20270720T190000Z" }));
    await refreshBeforeCommitment(app.services, act.id);
    expect(await entriesNow()).toHaveLength(1);
    app.clock.advance(6 * minuteMs);
    // A busy machine can need more than 2 seconds.
    await refreshBeforeCommitment(app.services, act.id, { commitmentMs: 60_000, readingMs: 0 });
    expect(await entriesNow()).toHaveLength(2);
    server.serve(path, () => undefined);
    app.clock.advance(6 * minuteMs);
    await refreshBeforeCommitment(app.services, act.id);
    expect(await entriesNow()).toHaveLength(2);
    expect((await list()).items).toMatchObject([{ status: "ok", message: null }]);
    server.serve(path, calendarOf(evening));
    await expect.poll(async () => (await syncDueCalendars(app.services), (await entriesNow()).length)).toBe(1);
  });

  test("keeps a commitment waiting for seconds only, and is read once at a time, if reading it does not end", async () => {
    const { act, path, add, list } = await scene(evening);
    await add();
    const rule = "RRULE:FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1;BYMONTHDAY=31;BYMONTH=2";
    server.serve(path, calendarOf(...Array.from({ length: 500 }, () => ({ ...evening, more: rule }))));
    app.clock.advance(6 * minuteMs);
    const before = server.requestedTags.length;
    const commit = () => refreshBeforeCommitment(app.services, act.id);
    await Promise.all([commit(), commit(), commit()]);
    expect(server.requestedTags.length - before).toBe(1);
    const stored = app.database.db
      .selectFrom("external_calendars")
      .select("checked_at")
      .where("artist_id", "=", act.id);
    const isDue = async () => (await stored.executeTakeFirst())?.checked_at === null;
    await expect.poll(isDue).toBe(true);
    expect((await list()).items).toMatchObject([{ status: "ok", entry_count: 1 }]);
  });

  test("is fetched manually after the read before a commitment, whose time limit proves no failure", async () => {
    const { player, act, path, add } = await scene(evening);
    const { id } = (await add()).body;
    const headers = await app.signIn(player.user);
    app.clock.advance(6 * minuteMs);
    const fetched = Promise.withResolvers<void>();
    server.serve(path, () => fetched.resolve());
    const commitment = refreshBeforeCommitment(app.services, act.id);
    await fetched.promise;
    fail(path);
    const refreshed = app.request(`/api/artist/external-calendars/${id}/refresh`, { body: {}, headers });
    expect(await (await refreshed).json()).toMatchObject({ status: "failing" });
    await commitment;
  });

  test("is added while three others of the artist are being read, not four", async () => {
    const { act, add } = await scene(evening);
    const key = `calendar added ${act.id}`;
    for (let hits = 0; hits < 4; hits++) await app.services.limits.hit(key, 4, 60);
    expect((await add()).status).toBe(429);
    await app.services.limits.release(key);
    expect((await add()).status).toBe(200);
    expect(await app.services.limits.count(key)).toBe(3);
  });

  test("is fetched manually 60 times an hour at most", async () => {
    const { player, add } = await scene(evening);
    const { id } = (await add()).body;
    const headers = await app.signIn(player.user);
    const refresh = async () =>
      (await app.request(`/api/artist/external-calendars/${id}/refresh`, { body: {}, headers })).status;
    for (let fetched = 1; fetched < 60; fetched++) expect(await refresh()).toBe(200);
    expect(await refresh()).toBe(429);
  });
});
