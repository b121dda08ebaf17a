import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { radicaleIsHere, radicalePassword, type Radicale, startRadicale } from "#test/harness/calendars/radicale.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { syncDueConnections } from "./sync.ts";
import { runTurn } from "./turn.ts";

const names = ["ada", "bea", "cleo", "dora", "emma", "fay", "gina", "reader"] as const;
type Name = (typeof names)[number];

let app: TestApp;
let radicale: Radicale;
const silent = createServer((_request, response) => void waiting.push(response));
const waiting: ServerResponse[] = [];
const plain = createServer((_request, response) => void response.writeHead(404).end());
/** Sends an XML text that takes many seconds to parse. */
const endless = createServer((_request, response) =>
  response.writeHead(207, { "content-type": "application/xml" }).end("<a>".repeat(1_700_000)),
);
const hostOf = (server: typeof silent) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

const { artist, person, held } = peopleOf(() => app);
const minutes = (count: number) => app.clock.advance(count * minuteMs);
/** Matches the test's clock to within a minute, because it moves on. */
const aboutNow = () => expect.stringContaining(app.clock.now().toISOString().slice(0, 15)) as string;
const sync = () => syncDueConnections(app.services);

type Item = Record<string, unknown> & { id: string; status: string };

/** Makes an artist with two shows, a request and a canceled show, and the connections of the artist's account. */
async function scene() {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, name: "Cold Harbor" });
  const make = async (status: "initiated" | "deposit_paid" | "canceled", eventDate: string) =>
    (await held({ artist: act, status, eventDate, now: app.clock.now() })).booking;
  const shows = {
    paid: await make("deposit_paid", "2027-07-10"),
    requested: await make("initiated", "2027-07-11"),
    canceled: await make("canceled", "2027-07-12"),
  };
  return { player, act, make, ...shows, ...connectionsOf(player) };
}

/** Signs in for each call, because sessions end when the clock is moved. */
function connectionsOf({ user }: Awaited<ReturnType<typeof person>>) {
  const call = async (method: string, path = "", body?: unknown) => {
    const headers = await app.signIn(user);
    const response = await app.request(`/api/me/calendar-connections${path}`, {
      method,
      headers,
      ...(body ? { body } : {}),
    });
    return { status: response.status, body: (await response.json()) as Item & { items: Item[] } };
  };
  const list = async () => (await call("GET")).body.items;
  return {
    add: (username: string, more: { server_url?: string; password?: string } = {}) =>
      call("POST", "", { server_url: radicale.url, username, password: radicalePassword, ...more }),
    list,
    first: async () => (await list())[0],
    retry: (id: string, more: Record<string, string> = {}) => call("POST", `/${id}/retry`, more),
    remove: (id: string) => call("DELETE", `/${id}`, {}),
  };
}

const calendarOf = async (name: Name) => {
  const made = (await radicale.list(name)).filter((address) => address.includes("/stagedoor-"));
  expect(made).toHaveLength(1);
  return String(made[0]);
};

const eventsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      status: component.getFirstPropertyValue("status"),
      summary: event.summary,
      location: event.location,
      start: event.startDate.toString(),
      end: event.endDate.toString(),
    };
  });
const onServer = async (name: Name) => {
  const texts = await radicale.read(name, await calendarOf(name));
  return new Map(texts.flatMap(eventsIn).map((event) => [event.uid, event]));
};
const entryOf = async (name: Name, uid: string) => `${await calendarOf(name)}${uid}.ics`;

const change = (id: string, set: Record<string, unknown>) =>
  app.database.db.updateTable("bookings").set(set).where("id", "=", id).execute();

