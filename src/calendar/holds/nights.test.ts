import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead, follow, messagesTo } from "#test/harness/bookings.ts";
import {
  artistWithHolds,
  holdsBy,
  holdSubjects,
  type Person,
  promoterOf,
  queueOf,
} from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

describe("blocking nights", () => {
  const statesOf = async (person: Person) =>
    (await holdsBy(person).mine())
      .flatMap(({ nights }) => nights.map(({ night, state }) => `${night} ${state}`))
      .toSorted();
  const blockTime = ({ at }: Person, starts_at: string, ends_at: string, release_holds: string[] = []) =>
    at.json("/api/artist/blocked-times", { starts_at, ends_at, release_holds });
  const blockNights = (owner: Person, [from, to]: [string, string], release: string[]) =>
    blockTime(owner, `${from}T06:00`, `${to}T06:00`, release);

  test("releases exactly the named holds on these nights, and refuses while another hold is there", async () => {
    const { act, owner, night, id, by, person, ranks } = await queueOf(app, 2);
    const [next, after] = [dayAhead(app, 41), dayAhead(app, 42)];
    const both = await by(1).placed(act.slug, [next, after]);
    for (const named of [[], [id(0)], [id(0), id(1)]]) {
      const { status, body } = await blockNights(owner, [night, after], named);
      expect([status, body["message"]]).toEqual([409, expect.stringMatching(/ is on hold\. Release its holds, or/)]);
    }
    expect(await ranks()).toHaveLength(2);
    const done = await blockNights(owner, [night, after], [id(0), id(1), both.id]);
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    await follow(app);
    expect(await ranks()).toEqual([]);
    expect(await statesOf(person(1))).toEqual([`${night} released`, `${next} released`, `${after} active`]);
    for (const at of [0, 1]) {
      const subjects = await holdSubjects(app, person(at));
      expect(subjects.filter((text) => text.endsWith("is released"))).toHaveLength(at + 1);
      expect(subjects.join()).not.toMatch(/You now have/);
    }
    expect(await by(0).book(id(0), night)).toMatchObject({ status: 404 });
    expect(await by(0).place(act.slug, [night])).toMatchObject({ status: 409 });
  });

  test("ends of the night before only the holds that need the blocked time, which the calendar lists", async () => {
    const { act, owner } = await artistWithHolds(app, { nightEndsAt: "00:00" });
    const [early, late] = [await promoterOf(app), await promoterOf(app)];
    const [friday, saturday, sunday] = [dayAhead(app, 40), dayAhead(app, 41), dayAhead(app, 42)];
    const first = await holdsBy(early).place(act.slug, [friday], { eventTime: "18:00" });
    // Until midnight, and an hour of travel.
    const second = await holdsBy(late).place(act.slug, [friday], { eventTime: "21:00" });
    const { body } = await owner.at.json(`/api/artist/calendar?from=${saturday}&to=${saturday}`);
    const listed = (body["items"] as { hold: { id: string } | null }[]).map(({ hold }) => hold?.id);
    expect(listed).toEqual([second.hold.id]);
    const block = (release: string[]) => blockTime(owner, `${saturday}T00:00`, `${sunday}T00:00`, release);
    const message = expect.stringMatching(/ is on hold\. Release the holds that need a part of this time/);
    expect(await block([first.hold.id])).toMatchObject({ status: 409, body: { message } });
    expect((await block([second.hold.id])).status).toBe(201);
    expect((await holdsBy(owner).queue(friday)).map(({ id }) => id)).toEqual([first.hold.id]);
    expect((await holdsBy(early).book(first.hold.id, friday)).status).toBe(200);
  });

  test("ends exactly the requests on these nights with their holds, and emails their promoters only", async () => {
    const { act, owner, night, id, book, person } = await queueOf(app, 1, { requireDeposit: false });
    const second = await promoterOf(app);
    const held = String((await book(0)).body["booking_id"]);
    const [next, after] = [dayAhead(app, 41), dayAhead(app, 42)];
    const request = async (eventDate: string) =>
      (await second.at.requestBooking({ artistId: act.slug, eventDate, clientEmail: second.user.email })).body.id;
    const [open, beside] = [await request(next), await request(after)];
    await follow(app);
    const toArtist = await messagesTo(app, owner.user.email);
    const done = await blockNights(owner, [night, after], [id(0)]);
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    await follow(app);
    for (const [booking, { user }] of [
      [held, person(0)],
      [open, second],
    ] as const) {
      expect(await bookingRow(app, booking)).toMatchObject({ status: "canceled", cancel_code: "date_lost" });
      const texts = (await messagesTo(app, user.email)).map(({ text }) => text);
      expect(texts).toContainEqual(expect.stringContaining("no longer available."));
    }
    expect(await bookingRow(app, beside)).toMatchObject({ status: "initiated" });
    expect(await messagesTo(app, owner.user.email)).toEqual(toArtist);
  });

  test("refuses a night whose hold is at the checkout, and blocks hours that its hold does not reserve", async () => {
    const { act, owner, night, id, by, book, ranks } = await queueOf(app, 1);
    expect((await book(0)).status).toBe(200);
    const refused = await blockNights(owner, [night, dayAhead(app, 41)], [id(0)]);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/being booked/) } });
    expect(await ranks()).toHaveLength(1);

    const morning = dayAhead(app, 50);
    const block = async (from: string, to: string) =>
      (await blockTime(owner, `${morning}T${from}`, `${morning}T${to}`)).status;
    expect(await block("06:00", "15:00")).toBe(201);
    await by(0).placed(act.slug, [morning]);
    expect([await block("08:00", "19:00"), await block("18:00", "19:01")]).toEqual([201, 409]);
    expect(await holdsBy(owner).queue(morning)).toHaveLength(1);
  });
});

