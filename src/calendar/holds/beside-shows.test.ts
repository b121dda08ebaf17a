import { sql } from "kysely";
import { expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, follow, messagesTo, peopleOf, press } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, later, promoterOf, queueOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { advanceOverdueNights } from "./jobs.ts";
import { overdueNights } from "./queue.views.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));
const { held } = peopleOf(() => app);
const publicState = async (slug: string, night: string) => {
  const { items } = (await (
    await app.request(`/api/artists/${slug}/availability?from=${night}&to=${night}`)
  ).json()) as {
    items: { state: string }[];
  };
  return items[0]?.state;
};

test("books each of two nights on hold for sets that end after the end of a night", async () => {
  const { act, owner } = await artistWithHolds(app);
  const [promoter, rival] = [await promoterOf(app), await promoterOf(app)];
  const [friday, saturday, sunday] = [dayAhead(app, 40), dayAhead(app, 41), dayAhead(app, 42)];
  // Until 06:30, and an hour of travel: the night of Saturday begins at 06:00.
  const late = { eventTime: "03:30" };
  const own = await holdsBy(promoter).place(act.slug, [friday, saturday], late);
  expect((await holdsBy(rival).place(act.slug, [sunday])).status).toBe(201);
  const booked = await holdsBy(promoter).book(own.hold.id, friday);
  // The event of the last night needs the time until 07:30 on Sunday.
  const [morning, afterwards] = ["06:00", "07:30"].map((time) => ({
    starts_at: `${sunday}T${time}`,
    ends_at: `${sunday}T12:00`,
  }));
  const blocked = await owner.at.json("/api/artist/blocked-times", morning);
  expect(blocked).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^Monday .* is on hold\. Release/) },
  });
  expect((await owner.at.json("/api/artist/blocked-times", afterwards)).status).toBe(201);
  expect(booked).toMatchObject({ status: 200, body: { checkout_url: expect.any(String) } });
  expect(await publicState(act.slug, saturday)).toBe("on_hold");
  const next = await holdsBy(promoter).book(own.hold.id, saturday);
  expect(next).toMatchObject({ status: 200, body: { checkout_url: expect.any(String) } });
  // The hold's event needs the time from 13:00 on.
  const { act: other } = await artistWithHolds(app);
  await holdsBy(promoter).place(other.slug, [saturday], { eventTime: "14:00" });
  const show = { artistId: other.slug, eventDate: saturday, eventTime: "03:30" };
  const check = async (duration: string) =>
    ((await rival.at.check({ ...show, duration })).body["date"] as { state: string }).state;
  expect((await rival.at.check(show)).body).toMatchObject({ date: { state: "free", night: friday } });
  expect([await check("8 hours 30 minutes"), await check("8 hours 31 minutes")]).toEqual(["free", "held"]);
});

test("reserves the nights on hold of an earlier version again, once", async () => {
  const { act } = await artistWithHolds(app);
  const [promoter, rival] = [await promoterOf(app), await promoterOf(app)];
  const [friday, saturday] = [dayAhead(app, 40), dayAhead(app, 41)];
  const { hold } = await holdsBy(promoter).place(act.slug, [friday], { eventTime: "03:30" });
  await holdsBy(rival).placed(act.slug, [saturday]);
  const { db } = app.database;
  const reservations = db.updateTable("date_reservations").where("artist_id", "=", act.id);
  const morning = (day: string) => `${day} 06:00 America/Chicago`;
  for (const [lower, upper] of [
    [friday, saturday],
    [saturday, dayAhead(app, 42)],
  ] as const)
    await reservations
      .set({ during: sql`tstzrange(${morning(lower)}, ${morning(upper)})`, span: sql`during` })
      .where(sql<boolean>`upper(during)::date >= ${upper}::date and lower(during)::date <= ${upper}::date`)
      .where(sql<boolean>`hold_night_id in (select id from hold_nights where night = ${lower}::date)`)
      .execute();
  expect((await holdsBy(promoter).book(hold.id, friday)).status).toBe(409);
  await advanceOverdueNights(app.services);
  expect(await overdueNights(db, app.clock.now())).toEqual([]);
  const { rows } = await sql`
    select to_char(upper(r.during) at time zone 'America/Chicago', 'HH24:MI') as until from date_reservations r
    join hold_nights n on n.id = r.hold_night_id where n.artist_id = ${act.id} order by n.night`.execute(db);
  expect(rows).toEqual([{ until: "07:30" }, { until: "06:00" }]);
  expect((await holdsBy(promoter).book(hold.id, friday)).status).toBe(200);
});

test("refuses a hold for the time of a show, a blocked time or a checkout of the same night", async () => {
  const { act, owner } = await artistWithHolds(app);
  const [promoter, guest] = [await promoterOf(app), browser(app)];
  const [booked, blocked, paying] = [dayAhead(app, 40), dayAhead(app, 44), dayAhead(app, 48)];
  const matinee = { eventTime: "14:00" };
  const now = app.clock.now();
  await held({ artist: act, status: "deposit_paid", eventDate: booked, eventTime: "13:00", minutes: 120, now });
  const time = { starts_at: `${blocked}T12:00`, ends_at: `${blocked}T13:30` };
  expect((await owner.at.json("/api/artist/blocked-times", time)).status).toBe(201);
  const { body } = await guest.requestBooking({ artistId: act.slug, eventDate: paying, ...matinee });
  const checkout = await guest.checkout(body);
  for (const night of [booked, blocked, paying]) {
    const message = expect.stringContaining("has something else on");
    expect(await holdsBy(promoter).place(act.slug, [night], matinee)).toMatchObject({ status: 409, message });
    expect(await publicState(act.slug, night)).toBe("free");
    expect((await holdsBy(promoter).place(act.slug, [night])).status).toBe(201);
  }
  // The paid matinee leaves the evening to its hold.
  await press(app, checkout.body["checkout_url"], "pay");
  expect(await bookingRow(app, body.id)).toMatchObject({ deposit_paid_at: expect.any(Date) });
  expect(await publicState(act.slug, paying)).toBe("on_hold");
  const [evening] = await holdsBy(promoter).mine();
  expect((await holdsBy(promoter).book(String(evening?.id), paying)).status).toBe(200);
});

