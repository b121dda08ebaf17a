import nodeIcal from "node-ical";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { dayMs, hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { connectionHarness, eventsIn } from "#test/harness/calendars/connections.ts";
import { radicaleIsHere, radicalePassword, type Radicale, startRadicale } from "#test/harness/calendars/radicale.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { syncDueConnections } from "./sync.ts";

let app: TestApp;
let radicale: Radicale;
const { aboutNow, calendarOf, connectionsOf, held, minutes, onServer, person, scene } = connectionHarness(() => ({
  app,
  radicale,
}));
const sync = () => syncDueConnections(app.services);

const change = (id: string, set: Record<string, unknown>) =>
  app.database.db.updateTable("bookings").set(set).where("id", "=", id).execute();

describe.skipIf(!radicaleIsHere)("a calendar connection", () => {
  beforeAll(async () => {
    radicale = await startRadicale(["ada", "bea", "cleo", "fay"], { readOnly: "reader" });
    app = await testApp({ now: new Date("2027-06-01T12:00:00Z"), env: { CALENDAR_ALLOW_HOSTS: radicale.host } });
  });
  afterAll(async () => {
    await app.close();
    await radicale.close();
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
    const summary = expect.stringMatching(/^Request: /);
    expect(events.get(requested.id)).toMatchObject({ status: "TENTATIVE", summary });
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
    const cancellation = { canceled_at: app.clock.now(), canceled_by: "promoter", cancel_code: "other" };
    await change(requested.id, { ...cancellation, status: "canceled", version: requested.version + 1 });
    minutes(1);
    await sync();
    const events = await onServer("bea");
    expect([...events.keys()].sort()).toEqual([paid.id, fresh.id].sort());
    expect(events.get(paid.id)).toMatchObject({ sequence: paid.version + 1 });
    expect(await first()).toMatchObject({ show_count: 2, last_written_at: aboutNow() });

    const sequence = requested.version + 2;
    const rebooked = { canceled_at: null, canceled_by: null, cancel_code: null, status: "deposit_paid" };
    await change(requested.id, { ...rebooked, version: sequence });
    await sync();
    expect((await onServer("bea")).get(requested.id)).toMatchObject({ status: "CONFIRMED", sequence });

    const past = (at: Date) => new Date(at.getTime() - 500 * dayMs);
    await change(paid.id, { starts_at: past(paid.starts_at), ends_at: past(paid.ends_at) });
    minutes(61);
    await sync();
    expect([...(await onServer("bea")).keys()]).toContain(paid.id);
  });

  test("repairs what was changed or deleted on the server, and leaves other entries alone", async () => {
    const { paid, requested, add, first } = await scene();
    await add("cleo");
    await sync();
    const before = await onServer("cleo");
    const entryOf = async (uid: string) => `${await calendarOf("cleo")}${uid}.ics`;
    const edited = await entryOf(paid.id);
    const [text = ""] = (await radicale.read("cleo", await calendarOf("cleo"))).filter((one) => one.includes(paid.id));
    await radicale.call("cleo", "PUT", edited, text.replace(/SUMMARY:.*/, "SUMMARY:Mine"));
    await radicale.call("cleo", "DELETE", await entryOf(requested.id));
    const own = text.replaceAll(paid.id, "dinner").replace(/SUMMARY:.*/, "SUMMARY:Dinner");
    await radicale.call("cleo", "PUT", await entryOf("dinner"), own);
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

  test("is available to artists and promoters, five connections each, also of parallel additions", async () => {
    const admin = connectionsOf(await person("admin"));
    expect((await admin.add("ada")).status).toBe(404);
    const booker = await person("promoter");
    const { add, first, list } = connectionsOf(booker);
    const now = app.clock.now();
    await held({ promoterUserId: booker.user.id, status: "deposit_paid", eventDate: "2027-07-20", now });
    await add("fay");
    await sync();
    expect(await first()).toMatchObject({ status: "ok", show_count: 1 });
    const answers = await Promise.all(Array.from({ length: 7 }, (_, index) => add(`user-${index}`)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(refused[0]?.body["message"]).toBe("You can have 5 connections. Remove one first.");
    const items = await list();
    expect(items).toHaveLength(5);
    expect(JSON.stringify(items)).not.toMatch(new RegExp(`password_sealed|${radicalePassword}`));
  });
});

test("is added or given another login outside demo mode only after a recent authentication", async () => {
  const strict = await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example" }, now: new Date() });
  onTestFinished(() => strict.close());
  const headers = await strict.signIn(await strict.make.user({ role: "promoter" }));
  const post = async (path: string, body: object) => {
    const response = await strict.request(`/api/me/calendar-connections${path}`, { method: "POST", headers, body });
    return (await response.json()) as { id: string };
  };
  const login = { server_url: "https://dav.example.org/", username: "ada", password: "an app password" };
  const { id } = await post("", login);
  strict.clock.advance(6 * minuteMs);
  const needed = { code: "reauthentication_needed" };
  expect(await post("", { ...login, username: "bea" })).toMatchObject(needed);
  expect(await post(`/${id}/retry`, { ...login, server_url: "https://other.example.org/" })).toMatchObject(needed);
  expect(await post(`/${id}/retry`, {})).toMatchObject({ id, server_url: login.server_url });
});
