import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { insertBlockedTime } from "../store.ts";

const app = closeAfterFile(await testApp({ now: new Date("2027-06-01T12:00:00Z") }));
const { artist, person, held } = peopleOf(() => app);

type Feed = { kind: string; url: string | null; last_fetched_at: string | null; last_client: string | null };
type At = Awaited<ReturnType<typeof person>>["at"];

const feedsOf = async (at: At) => (await at.json("/api/me/calendar-feeds")).body["items"] as Feed[];
const feedOf = async (at: At, kind: string) => (await feedsOf(at)).find((feed) => feed.kind === kind);
const call = async ({ user }: Awaited<ReturnType<typeof person>>, method: string, path: string) => {
  const headers = await app.signIn(user);
  const response = await app.request(`/api/me/calendar-feeds${path}`, { method, headers, body: {} });
  return { status: response.status, body: (await response.json()) as Feed };
};
const fetchFeed = (url: string | null | undefined, headers: Record<string, string> = {}) =>
  app.server.inject({ url: new URL(String(url)).pathname, headers });

async function artistWithShows() {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, name: "Cold Harbor" });
  const promoter = await person("promoter");
  const make = (status: "initiated" | "deposit_paid" | "canceled", eventDate: string) =>
    held({ artist: act, status, eventDate, promoterUserId: promoter.user.id, now: app.clock.now() });
  const shows = {
    paid: (await make("deposit_paid", "2027-07-10")).booking,
    requested: (await make("initiated", "2027-07-11")).booking,
    canceled: (await make("canceled", "2027-07-12")).booking,
  };
  return { player, promoter, act, ...shows };
}

/** Returns the events of a feed, which two parsers must read equally. */
function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  const read = calendar.getAllSubcomponents("vevent").map((component) => {
    const { uid, startDate, endDate, sequence, summary } = new ICAL.Event(component);
    const status = component.getFirstPropertyValue("status");
    return { uid, status, summary, sequence, start: startDate.toJSDate(), end: endDate.toJSDate() };
  });
  const other = Object.values(nodeIcal.sync.parseICS(text)).flatMap((one) => (one?.type === "VEVENT" ? [one] : []));
  expect(other).toHaveLength(read.length);
  for (const [at, event] of other.entries())
    // node-ical's dates also have the name of their zone.
    expect({ ...event, start: new Date(+event.start), end: new Date(Number(event.end)) }).toMatchObject(read[at] ?? {});
  return read.map(({ uid, status, summary }) => ({ uid, status, summary }));
}