test.each(["the first hold is at its checkout", "the same promoter waits behind the first hold"])(
  "keeps the first hold of the evening when an earlier checkout for a matinee is paid while %s",
  async (situation) => {
    const { act, owner } = await artistWithHolds(app);
    const [first, other] = [await promoterOf(app), await promoterOf(app)];
    const isBehind = situation.startsWith("the same");
    const [night, also] = [dayAhead(app, 40), dayAhead(app, 41)];
    const matinee = { artistId: act.slug, eventDate: night, eventTime: "14:00", clientEmail: other.user.email };
    const { body } = await other.at.requestBooking(matinee);
    const checkout = await other.at.checkout(body);
    const { id } = await holdsBy(first).placed(act.slug, [night, also]);
    if (isBehind) await holdsBy(other).placed(act.slug, [night]);
    else expect((await holdsBy(first).book(id, night)).status).toBe(200);
    await press(app, checkout.body["checkout_url"], "pay");
    expect(await bookingRow(app, body.id)).toMatchObject({ deposit_paid_at: expect.any(Date) });
    const queue = await holdsBy(owner).queue(night);
    expect(queue.map((hold) => hold.id === id)).toEqual(isBehind ? [true, false] : [true]);
    const opened = await holdsBy(first).book(id, night);
    await press(app, opened.body["checkout_url"], "pay");
    await follow(app);
    const [own] = await holdsBy(first).mine();
    expect(own?.nights.map(({ state }) => state)).toEqual(["booked", "released"]);
  },
);

test("shows a night as on hold while its first hold pays for another time than the evening", async () => {
  const { act, owner } = await artistWithHolds(app);
  const [promoter, rival] = [await promoterOf(app), await promoterOf(app)];
  const night = dayAhead(app, 40);
  const { hold } = await holdsBy(promoter).place(act.slug, [night], { eventTime: "14:00" });
  await holdsBy(rival).placed(act.slug, [night]);
  const opened = await holdsBy(promoter).book(hold.id, night);
  const states = async () => [
    await publicState(act.slug, night),
    ((await browser(app).check({ artistId: act.slug, eventDate: night })).body["date"] as { state: string }).state,
  ];
  expect(await states()).toEqual(["on_hold", "held"]);
  const evening = { starts_at: `${night}T20:00`, ends_at: `${night}T23:00` };
  expect((await owner.at.json("/api/artist/blocked-times", evening)).body["message"]).toMatch(/Release its holds/);
  await press(app, opened.body["checkout_url"], "cancel");
  await later(app, 1, promoter);
  expect(await states()).toEqual(["on_hold", "held"]);
});

test("reserves a night for its queue while a checkout that is over has another time of it", async () => {
  const { act } = await artistWithHolds(app);
  const promoter = await promoterOf(app);
  const night = dayAhead(app, 40);
  const { hold } = await holdsBy(promoter).place(act.slug, [night], { eventTime: "14:00" });
  expect((await holdsBy(promoter).book(hold.id, night)).status).toBe(200);
  app.clock.advance(37 * minuteMs);
  await holdsBy(await promoterOf(app)).placed(act.slug, [night]);
  expect(await publicState(act.slug, night)).toBe("on_hold");
});

test("offers no other time of a night on hold as the nearest free date", async () => {
  const { act } = await artistWithHolds(app);
  const [before, night, after] = [dayAhead(app, 39), dayAhead(app, 40), dayAhead(app, 41)];
  await holdsBy(await promoterOf(app)).placed(act.slug, [night]);
  await held({ artist: act, status: "deposit_paid", eventDate: before, eventTime: "14:00", now: app.clock.now() });
  const { body } = await browser(app).check({ artistId: act.slug, eventDate: before, eventTime: "14:00" });
  const { state, nearest } = body["date"] as { state: string; nearest: { date: string }[] };
  expect([state, nearest.map(({ date }) => date)]).toEqual(["taken", [dayAhead(app, 38), after, dayAhead(app, 37)]]);
});

test("lets a challenged hold open the checkout again if it would be lost by waiting 30 minutes", async () => {
  await using limited = await testApp({ now: new Date("2026-11-24T18:00:00Z"), env: { RATE_LIMITS: "on" } });
  const { book, challenge, own, person, wait } = await queueOf(limited, 2);
  expect((await challenge(1)).status).toBe(200);
  await wait(22, 0);
  expect((await book(0)).status).toBe(200);
  await wait(0.65, 0);
  expect(await own(0)).toMatchObject({ state: "active", being_booked: false });
  expect((await book(0)).status).toBe(429);
  await wait(0.55, 0);
  expect((await book(0)).status).toBe(200);
  await wait(0.65, 0);
  expect((await book(0)).status).toBe(200);
  const emails = (await messagesTo(limited, person(0).user.email)).filter(({ template }) => template === "hold_ended");
  const again = emails.map(({ text }) => /You can open the checkout again (from|until then)/.exec(text)?.[1]);
  expect(again).toEqual(["from", "until then"]);
});