describe.skipIf(!radicaleIsHere)("a calendar connection", () => {
  beforeAll(async () => {
    await Promise.all(
      [silent, plain, endless].map((server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))),
    );
    radicale = await startRadicale(names, { readOnly: "reader" });
    app = await testApp({
      now: new Date("2027-06-01T12:00:00Z"),
      env: { CALENDAR_ALLOW_HOSTS: [radicale.host, hostOf(silent), hostOf(plain)].join(",") },
    });
  });
  afterAll(async () => {
    await app.close();
    await radicale.close();
    for (const server of [silent, plain, endless]) {
      server.closeAllConnections();
      server.close();
    }
  });

  test("writes the shows of the private feed to a separate calendar, and nothing else", async () => {
    await radicale.call("ada", "MKCALENDAR", "/ada/private/");
    const { player, paid, requested, add, first } = await scene();
    const added = await add("ada");
    expect(added).toMatchObject({ status: 200, body: { status: "connecting", is_waiting: true } });
    expect(await radicale.list("ada")).toEqual(["/ada/private/"]);
    await sync();
    expect(await first()).toMatchObject({ status: "ok", is_waiting: false, show_count: 2, failing_since: null });
    const events = await onServer("ada");
    expect([...events.keys()].sort()).toEqual([paid.id, requested.id].sort());
    expect(events.get(requested.id)).toMatchObject({
      status: "TENTATIVE",
      summary: expect.stringMatching(/^Request: /),
    });
    expect(await radicale.list("ada", "/ada/private/")).toEqual([]);

    const feeds = (await player.at.json("/api/me/calendar-feeds")).body["items"] as { kind: string; url: string }[];
    const url = new URL(String(feeds.find(({ kind }) => kind === "private")?.url));
    const feed = eventsIn((await app.server.inject({ url: url.pathname })).body);
    for (const [uid, event] of events) expect(event).toEqual(feed.find((one) => one.uid === uid));
    const texts = await radicale.read("ada", await calendarOf("ada"));
    const read = texts.map((text) => Object.values(nodeIcal.sync.parseICS(text)).find((one) => one?.type === "VEVENT"));
    const starts = [paid, requested].map(({ starts_at }) => starts_at.toISOString()).sort();
    expect(read.map((event) => (event as { start: Date }).start.toISOString()).sort()).toEqual(starts);
    expect(texts.join("")).not.toContain("METHOD");

    const stored = await app.database.db.selectFrom("calendar_connections").selectAll().execute();
    for (const shown of [stored, await first(), added]) expect(JSON.stringify(shown)).not.toContain(radicalePassword);
  });

  test("follows new, moved, canceled and rebooked shows, and writes nothing without a change", async () => {
    const { paid, requested, make, add, first } = await scene();
    await add("bea");
    await sync();
    const writtenAt = (await first())?.["last_written_at"];
    minutes(61);
    await sync();
    expect(await first()).toMatchObject({ last_written_at: writtenAt, last_success_at: aboutNow() });

    const announced: string[] = [];
    app.database.onAnnounced((topics) => void announced.push(...topics));
    await sync();
    expect(announced).toEqual([]);

    const fresh = await make("deposit_paid", "2027-08-01");
    const later = new Date(paid.starts_at.getTime() + hourMs);
    await change(paid.id, { starts_at: later, version: paid.version + 1, updated_at: app.clock.now() });
    await change(requested.id, {
      status: "canceled",
      canceled_at: app.clock.now(),
      canceled_by: "promoter",
      cancel_code: "other",
      version: requested.version + 1,
    });
    minutes(1);
    await sync();
    const events = await onServer("bea");
    expect([...events.keys()].sort()).toEqual([paid.id, fresh.id].sort());
    const sequence = paid.version + 1;
    expect(events.get(paid.id)).toMatchObject({ sequence });
    expect(await first()).toMatchObject({ show_count: 2, last_written_at: aboutNow() });

    await change(requested.id, {
      status: "deposit_paid",
      canceled_at: null,
      canceled_by: null,
      cancel_code: null,
      version: requested.version + 2,
    });
    await sync();
    expect((await onServer("bea")).get(requested.id)).toMatchObject({
      status: "CONFIRMED",
      sequence: requested.version + 2,
    });
  });

  test("repairs what was changed or deleted on the server, and leaves other entries alone", async () => {
    const { paid, requested, add, first } = await scene();
    await add("cleo");
    await sync();
    const before = await onServer("cleo");
    const edited = await entryOf("cleo", paid.id);
    const [text = ""] = (await radicale.read("cleo", await calendarOf("cleo"))).filter((one) => one.includes(paid.id));
    await radicale.call("cleo", "PUT", edited, text.replace(/SUMMARY:.*/, "SUMMARY:Mine"));
    await radicale.call("cleo", "DELETE", await entryOf("cleo", requested.id));
    const own = text.replaceAll(paid.id, "dinner").replace(/SUMMARY:.*/, "SUMMARY:Dinner");
    await radicale.call("cleo", "PUT", await entryOf("cleo", "dinner"), own);
    minutes(61);
    await sync();
    const repaired = await onServer("cleo");
    expect(repaired.get("dinner")).toMatchObject({ summary: "Dinner" });
    repaired.delete("dinner");
    expect(repaired).toEqual(before);

    await radicale.call("cleo", "DELETE", await calendarOf("cleo"));
    minutes(61);
    await sync();
    expect(await onServer("cleo")).toEqual(before);
    expect(await first()).toMatchObject({ status: "ok", show_count: 2 });
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
    await app.database.db
      .updateTable("calendar_connections")
      .set({ attempts: 6 })
      .where("user_id", "=", player.user.id)
      .execute();
    await failAgain(4);
    await failAgain(60);
    expect(await next()).toBe(60);
    const emails = async () => {
      await sync();
      await app.settle();
      const all = app.database.db.selectFrom("messages").where("template", "=", "calendar_connection_failing");
      return all.select("text").where("recipient", "=", String(player.user.email)).execute();
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
    // The limit could not end a turn that blocked this thread.
    const { failure } = await runTurn({ ...work, ...shows, credentials }, 1_500);
    expect(failure).toEqual({ field: "server_url", message: "The calendar's server responds too slowly." });
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

  test("is available to artists and promoters", async () => {
    const admin = connectionsOf(await person("admin"));
    expect((await admin.add("ada")).status).toBe(404);
    const booker = await person("promoter");
    const { add, first } = connectionsOf(booker);
    await held({
      promoterUserId: booker.user.id,
      status: "deposit_paid",
      eventDate: "2027-07-20",
      now: app.clock.now(),
    });
    await add("fay");
    await sync();
    expect(await first()).toMatchObject({ status: "ok", show_count: 1 });
  });
});