test("retains the day of a held event when the artist's nights end at another time", async () => {
  const { act, owner } = await artistWithHolds(app);
  const promoter = await promoterOf(app);
  const night = dayAhead(app, 40);
  const { hold } = await holdsBy(promoter).place(act.slug, [night], { eventTime: "04:00" });
  const endAt = async (nightEndsAt: string) => {
    const body = { values: { nightEndsAt }, version: (await owner.at.json("/api/artist/settings")).body["version"] };
    const headers = await app.signIn(owner.user);
    return app.request("/api/artist/settings", { method: "PATCH", headers, body });
  };
  expect((await endAt("05:00")).status).toBe(200);
  const refused = await endAt("03:30");
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("is for 04:00, which would be"),
  ]);
  const booked = await holdsBy(promoter).book(hold.id, night);
  expect(await bookingRow(app, String(booked.body["booking_id"]))).toMatchObject({
    event_date: dayAhead(app, 41),
  });
  // 12:30 in Berlin is 05:30 in Austin.
  const matinee = { eventTime: "12:30", eventLocation: "Festsaal, Berlin" };
  expect((await holdsBy(promoter).place(act.slug, [dayAhead(app, 44)], matinee)).status).toBe(201);
  const moved = await endAt("06:00");
  expect([moved.status, await moved.text()]).toEqual([
    409,
    expect.stringContaining("is for 12:30 in Festsaal, Berlin, which would be in another night"),
  ]);
  // 04:00 in Austin is in another night already, as an earlier version stored it. The change does not move it.
  const { db } = app.database;
  await db.updateTable("holds").set({ event_time: "11:00" }).where("event_time", "=", "12:30").execute();
  expect((await endAt("06:00")).status).toBe(200);
});

test("shows a night as on hold after the end of its hold while the artist has to answer its request", async () => {
  const { act, night, book, wait } = await queueOf(app, 1, { requireDeposit: false, holdDays: 1 });
  expect((await book(0)).status).toBe(200);
  await wait(25);
  const shown = await app.request(`/api/artists/${act.slug}/availability?from=${night}&to=${night}`);
  expect(await shown.json()).toEqual({ items: [{ night, state: "on_hold" }] });
  // The travel to a show at 06:30 needs the last hour of the night.
  const next = { artistId: act.slug, eventDate: dayAhead(app, 40), eventTime: "06:30" };
  expect((await (await promoterOf(app)).at.check(next)).body).toMatchObject({ date: { state: "held" } });
});

test("shows the artist a held event at the time of its venue", async () => {
  const { act, owner } = await artistWithHolds(app);
  const night = dayAhead(app, 40);
  const event = { eventTime: "02:30", eventLocation: "Festsaal, Berlin" };
  expect((await holdsBy(await promoterOf(app)).place(act.slug, [night], event)).status).toBe(201);
  const { body } = await owner.at.json(`/api/artist/calendar?from=${night}&to=${night}`);
  expect(body["items"]).toMatchObject([
    { kind: "hold", night, starts_at: `${dayAhead(app, 41)}T01:30:00.000Z`, time_zone: "Europe/Berlin" },
  ]);
});

test("lists all open holds of an artist, however many", async () => {
  const { act, owner } = await artistWithHolds(app);
  await sql`
    with entered as (
      insert into holds (artist_id, entered_name, event_time, event_location, event_type, note)
      select ${act.id}, 'Promoter ' || at, '20:00', 'Austin, Texas', 'Wedding', '' from generate_series(1, 201) at
      returning id, artist_id)
    insert into hold_nights (hold_id, artist_id, night, state, rank, expires_at)
    select id, artist_id, ${dayAhead(app, 30)}::date + (row_number() over ())::int, 'active', 1, ${new Date(app.clock.now().getTime() + 9 * dayMs)}
    from entered`.execute(app.database.db);
  expect((await owner.at.json("/api/artist/holds")).body["items"]).toHaveLength(201);
});
