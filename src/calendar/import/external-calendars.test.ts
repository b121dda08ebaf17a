import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { messagesTo } from "#test/harness/bookings.ts";
import { calendarOf, type CalendarEntry } from "#test/harness/calendars/calendar-server.ts";
import { calendarsOfFile, evening } from "#test/harness/calendars/external-calendars.ts";
import { lockQueues } from "../holds/index.ts";
import { syncDueCalendars } from "./sync.ts";

const { server, app, scene, fail } = await calendarsOfFile({ RATE_LIMITS: "on" });
const withoutEnd = (text: string) => text.replace("END:VCALENDAR", "");

describe("an external calendar", () => {
  test("blocks the artist's time, and retains its entries while it fails", async () => {
    const { path, add, list, entriesNow, sync, readAgain } = await scene(evening, {
      from: "20270711T180000Z",
      to: "20270711T190000Z",
    });
    const added = await add();
    expect(added).toMatchObject({ status: 200, body: { status: "ok", entry_count: 2, url_host: server.host } });
    expect(JSON.stringify(added.body)).not.toContain(path);
    fail(path, 404);
    expect(await readAgain()).toMatchObject({
      status: "failing",
      entry_count: 2,
      message: "There is nothing at this address (404).",
    });
    expect(await readAgain(calendarOf(evening))).toMatchObject({
      status: "ok",
      entry_count: 1,
      failing_since: null,
      message: null,
    });
    expect(await entriesNow()).toHaveLength(1);
    const before = server.requestedTags.length;
    await sync();
    expect(server.requestedTags.slice(before).filter((tag) => tag !== "")).not.toHaveLength(0);
    expect((await list()).items[0]).toMatchObject({ status: "ok", entry_count: 1 });
  });

  test("retains its entries while the file that it is read from is cut off", async () => {
    const { add, readAgain } = await scene(evening, { from: "20270711T180000Z", to: "20270711T190000Z" });
    await add();
    const message = "The calendar is not complete: its end is missing.";
    for (const rest of [/END:VEVENT[^]*/, /BEGIN:VEVENT[^]*/])
      expect(await readAgain(calendarOf(evening).replace(rest, ""))).toMatchObject({
        status: "failing",
        entry_count: 2,
        message,
      });
    expect(await readAgain(calendarOf(evening))).toMatchObject({ status: "ok", entry_count: 1 });
  });

  test("retains its entries if it has had its end, but was last read by an earlier version", async () => {
    const { act, add, readAgain } = await scene(evening, { from: "20270711T180000Z", to: "20270711T190000Z" });
    await add();
    const { database } = app;
    await database.db
      .updateTable("external_calendars")
      .set({ had_end: false })
      .where("artist_id", "=", act.id)
      .execute();
    await database.exec(readFileSync("migrations/1505_calendars_read_before.sql", "utf8"));
    expect(await readAgain(withoutEnd(calendarOf(evening)))).toMatchObject({ status: "failing", entry_count: 2 });
  });

  test("reads a file without its last end, and retains the entries that are absent from it", async () => {
    const later = { from: "20270711T180000Z", to: "20270711T190000Z", uid: "later" };
    const { add, sync, readAgain, startsNow } = await scene(evening);
    await add();
    const message = "The calendar is not complete: its end is missing.";
    for (const entry of [later, { ...later, from: "20270711T170000Z", more: "SEQUENCE:1" }])
      expect(await readAgain(withoutEnd(calendarOf(entry)))).toMatchObject({
        status: "failing",
        entry_count: 2,
        message,
      });
    expect(await startsNow()).toEqual(["2027-07-10T18:00:00.000Z", "2027-07-11T17:00:00.000Z"]);
    app.clock.advance(48 * hourMs);
    await sync(withoutEnd(calendarOf(later)));
    expect(await startsNow()).toEqual(["2027-07-10T18:00:00.000Z", "2027-07-11T18:00:00.000Z"]);
    await sync(calendarOf(later));
    expect(await startsNow()).toEqual(["2027-07-11T18:00:00.000Z"]);
  });

  test("removes an entry that is absent for a day from a file that never has its last end", async () => {
    const entryOf = (day: number) => ({ from: `202707${day}T180000Z`, to: `202707${day}T190000Z`, uid: `${day}` });
    const [gone, staying, returning] = [entryOf(11), entryOf(12), entryOf(13)];
    const { act, path, add, sync, startsNow } = await scene();
    const daysAfter = async (hours: number, ...entries: readonly CalendarEntry[]) => {
      app.clock.advance(hours * hourMs);
      await sync(withoutEnd(calendarOf({ ...evening, uid: "10" }, ...entries)));
      return (await startsNow()).map((start) => Number(start.slice(8, 10)));
    };
    server.serve(path, withoutEnd(calendarOf(gone, staying, returning)));
    expect(await add()).toMatchObject({ status: 200, body: { status: "ok", entry_count: 3 } });
    expect(await daysAfter(0, staying)).toEqual([10, 11, 12, 13]);
    expect(await daysAfter(12, staying, returning)).toEqual([10, 11, 12, 13]);
    expect(await daysAfter(12, staying)).toEqual([10, 12, 13]);
    const broken = { ...staying, from: "20279912T180000Z" };
    for (const hours of [0, 25]) await daysAfter(hours, broken);
    expect(await daysAfter(0)).toEqual([10, 12]);
    expect(await daysAfter(24, broken)).toEqual([10, 12]);
    await daysAfter(0);
    fail(path);
    await sync();
    expect(await daysAfter(24)).toEqual([10, 12]);
    expect(await daysAfter(23)).toEqual([10, 12]);
    const versions = () =>
      sql`select xmin::text from date_reservations where artist_id = ${act.id} and absent_since is not null`
        .execute(app.database.db)
        .then(({ rows }) => rows);
    const before = await versions();
    await daysAfter(0);
    expect(await versions()).toEqual(before);
    expect(await daysAfter(1)).toEqual([10]);
  });

  test("is read without an entry that cannot be read, which is named and stays blocked at its last known time", async () => {
    const [gig, party] = [
      { ...evening, uid: "gig" },
      { from: "20270711T180000Z", to: "20270711T190000Z", uid: "party" },
    ];
    const { act, add, startsNow, readAgain } = await scene(gig, party);
    await add();
    const days = async () => (await startsNow()).map((start) => start.slice(0, 10));
    const later = { from: "20270712T180000Z", to: "20270712T190000Z", uid: "later-gig" };
    const broken = calendarOf(gig, later).replace("DTSTART:20270710T180000Z", "DTSTART:20279910T180000Z");
    const reason = "An entry has a DTSTART that we cannot read.";
    expect(await readAgain(broken)).toMatchObject({
      status: "ok",
      message: null,
      entry_count: 2,
      unread: { count: 1, title: "Dentist", day: null, reason },
    });
    expect(await days()).toEqual(["2027-07-10", "2027-07-12"]);
    // Reservations of an earlier version have no digest.
    await app.database.db
      .updateTable("date_reservations")
      .set({ entry_digest: null })
      .where("artist_id", "=", act.id)
      .execute();
    expect(await readAgain(broken.replace("later-gig", "renamed"))).toMatchObject({ entry_count: 2 });
    expect(await days()).toEqual(["2027-07-10", "2027-07-12"]);
    expect(await readAgain(calendarOf(later))).toMatchObject({ entry_count: 1, unread: null });
    expect(await days()).toEqual(["2027-07-12"]);
  });

  test("blocks each entry without UID once, and leaves out its old time if only another one cannot be read", async () => {
    const withoutUid = (days: { Gym: string; Dentist: string }) =>
      calendarOf(
        ...Object.values(days).map((day, at) => ({ from: `${day}T180000Z`, to: `${day}T190000Z`, uid: `u${at}` })),
      )
        .replaceAll(/UID:.*\r\n/g, "")
        .replace("SUMMARY:Dentist", "SUMMARY:Gym");
    const { path, add, startsNow, readAgain } = await scene();
    const days = { Gym: "20270710", Dentist: "20270711" };
    server.serve(path, withoutUid(days));
    expect(await add()).toMatchObject({ status: 200, body: { entry_count: 2 } });
    expect(await readAgain(`${withoutUid(days)}\r\n`)).toMatchObject({ status: "ok", entry_count: 2 });
    expect(await startsNow()).toEqual(["2027-07-10T18:00:00.000Z", "2027-07-11T18:00:00.000Z"]);
    const broken = withoutUid({ ...days, Dentist: "20270715" }).replace("DTSTART:20270710", "DTSTART:20279910");
    expect(await readAgain(broken)).toMatchObject({ entry_count: 2, unread: { count: 1, title: "Gym" } });
    expect(await startsNow()).toEqual(["2027-07-10T18:00:00.000Z", "2027-07-15T18:00:00.000Z"]);
  });

  test.each([200, 304])("is read again if the artist moves to another time zone before it answers %i", async (code) => {
    const { act, path, add, startsNow, sync } = await scene();
    const text = calendarOf({ from: "20270710T180000", to: "20270710T230000" });
    const answer = (response: ServerResponse) => response.writeHead(200, { etag: '"one"' }).end(text);
    server.serve(path, (_request, response) => answer(response));
    await add();
    const headers = await app.signIn(await app.make.user({ role: "admin" }));
    const move = { method: "PATCH", headers, body: { location: "Berlin, Germany" } };
    const moves: number[] = [];
    server.serve(path, (_request, response) => {
      if (moves.length > 0) return answer(response);
      void app.request(`/api/admin/artists/${act.id}`, move).then(({ status }) => {
        moves.push(status);
        return code === 200 ? answer(response) : response.writeHead(code).end();
      });
    });
    await sync();
    expect([moves, await startsNow()]).toEqual([[200], ["2027-07-10T16:00:00.000Z"]]);
  });

  test("locks the queues of held nights before any row, as a move of the artist does", async () => {
    const { act, path, add, entriesNow } = await scene(evening);
    const waits = sql`
      select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory' and not granted`;
    for (const store of [add, () => syncDueCalendars(app.services)]) {
      const locked = Promise.withResolvers<void>();
      const move = app.database.transaction(async (tx) => {
        await lockQueues(tx, act.id);
        locked.resolve();
        await expect.poll(async () => (await waits.execute(tx)).rows).toHaveLength(1);
        for (const [table, column] of [
          ["artists", "id"],
          ["external_calendars", "artist_id"],
        ] as const)
          await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${act.id} for update nowait`.execute(
            tx,
          );
      });
      await locked.promise;
      await Promise.all([move, store()]);
      server.serve(path, calendarOf(evening, { from: "20270720T180000Z", to: "20270720T190000Z" }));
      app.clock.advance(16 * minuteMs);
    }
    expect(await entriesNow()).toHaveLength(2);
  });

  test("is refused with the reason beside the field, and changes nothing", async () => {
    const { add, list, path } = await scene(evening);
    const bomb = calendarOf({ ...evening, more: "RRULE:FREQ=SECONDLY" });
    for (const [response, reason] of [
      ["<html>Sign in</html>", "does not lead to a calendar"],
      [bomb, "more than 100,000 times"],
      [calendarOf(evening).replace(/DTEND:.*/, "DURATION:P999999999999D"), "a DURATION that we cannot read"],
    ] as const) {
      server.serve(path, response);
      const { status, body } = await add();
      const fields = [{ field: "url", message: expect.stringContaining(reason) }];
      expect({ status, data: body["data"] }).toEqual({ status: 400, data: { fields } });
    }
    expect((await add("http://10.0.0.1/calendar.ics")).body["message"]).toContain("private network");
    expect((await list()).items).toEqual([]);
  });

  test("is refused a second time, and names its entries in the artist's calendar", async () => {
    const { player, add, list, path } = await scene(evening);
    expect((await add()).status).toBe(200);
    for (const again of [server.url(path), ` ${server.url(path).replace("http:", "HTTP:")} `]) {
      const message = "You have added this address already.";
      const { status, body } = await add(again);
      expect({ status, data: body["data"] }).toEqual({ status: 400, data: { fields: [{ field: "url", message }] } });
    }
    expect((await list()).items).toHaveLength(1);
    const { body } = await player.at.json("/api/artist/calendar?from=2027-07-10&to=2027-07-10");
    expect(body["items"]).toMatchObject([{ kind: "external", title: "Google" }]);
  });

  test("shows an entry of thousands of years in the artist's calendar", async () => {
    const { player, act, add } = await scene({ from: "05000101T000000Z", to: "99991231T235959Z" });
    const berlin = { time_zone: "Europe/Berlin" };
    await app.database.db.updateTable("artists").set(berlin).where("id", "=", act.id).execute();
    expect((await add()).status).toBe(200);
    const { status, body } = await player.at.json("/api/artist/calendar?from=2027-07-10&to=2027-07-10");
    expect([status, body["items"]]).toMatchObject([200, [{ kind: "external", night: "1999-12-31" }]]);
  });

  test("notifies the artist once after a day of failing, and wakes the outbox for that only", async () => {
    const { player, path, add } = await scene(evening);
    await add();
    fail(path);
    let woken = 0;
    const services = { ...app.services, wake: () => void woken++ };
    const emails = async () => {
      await syncDueCalendars(services);
      expect(await syncDueCalendars(services)).toBe(false);
      await app.settle();
      const sent = await messagesTo(app, player.user.email);
      return sent.filter(({ template }) => template === "calendar_failing");
    };
    app.clock.advance(16 * minuteMs);
    expect([await emails(), woken]).toEqual([[], 0]);
    app.clock.advance(24 * hourMs);
    expect((await emails())[0]?.text).toContain("answers with an error (503)");
    app.clock.advance(24 * hourMs);
    expect(await emails()).toHaveLength(1);
    expect(woken).toBe(1);
  });

  test("is failing after every error of reading it, and retains its entries", async () => {
    const { add, entriesNow, readAgain } = await scene(evening);
    const { id } = (await add()).body;
    const stored = app.database.db.updateTable("external_calendars").where("id", "=", String(id));
    await stored
      .set({ url_sealed: app.services.keys.encrypt("another purpose", "https://calendar.example") })
      .execute();
    expect(await readAgain()).toMatchObject({
      status: "failing",
      message: expect.stringContaining("Something went wrong when we read this calendar"),
    });
    expect(await entriesNow()).toHaveLength(1);
  });

  test("is one of ten at most, even if four are added to eight in parallel", async () => {
    const { act, add, list } = await scene();
    const url_sealed = app.services.keys.encrypt("external calendar", "https://calendar.example.org/");
    const other = { artist_id: act.id, name: "Other", url_sealed, url_host: "calendar.example.org" };
    const eight = Array.from({ length: 8 }, () => other);
    await app.database.db.insertInto("external_calendars").values(eight).execute();
    const addAnother = (at: number) => {
      server.serve(`/parallel-${at}`, calendarOf());
      return add(server.url(`/parallel-${at}`));
    };
    const replies = await Promise.all([1, 2, 3, 4].map(addAnother));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
    expect(refused[0]?.body["message"]).toBe("You can add 10 calendars. Remove one first.");
    expect((await list()).items).toHaveLength(10);
  });

  test("belongs to its artist, and is deleted with its entries", async () => {
    const { player, add, list, entriesNow } = await scene(evening);
    const { id } = (await add()).body;
    const stranger = await scene(evening);
    const remove = async ({ user }: typeof player) =>
      app.request(`/api/artist/external-calendars/${id}`, { method: "DELETE", headers: await app.signIn(user) });
    expect((await remove(stranger.player)).status).toBe(404);
    expect((await remove(player)).status).toBe(200);
    expect([(await list()).items, await entriesNow()]).toEqual([[], []]);
  });
});