describe("calendar feeds", () => {
  test("lists shows, requests and cancellations to both parties, and only busy times to the public", async () => {
    const { player, promoter, paid, requested, canceled } = await artistWithShows();
    const ofArtist = await fetchFeed((await feedOf(player.at, "private"))?.url);
    expect(ofArtist.headers).toMatchObject({
      "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
      "cache-control": "private, no-cache",
    });
    expect(ofArtist.body).toContain("REFRESH-INTERVAL;VALUE=DURATION:PT60M\r\nX-PUBLISHED-TTL:PT60M");
    const own = "Wedding: The Waterworks, Austin";
    expect(eventsOf(ofArtist.body)).toEqual([
      { uid: paid.id, status: "CONFIRMED", summary: own },
      { uid: requested.id, status: "TENTATIVE", summary: `Request: ${own}` },
      { uid: canceled.id, status: "CANCELLED", summary: own },
    ]);
    const ofPromoter = await fetchFeed((await feedOf(promoter.at, "private"))?.url);
    const summary = "Cold Harbor, wedding";
    expect(eventsOf(ofPromoter.body)[0]).toEqual({ uid: paid.id, status: "CONFIRMED", summary });
    expect(await feedOf(promoter.at, "public")).toBeUndefined();
    const open = await fetchFeed((await feedOf(player.at, "public"))?.url);
    expect(eventsOf(open.body)).toEqual([{ uid: paid.id, status: "CONFIRMED", summary: "Busy" }]);
    expect(open.body).not.toMatch(/Waterworks|Hannah|Wedding|SD-|LOCATION|URL/);
  });

  test("lists the nights that the artist blocked as busy, without the note", async () => {
    const { player, promoter, act } = await artistWithShows();
    const blocked = await app.database.transaction((tx) =>
      insertBlockedTime(tx, {
        artistId: act.id,
        from: new Date("2027-07-14T11:00:00Z"),
        to: new Date("2027-07-21T11:00:00Z"),
        note: "In Maine",
        now: app.clock.now(),
      }),
    );
    for (const kind of ["private", "public"]) {
      const { body } = await fetchFeed((await feedOf(player.at, kind))?.url);
      expect(eventsOf(body)).toContainEqual({ uid: `${blocked?.id}.${act.id}`, status: "CONFIRMED", summary: "Busy" });
      expect(body).toMatch(/DTSTART(;TZID=America\/Chicago:20270714T060000|:20270714T110000Z)/);
      expect(body).not.toContain("Maine");
    }
    const ofPromoter = await fetchFeed((await feedOf(promoter.at, "private"))?.url);
    expect(ofPromoter.body).not.toContain(blocked?.id);
  });

  test("lists a canceled show for 30 days", async () => {
    const { player, canceled } = await artistWithShows();
    const url = (await feedOf(player.at, "private"))?.url;
    const at = async (days: number) => {
      await app.database.db
        .updateTable("bookings")
        .set({ canceled_at: new Date(app.clock.now().getTime() - days * dayMs) })
        .where("id", "=", canceled.id)
        .execute();
      return (await fetchFeed(url)).body.includes(canceled.id);
    };
    expect([await at(29.9), await at(30.1)]).toEqual([true, false]);
  });

  test("answers 304 until something changes, and records the client", async () => {
    const { player, paid } = await artistWithShows();
    const { url, last_client } = (await feedOf(player.at, "private")) ?? {};
    expect(last_client).toBe(null);
    const recorded = async (client: string) => {
      await expect.poll(() => feedOf(player.at, "private")).toMatchObject({ last_client: client });
    };
    const first = await fetchFeed(url, { "user-agent": "Google-Calendar-Importer" });
    await recorded("Google Calendar");
    const tag = String(first.headers.etag);
    const apple = { "if-none-match": `"other", W/${tag}`, "user-agent": "iOS/26 dataaccessd/1.0" };
    const again = await fetchFeed(url, apple);
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
    await recorded("Apple Calendar");
    await app.database.db.updateTable("bookings").set({ version: 9 }).where("id", "=", paid.id).execute();
    const changed = await fetchFeed(url, { "if-none-match": tag });
    expect(changed.statusCode).toBe(200);
    expect(changed.body).toContain("SEQUENCE:9");
  });

  test("replaces the address immediately, and switches a feed off", async () => {
    const { player, promoter } = await artistWithShows();
    const before = (await feedOf(player.at, "public"))?.url;
    const renewed = (await call(player, "POST", "/public/renew")).body;
    expect((await fetchFeed(before)).statusCode).toBe(404);
    expect((await fetchFeed(renewed.url)).statusCode).toBe(200);
    expect((await feedOf(player.at, "public"))?.url).toBe(renewed.url);
    expect((await call(player, "DELETE", "/public")).body.url).toBe(null);
    expect((await fetchFeed(renewed.url)).statusCode).toBe(404);
    expect((await feedOf(player.at, "public"))?.url).toBe(null);
    expect((await call(promoter, "POST", "/public/renew")).status).toBe(404);
    const stored = await app.database.db.selectFrom("calendar_feeds").selectAll().execute();
    const token = /calendar\/(.+)\.ics/.exec(String((await feedOf(player.at, "private"))?.url))?.[1];
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("ends with a suspended account, and the public one with the role of an artist", async () => {
    const { player } = await artistWithShows();
    const url = (await feedOf(player.at, "private"))?.url;
    const open = (await feedOf(player.at, "public"))?.url;
    await app.database.db
      .updateTable("profiles")
      .set({ role: "promoter" })
      .where("user_id", "=", player.user.id)
      .execute();
    expect([(await fetchFeed(url)).statusCode, (await fetchFeed(open)).statusCode]).toEqual([200, 404]);
    const until = new Date(app.clock.now().getTime() + 1_000);
    await app.database.db.updateTable("users").set({ banned_until: until }).where("id", "=", player.user.id).execute();
    expect((await fetchFeed(url)).statusCode).toBe(404);
  });
});

test("shows and renews the private address outside demo mode only after a recent authentication", async () => {
  const strict = closeAfterFile(
    await testApp({ env: { DEMO: "0", PUBLIC_URL: "https://stagedoor.example" }, now: new Date() }),
  );
  const user = await strict.make.user({ role: "artist" });
  const headers = await strict.signIn(user);
  const get = async <T>(path = "", method = "GET") => {
    const response = await strict.request(`/api/me/calendar-feeds${path}`, {
      method,
      headers,
      ...(method === "POST" ? { body: {} } : {}),
    });
    return (await response.json()) as T;
  };
  const { url } = await get<Feed>("/private/renew", "POST");
  expect(await get<Feed>("/private")).toMatchObject({ url });
  const open = (await get<Feed>("/public")).url;
  const listed = async () => (await get<{ items: Feed[] }>()).items.map((feed) => [feed.kind, feed.url]);
  expect(await listed()).toEqual([
    ["private", url],
    ["public", open],
  ]);
  strict.clock.advance(6 * minuteMs);
  const hidden = url?.replace(/(.{4}).{24}(.{4}\.ics)$/, "$1…$2");
  expect(await listed()).toEqual([
    ["private", hidden],
    ["public", open],
  ]);
  const needed = { code: "reauthentication_needed" };
  expect(await get("/private")).toMatchObject(needed);
  expect(await get("/private/renew", "POST")).toMatchObject(needed);
  expect(await get<Feed>("/public")).toMatchObject({ url: open });
  expect((await get<Feed>("/public/renew", "POST")).url).not.toBe(open);
  const { statusCode } = await strict.server.inject({ url: new URL(String(url)).pathname });
  expect(statusCode).toBe(200);
});
