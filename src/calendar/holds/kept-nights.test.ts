import { sql } from "kysely";
import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promoterOf, queueOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

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
