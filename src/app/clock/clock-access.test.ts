import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Tx } from "#platform/db/index.ts";
import { isClockMoving, releaseClock, writeClockAhead } from "#platform/db/platform.store.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { advance, nowOf, start, stillApp } from "#test/harness/clock/clock.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { advanceClock, leaseSeconds, movingMessage, watchWrites, withClockLease } from "./advance.ts";
import { durationMessages } from "./duration.rules.ts";

describe("moving the demo clock", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await stillApp();
  });
  afterAll(() => app.close());

  test.each<readonly [unknown, string]>([
    ["PT0S", durationMessages.zero],
    ["-P1D", durationMessages.negative],
    ["P1000Y", durationMessages.tooLong],
    ["tomorrow", durationMessages.malformed],
  ])("refuses %o with a message, and does not move the clock", async (duration, message) => {
    const { status, body } = await advance(app, duration);
    expect([status, body.message]).toEqual([400, message]);
    expect(await nowOf(app)).toBe(start.toISOString());
  });

  test.each([undefined, null, 28, {}, ["P1D"]])("refuses %o, because advance must be text", async (duration) => {
    expect((await advance(app, duration)).status).toBe(400);
  });

  test("refuses more than ten years ahead of the real clock", async () => {
    await using other = await stillApp();
    await sql`insert into installation_clock (ahead_ms) values (${10 * 365 * dayMs})`.execute(other.database.db);
    await using later = await testApp({ beside: other });
    const { status, body } = await advance(later, "P1M");
    expect([status, body.message]).toEqual([400, expect.stringContaining("10 years")]);
    const answer = await later.request("/dev/clock", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "advance=P4W",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dev/outbox?clock=too_far"]);
    const page = await (await later.request("/dev/outbox?clock=too_far")).text();
    expect(page).toMatch(/role="alert"[^>]*>The clock would be more than 10 years ahead/);
  });

  test("reads the next times of all jobs in one statement per step, and once if a job wrote", async () => {
    await using other = await stillApp();
    const sent: string[] = [];
    other.database.onStatement(({ text }) => void sent.push(text));
    const count = (part: string) => sent.filter((text) => text.includes(part)).length;
    await advance(other, "P2D");
    expect(count("min(at)")).toBeGreaterThan(0);
    // One more move ends the travel.
    expect(count("min(at)")).toBe(count('"ahead_ms" =') - 1);
    const watched = watchWrites(other.database);
    const inTx = (statement: string) => watched.database.transaction((tx) => sql.raw(statement).execute(tx));
    await inTx("select 1");
    expect(watched.hasWritten()).toBe(false);
    sent.length = 0;
    for (let times = 3; times > 0; times--) await inTx("update installation_clock set ahead_ms = ahead_ms");
    expect(watched.hasWritten()).toBe(true);
    expect(count("pg_current_xact_id_if_assigned")).toBe(1);
  });

  test("remembers a write while another transaction, which wrote nothing, is still being checked", async () => {
    await app.database.transaction(async (tx) => {
      const [checked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = tx.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          checked.resolve();
          await released.promise;
          return result;
        },
      });
      let used = slow as Tx;
      const watched = watchWrites({ ...app.database, transaction: (work) => work(used) });
      const reading = watched.database.transaction(async () => undefined);
      await checked.promise;
      used = tx;
      await watched.database.transaction((writing) => sql`select pg_current_xact_id()`.execute(writing));
      released.resolve();
      await reading;
      expect(watched.hasWritten()).toBe(true);
    });
  });

  test("refuses the second of two parallel calls with a message, and moves the clock once", async () => {
    const answers = await Promise.all([advance(app, "P1D"), advance(app, "P1D")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await nowOf(app)).toBe(new Date(start.getTime() + dayMs).toISOString());
  });

  test("retries a waiting event once the clock has passed its next attempt", async () => {
    await sql`insert into event_outbox (topic, body, available_at) values ('user.access_changed', '{"cause":"role"}', now() + interval '5 minutes')`.execute(
      app.database.db,
    );
    await advance(app, "PT4M");
    expect((await sql`select 1 from event_outbox`.execute(app.database.db)).rows).toHaveLength(1);
    await advance(app, "PT2M");
    expect((await sql`select 1 from event_outbox`.execute(app.database.db)).rows).toHaveLength(0);
  });

  test("moves by the buttons of the outbox page and redirects back, but not by a form of another site", async () => {
    const before = await nowOf(app);
    const press = (headers: Record<string, string>, body = "advance=P1W") =>
      app.request("/dev/clock", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body,
      });
    expect((await press({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await press({}, "advance=P9Y")).status).toBe(400);
    expect((await press({}, "")).status).toBe(400);
    expect((await press({ host: "stagedoor.example" })).status).toBe(403);
    expect(await nowOf(app)).toBe(before);
    const response = await press({ "sec-fetch-site": "same-origin" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dev/outbox"]);
    expect(Date.parse(await nowOf(app)) - Date.parse(before)).toBe(7 * dayMs);
    const page = await (await app.request("/dev/outbox")).text();
    for (const label of ["1 day", "1 week", "4 weeks"]) expect(page).toContain(`>${label}</button>`);
    expect(page).toMatch(/It is <strong>[^<]*2027/);
  });

  test("shows a running move on the outbox page, and why it refuses another one", async () => {
    const before = await nowOf(app);
    const page = async (address: string) => (await app.request(address)).text();
    await sql`update installation_clock set moving_until = now() + interval '1 minute'`.execute(app.database.db);
    expect(await page("/dev/outbox")).toContain("The clock is being moved.");
    const response = await app.request("/dev/clock", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "advance=P1D",
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dev/outbox?clock=moving"]);
    const refused = await page("/dev/outbox?clock=moving");
    expect(refused).toMatch(
      /role="alert"[^>]*>The clock is already being moved\. Wait .*stopped, try again in 12 seconds\.</,
    );
    await sql`update installation_clock set moving_until = null`.execute(app.database.db);
    expect(await page("/dev/outbox?clock=constructor")).not.toMatch(/role="alert"|is being moved/);
    expect(await nowOf(app)).toBe(before);
  });

  test("blocks other moves as long as a move takes, and 12 seconds if its process is killed", async () => {
    const { db } = app.database;
    const secondsLeft = async () => {
      const { rows } = await sql<{ left: number }>`
        select extract(epoch from moving_until - now())::float as left from installation_clock`.execute(db);
      return rows[0]?.left ?? 0;
    };
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await withClockLease(app.services, async () => {
        const { status, body } = await advance(app, "P1D");
        expect([status, body.message]).toEqual([409, movingMessage]);
        expect(await secondsLeft()).toBeLessThanOrEqual(12);
        await sql`update installation_clock set moving_until = now() + interval '1 second'`.execute(db);
        vi.advanceTimersByTime(4_000);
        await expect.poll(secondsLeft).toBeGreaterThan(10);
      });
      vi.advanceTimersByTime(60_000);
      expect([await isClockMoving(db), vi.getTimerCount()]).toEqual([false, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("ends a move that lost its lease in a stall, and leaves the next move its own", async () => {
    const { db } = app.database;
    const before = await nowOf(app);
    await withClockLease(app.services, async (stalled) => {
      await sql`update installation_clock set moving_until = now() - interval '1 second'`.execute(db);
      await withClockLease(app.services, async () => {
        const isMoved = await app.database.transaction((tx) => writeClockAhead(tx, stalled, 10 * dayMs, leaseSeconds));
        await app.database.transaction((tx) => releaseClock(tx, stalled));
        expect([isMoved, await isClockMoving(db)]).toEqual([false, true]);
      });
    });
    const { demoClock } = app.services;
    if (!demoClock) throw new Error("this app has no demo clock");
    const whileMoving: typeof demoClock.whileMoving = async (work) => {
      await sql`update installation_clock set moved_by = null`.execute(db);
      return demoClock.whileMoving(work);
    };
    const moved = advanceClock({ ...app.services, demoClock: { ...demoClock, whileMoving } }, "P1D");
    await expect(moved).rejects.toThrow(movingMessage);
    expect(await nowOf(app)).toBe(before);
    await sql`update installation_clock set moving_until = null`.execute(db);
  });

  test("moves the clock of another process on the same database, immediately and after its start", async () => {
    await using beside = await testApp({ beside: app, now: start });
    await advance(app, "P2D");
    await expect.poll(() => nowOf(beside)).toBe(await nowOf(app));
    await using later = await testApp({ beside: app, now: start });
    expect(await nowOf(later)).toBe(await nowOf(app));
  });

  test("answers not found outside demo mode for any input, and uses the real clock again", async () => {
    await using place = await testApp({ beside: app, env: { DEMO: "0" } });
    const admin = await place.signIn(await place.make.user({ role: "admin" }));
    for (const headers of [{}, admin]) {
      expect((await place.request("/api/dev/clock", { headers })).status).toBe(404);
      for (const body of [{ advance: "P1D" }, { advance: "x" }, {}, "nonsense"]) {
        const answerOf = async (address: string) => {
          const response = await place.request(address, { headers, body });
          return [response.status, ((await response.json()) as { message: string }).message];
        };
        expect(await answerOf("/api/dev/clock")).toEqual(await answerOf("/api/dev/elsewhere"));
      }
      expect((await place.request("/dev/clock", { method: "POST", headers })).status).toBe(404);
    }
    expect(place.services.clock.now()).toEqual(start);
    const { rows } = await sql<{ same: boolean }>`select installation_now() = now() as same`.execute(app.database.db);
    expect(rows[0]?.same).toBe(true);
  });
});
