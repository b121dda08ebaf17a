import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { messagesTo } from "#test/harness/bookings.ts";
import { connectionHarness } from "#test/harness/calendars/connections.ts";
import { radicaleIsHere, radicalePassword, type Radicale, startRadicale } from "#test/harness/calendars/radicale.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { runSyncTask } from "./sync-task.ts";
import { syncDueConnections } from "./sync.ts";

let app: TestApp;
let radicale: Radicale;
const { aboutNow, connectionsOf, minutes, onServer, person, scene } = connectionHarness(() => ({
  app,
  radicale,
}));
const sync = () => syncDueConnections(app.services);

const silent = createServer((_request, response) => void waiting.push(response));
const waiting: ServerResponse[] = [];
const plain = createServer((_request, response) => void response.writeHead(404).end());
/** Sends an XML text that takes many seconds to parse. */
const endless = createServer((_request, response) =>
  response.writeHead(207, { "content-type": "application/xml" }).end("<a>".repeat(1_700_000)),
);
/** A portal that asks for a sign-in on every page. */
const portal = createServer((_request, response) =>
  response.writeHead(200, { "content-type": "application/xhtml+xml" }).end("<html><body>Sign in</body></html>"),
);
const hostOf = (server: typeof silent) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.skipIf(!radicaleIsHere)("a failing calendar connection", () => {
  beforeAll(async () => {
    await Promise.all(
      [silent, plain, endless, portal].map(
        (server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)),
      ),
    );
    radicale = await startRadicale(["dora", "emma", "fay", "gina", "reader"], { readOnly: "reader" });
    app = await testApp({
      now: new Date("2027-06-01T12:00:00Z"),
      env: { CALENDAR_ALLOW_HOSTS: [radicale.host, ...[silent, plain, portal].map(hostOf)].join(",") },
    });
  });
  afterAll(async () => {
    await app.close();
    await radicale.close();
    for (const server of [silent, plain, endless, portal]) {
      server.closeAllConnections();
      server.close();
    }
  });

  test("names a wrong input, and works once it is corrected", async () => {
    const { add, list, first, retry } = await scene();
    for (const [server_url, reason] of [
      ["http://dav.example.org/", "must begin with https"],
      ["ftp://dav.example.org/", "not the address of a server"],
      ["https://ada:secret@dav.example.org/", "not the address of a server"],
    ] as const) {
      const { status, body } = await add("dora", { server_url });
      const fields = [{ field: "server_url", message: expect.stringContaining(reason) }];
      expect({ status, data: body["data"] }).toEqual({ status: 400, data: { fields } });
    }
    expect(await list()).toEqual([]);
    const { id } = (await add("dora", { server_url: "https://10.0.0.1/" })).body;
    const outcome = async () => {
      await sync();
      return first();
    };
    const failing = (failed_field: string, message: RegExp) => ({
      status: "failing",
      is_waiting: false,
      failed_field,
      message: expect.stringMatching(message),
    });
    expect(await outcome()).toMatchObject(failing("server_url", /private network/));
    const server_url = `http://${hostOf(plain)}/`;
    expect((await retry(id, { server_url })).body["data"]).toMatchObject({ fields: [{ field: "password" }] });
    await retry(id, { server_url, password: radicalePassword });
    expect(await first()).toMatchObject({ is_waiting: true });
    expect(await outcome()).toMatchObject(failing("server_url", /no CalDAV server/));
    await retry(id, { server_url: radicale.url, username: "reader", password: radicalePassword });
    expect(await outcome()).toMatchObject(failing("username", /may not create a calendar/));
    await retry(id, { username: "dora", password: "wrong" });
    expect(await outcome()).toMatchObject(failing("password", /app password/));
    await retry(id, { password: radicalePassword });
    expect(await outcome()).toMatchObject({ status: "ok", show_count: 2, message: null, failed_field: null });
    const moved = await retry(id, { server_url, password: radicalePassword });
    expect(moved).toMatchObject({ status: 400, body: { data: { fields: [{ field: "server_url" }] } } });
    expect((await add("dora")).body["data"]).toMatchObject({ fields: [{ field: "username" }] });
  });

  test("retries an unreachable server at growing intervals, reports it after a day, and catches up", async () => {
    const { player, make, add, first } = await scene();
    await add("emma");
    await sync();
    await radicale.stop();
    const fresh = await make("deposit_paid", "2027-08-02");
    await sync();
    expect(await first()).toMatchObject({
      status: "failing",
      failing_since: aboutNow(),
      message: expect.stringMatching(/cannot be reached/),
    });
    const since = (await first())?.["failing_since"];
    const next = async () => {
      const row = app.database.db.selectFrom("calendar_connections").where("user_id", "=", player.user.id);
      const { next_sync_at } = await row.select("next_sync_at").executeTakeFirstOrThrow();
      return Math.round((next_sync_at.getTime() - app.clock.now().getTime()) / minuteMs);
    };
    const failAgain = async (pause: number) => {
      expect(await next()).toBe(pause);
      minutes(pause);
      await sync();
    };
    await failAgain(1);
    await failAgain(2);
    const own = app.database.db.updateTable("calendar_connections").where("user_id", "=", player.user.id);
    await own.set({ attempts: 6 }).execute();
    await failAgain(4);
    await failAgain(60);
    expect(await next()).toBe(60);
    const emails = async () => {
      await sync();
      await app.settle();
      const sent = await messagesTo(app, player.user.email);
      return sent.filter(({ template }) => template === "calendar_connection_failing");
    };
    expect(await emails()).toEqual([]);
    minutes(24 * 60);
    expect((await emails())[0]?.text).toContain("cannot be reached");
    minutes(24 * 60);
    expect(await emails()).toHaveLength(1);
    expect(await first()).toMatchObject({ failing_since: since });

    await radicale.start();
    minutes(61);
    await sync();
    expect(await first()).toMatchObject({ status: "ok", failing_since: null, show_count: 3 });
    expect((await onServer("emma")).has(fresh.id)).toBe(true);
  });

  test("waits 5 s for a silent server, and delays no other connection", async () => {
    const slow = await scene();
    const { id } = (await slow.add("fay", { server_url: `http://${hostOf(silent)}/` })).body;
    const quick = await scene();
    const began = performance.now();
    const round = sync();
    await expect.poll(() => waiting.length).toBe(1);
    const added = (await quick.add("fay")).body.id;
    // The current round claims what becomes due while one connection hangs.
    const taken = app.database.db.selectFrom("calendar_connections").where("id", "=", added).select("leased_until");
    await expect.poll(async () => (await taken.executeTakeFirst())?.leased_until).not.toBeNull();
    expect(waiting[0]?.destroyed).toBe(false);
    await round;
    expect(await quick.first()).toMatchObject({ status: "ok", show_count: 2 });
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(waiting).toHaveLength(1);
    expect(await slow.first()).toMatchObject({
      status: "failing",
      message: expect.stringMatching(/did not answer within 5 seconds/),
    });
    await slow.remove(id);
    await sync();
    expect([await slow.list(), waiting.length]).toEqual([[], 1]);
  });

  test("parses a huge response in another thread, with a time limit", async () => {
    const credentials = { serverUrl: `http://${hostOf(endless)}/`, username: "ada", password: radicalePassword };
    const shows = { wanted: new Map(), known: new Map() };
    const work = { task: "write", connectionId: "huge", calendarUrl: null, allowHosts: [hostOf(endless)] } as const;
    // The limit could not end a sync that blocked this thread.
    const { failure } = await runSyncTask({ ...work, ...shows, credentials }, 1_500);
    expect(failure).toEqual({ field: "server_url", message: "The calendar's server responds too slowly." });
  });

  test("is failing while the server answers with a page for signing in, and while the password cannot be decrypted", async () => {
    const { add, first, retry } = await scene();
    const { id } = (await add("fay")).body;
    await sync();
    const connection = app.database.db.selectFrom("calendar_connections").where("id", "=", id);
    const { calendar_url } = await connection.select("calendar_url").executeTakeFirstOrThrow();
    const outcomeOf = async (change: { calendar_url?: string | null; password_sealed?: string }) => {
      await app.database.db.updateTable("calendar_connections").set(change).where("id", "=", id).execute();
      minutes(61);
      await sync();
      return first();
    };
    const failing = (message: RegExp) => ({
      status: "failing",
      is_waiting: false,
      message: expect.stringMatching(message),
    });
    const page = await outcomeOf({ calendar_url: `http://${hostOf(portal)}/calendar/` });
    expect(page).toMatchObject(failing(/a page for signing in/));
    expect(await outcomeOf({ calendar_url })).toMatchObject({ status: "ok", message: null });
    const unread = await outcomeOf({ password_sealed: "by a former key" });
    expect(unread).toMatchObject(failing(/^Something went wrong when we wrote to this calendar/));
    await retry(id, { password: radicalePassword });
    await sync();
    expect(await first()).toMatchObject({ status: "ok", message: null });
  });

  test("is removed with its calendar, or after the time limit if the server stays unreachable", async () => {
    const { add, list, first, remove } = await scene();
    const stranger = connectionsOf(await person("promoter"));
    const { id } = (await add("gina")).body;
    await sync();
    expect((await stranger.remove(id)).status).toBe(404);
    expect((await stranger.retry(id)).status).toBe(404);
    expect(await stranger.list()).toEqual([]);
    expect((await remove(id)).status).toBe(200);
    expect(await first()).toMatchObject({ status: "removing", is_waiting: true });
    await sync();
    expect([await list(), await radicale.list("gina")]).toEqual([[], []]);

    const unreachable = async () => {
      const { id: again } = (await add("gina")).body;
      await sync();
      await radicale.stop();
      await remove(again);
      await sync();
      expect(await first()).toMatchObject({
        status: "removal_failed",
        message: expect.stringMatching(/cannot be reached/),
      });
      return again;
    };
    await remove(await unreachable());
    expect(await list()).toEqual([]);
    await radicale.start();
    await unreachable();
    minutes(24 * 60);
    await sync();
    expect(await list()).toEqual([]);
    await radicale.start();
  });
});
