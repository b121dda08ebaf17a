import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { changeArtistSettings } from "#settings/index.ts";
import { bookingRow, browser, messagesTo, peopleOf } from "#test/harness/bookings.ts";
import { calendarOf } from "#test/harness/calendars/calendar-server.ts";
import { calendarsOfFile, evening } from "#test/harness/calendars/external-calendars.ts";
import { blockedEvent } from "../event-files/show-event.rules.ts";

const { server, app, scene } = await calendarsOfFile();
const { held } = peopleOf(() => app);

describe("an entry of an external calendar", () => {
  test("conflicts with a show on display and in one email per entry, and never with the show itself", async () => {
    const { player, act, path, add, list, entriesNow, sync } = await scene();
    const { booking } = await held({
      artist: act,
      status: "deposit_paid",
      eventDate: "2027-07-10",
      now: app.clock.now(),
    });
    server.serve(path, calendarOf({ uid: booking.id.toUpperCase(), ...evening }));
    await add();
    expect([await entriesNow(), (await list()).conflicts]).toEqual([[], []]);
    const at = booking.starts_at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
    await sync(calendarOf({ from: at, to: at.replace(/T\d\d/, "T23") }));
    expect((await list()).conflicts).toEqual([
      { booking_id: booking.id, number: booking.number, event_date: "2027-07-10", calendar_name: "Google" },
    ]);
    const conflictEmails = async () => {
      await sync();
      await app.settle();
      return (await messagesTo(app, player.user.email)).filter(({ template }) => template === "calendar_conflict");
    };
    expect(await conflictEmails()).toMatchObject([
      { subject: "Saturday 10 July: your calendar “Google” has an entry at the time of your show" },
    ]);
    server.serve(path, calendarOf({ from: at, to: at.replace(/T\d\d/, "T23"), more: "SUMMARY:Renamed" }));
    expect(await conflictEmails()).toHaveLength(1);
    server.serve(path, calendarOf({ from: at.replace(/T\d\d/, "T00"), to: at.replace(/T\d\d/, "T23") }));
    expect(await conflictEmails()).toHaveLength(2);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
  });

  test("leaves out a canceled show at its own time only, because its entry may be moved", async () => {
    const { act, path, add, entriesNow, sync } = await scene();
    const { booking } = await held({ artist: act, status: "canceled", eventDate: "2027-07-10", now: app.clock.now() });
    const textOf = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const own = { uid: booking.id, from: textOf(booking.starts_at), to: textOf(booking.ends_at) };
    server.serve(path, calendarOf(own));
    await add();
    expect(await entriesNow()).toEqual([]);
    const moved = { ...own, from: "20270717T180000Z", to: "20270717T230000Z", more: "SEQUENCE:1" };
    await sync(calendarOf(moved));
    expect(await entriesNow()).toHaveLength(1);
  });

  test("leaves out a time that the artist has unblocked, because another calendar reads our feed hours later", async () => {
    const { act, path, add, entriesNow } = await scene();
    const { uid } = blockedEvent(
      {
        id: randomUUID(),
        artist_id: act.id,
        starts_at: app.clock.now(),
        ends_at: app.clock.now(),
        created_at: app.clock.now(),
      },
      "UTC",
    );
    server.serve(path, calendarOf({ ...evening, uid }));
    await add();
    expect(await entriesNow()).toEqual([]);
  });

  test("ends no open request, and its artist sees which calendar takes the date or the travel before it", async () => {
    const { player, act, add } = await scene({ from: "20270710T170000Z", to: "20270711T001000Z" });
    await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { requireDeposit: false }, player.user.id));
    const visitor = browser(app);
    const request = async (eventDate: string) =>
      (await visitor.requestBooking({ artistId: act.slug, eventDate, eventTime: "20:00" })).body;
    const [booking, beside] = [await request("2027-07-10"), await request("2027-07-12")];
    await add();
    await app.settle();
    const busy = { calendar: "Google", starts_at: "2027-07-10T17:00:00.000Z" };
    expect(booking["starts_at"]).toBe("2027-07-11T01:00:00.000Z");
    const { items } = (await player.at.json("/api/artist/bookings?show=needs_you")).body;
    expect(items).toMatchObject([
      { id: booking.id, busy_elsewhere: busy },
      { id: beside.id, busy_elsewhere: null },
    ]);
    const address = `/api/bookings/${booking.id}`;
    expect((await player.at.json(address)).body).toMatchObject({ status: "initiated", busy_elsewhere: busy });
    expect((await visitor.json(address)).body).toMatchObject({ busy_elsewhere: null });
    expect((await player.at.json(`/api/artist/bookings/${booking.id}/accept`, {})).status).toBe(200);
    expect((await player.at.json(address)).body).toMatchObject({ busy_elsewhere: null });
  });
});
