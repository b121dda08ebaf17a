import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeLimits } from "#platform/security/limits.ts";
import { formatDay } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  browser,
  dayAhead,
  emailsFor,
  follow,
  messagesTo,
  press,
  reservations,
  verifyMailbox,
} from "#test/harness/bookings.ts";
import * as holds from "#test/harness/calendars/holds.ts";
import { later, artistWithHolds, holdsBy, nightOf, type Person, promoterOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));
const queueOf = (count: number, settings = {}) => holds.queueOf(app, count, settings);
const subjectsFor = (person: Person) => holds.holdSubjects(app, person);

describe("placing holds", () => {
  test("queues promoters, blocks the night for all other accounts, and shows strangers only its deadline", async () => {
    const { act, by, night, owner, own, ranks } = await queueOf(2);
    expect(await ranks()).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);
    expect(await own(1)).toMatchObject({ rank: 2, can: { release: true, book: false, challenge: true } });
    const [mine] = await by(1).mine();
    expect(mine).toMatchObject({ artist: { slug: act.slug }, deposit: { currency: "usd" }, challenge_hours: 24 });
    expect((await by(0).place(act.slug, [night])).message).toMatch(/^You hold .* already\.$/);

    const { at: stranger } = await promoterOf(app);
    const check = await stranger.check({ artistId: act.slug, eventDate: night, eventTime: "14:00" });
    const message = expect.stringMatching(/is on hold until Tuesday 1 December 2026, .* at the latest\.$/);
    expect(check.body).toMatchObject({ date: { state: "held", message } });
    expect((await stranger.requestBooking({ artistId: act.slug, eventDate: night })).status).toBe(409);
    const shown = await app.request(`/api/artists/${act.slug}/availability?from=${night}&to=${night}`);
    expect(await shown.json()).toEqual({ items: [{ night, state: "on_hold" }] });

    const { body } = await owner.at.json(`/api/artist/calendar?from=${night}&to=${night}`);
    expect(body["items"]).toMatchObject([1, 2].map((rank) => ({ kind: "hold", hold: { rank } })));
    const evening = { starts_at: `${night}T18:00`, ends_at: `${night}T23:00` };
    const blocked = await owner.at.json("/api/artist/blocked-times", evening);
    expect(blocked).toMatchObject({ status: 409, body: { message: expect.stringContaining("is on hold") } });
  });

  test("refuses artists without holds, closed nights, a sixth open hold, and a night again within 7 days", async () => {
    const { act } = await artistWithHolds(app, { minimumNotice: 0 });
    const closed = await artistWithHolds(app, { holdsEnabled: false });
    const promoter = await promoterOf(app);
    let by = holdsBy(promoter);
    const night = dayAhead(app, 30);
    const unproven = await promoterOf(app);
    const unconfirmed = app.database.db.updateTable("users").set({ email_confirmed_at: null });
    await unconfirmed.where("id", "=", unproven.user.id).execute();
    expect((await holdsBy(unproven).place(act.slug, [night])).status).toBe(403);
    for (const eventLocation of ["Hall\nPay to IBAN DE00", "\u200b\u202e"])
      expect((await by.place(act.slug, [night], { eventLocation })).body).toMatchObject({
        data: { fields: [{ field: "eventLocation" }] },
      });
    const refused = await by.place(closed.act.slug, [night]);
    expect(refused).toMatchObject({ status: 409, message: expect.stringMatching(/no holds/) });
    expect((await by.place(act.slug, [dayAhead(app, 400)])).status).toBe(409);
    // Nothing is stored if one of the nights cannot be held.
    expect((await by.place(act.slug, [night, dayAhead(app, 400)])).status).toBe(409);
    expect(await by.mine()).toEqual([]);
    for (let at = 0; at < 5; at++) await by.placed(act.slug, [dayAhead(app, 30 + at)]);
    expect(await by.place(act.slug, [dayAhead(app, 50)])).toMatchObject({
      status: 409,
      message: "You have 5 open holds. The limit is 5. Release 1 before you place another.",
    });
    const headers = await app.signIn(await app.make.user({ role: "admin" }));
    const limit = async (mostOpenHolds: number) => {
      const { version } = (await (await app.request("/api/admin/settings", { headers })).json()) as { version: number };
      const body = { values: { mostOpenHolds }, version };
      return (await app.request("/api/admin/settings", { method: "PATCH", headers, body })).status;
    };
    expect([await limit(0), await limit(51), await limit(3)]).toEqual([400, 400, 200]);
    expect((await by.place(act.slug, [dayAhead(app, 50)])).message).toMatch(/The limit is 3. Release 3 before/);
    expect(await limit(6)).toBe(200);
    await by.placed(act.slug, [dayAhead(app, 50)]);
    expect(await limit(5)).toBe(200);
    by = holdsBy(await later(app, 7 * 24, promoter));
    const again = /has ended\. You can hold this night again from \w+ \d+ \w+ 20\d\d, \d\d:\d\d/;
    expect((await by.place(act.slug, [night])).message).toMatch(again);
    by = holdsBy(await later(app, 7 * 24, promoter));
    const { id } = await by.placed(act.slug, [night]);
    expect((await by.release(id)).status).toBe(200);
    expect((await by.place(act.slug, [night])).message).toMatch(again);
    expect((await subjectsFor(promoter)).filter((text) => text.endsWith("has expired"))).toHaveLength(6);
  });

  test("lists a promoter 200 holds at most, the open ones first, their own before those that artists entered", async () => {
    const { act } = await artistWithHolds(app);
    const promoter = await promoterOf(app);
    const [night, now] = [dayAhead(app, 30), app.clock.now()];
    const { id } = await holdsBy(promoter).placed(act.slug, [night]);
    const listedWith = async (state: "released" | "active", name: string | null) => {
      await sql`with made as (
          insert into holds (artist_id, promoter_user_id, entered_name, event_time, event_location, event_type, note, created_at)
          select artist_id, promoter_user_id, ${name}, event_time, event_location, event_type, note, created_at + interval '1 minute'
          from holds, generate_series(1, 200) where id = ${id}::uuid returning id)
        insert into hold_nights (hold_id, artist_id, promoter_user_id, night, state, rank, expires_at, ended_at)
        select id, ${act.id}::uuid, ${promoter.user.id}::uuid, ${night}::date + row_number() over ()::int, ${state},
          case when ${state} = 'active' then 1 end, ${now}::timestamptz, case when ${state} = 'released' then ${now}::timestamptz end from made`.execute(
        app.database.db,
      );
      const listed = await holdsBy(promoter).mine();
      return [listed.length, listed[0]?.id];
    };
    expect(await listedWith("released", null)).toEqual([200, id]);
    expect(await listedWith("active", "Agency")).toEqual([200, id]);
  });

  test("lets the artist enter a hold manually for 60 days, for a name or for an account that is not disclosed", async () => {
    const { act, owner } = await artistWithHolds(app, { holdsEnabled: false });
    const [promoter, other] = [await promoterOf(app), await promoterOf(app)];
    const night = dayAhead(app, 90);
    const until = new Date(app.clock.now().getTime() + 60 * 24 * hourMs);
    const { enter } = holdsBy(owner);
    expect((await enter(night, { until: new Date(until.getTime() + hourMs) })).status).toBe(400);
    expect((await enter(night, { until })).status).toBe(201);
    const known = await enter(night, { until, name: "Known", email: promoter.user.email });
    expect(known).toMatchObject({ status: 201, body: { promoter_name: "Known", by_hand: true } });
    const [own] = await holdsBy(promoter).mine();
    expect(nightOf(own, night)).toMatchObject({ rank: 2, can: { release: true, challenge: true } });
    expect((await other.at.requestBooking({ artistId: act.slug, eventDate: night })).status).toBe(409);
  });

  test("emails the account of an entered hold once, without the artist's words, and within a limit per day", async () => {
    const { owner } = await artistWithHolds(app);
    const account = await promoterOf(app);
    const [first, second, third] = [dayAhead(app, 50), dayAhead(app, 51), dayAhead(app, 52)];
    const until = new Date(app.clock.now().getTime() + 30 * 24 * hourMs);
    const hold = { until, nights: [first, second, third], name: "Buy cheap pills now", email: account.user.email };
    expect((await holdsBy(owner).enter(first, hold)).status).toBe(201);
    await follow(app);
    expect(await subjectsFor(account)).toEqual([expect.stringMatching(/ holds .*, .*, .* for you$/)]);

    // The demo allows 50 of these messages a day, production 5.
    await sql`insert into messages (channel, recipient, template, subject, text, ref_id, status, dedupe_key, next_try_at, created_at)
      select channel, recipient, template, subject, text, ref_id, status, n::text, next_try_at, created_at
      from messages, generate_series(1, 48) n where recipient = ${account.user.email} and template = 'hold_changed'`.execute(
      app.database.db,
    );
    for (const days of [53, 54, 55]) {
      const next = dayAhead(app, days);
      expect((await holdsBy(owner).enter(next, { ...hold, nights: [next] })).status).toBe(201);
    }
    await follow(app);
    const mails = await messagesTo(app, account.user.email);
    expect(mails.filter(({ template }) => template === "hold_changed")).toHaveLength(50);
    expect(JSON.stringify(mails)).not.toContain("cheap pills");
  });

  test("answers the artist the same for an entered address with and without an account, and with a hold", async () => {
    const { act, owner } = await artistWithHolds(app);
    const [account, rival] = [await promoterOf(app), await promoterOf(app)];
    const night = dayAhead(app, 50);
    await holdsBy(rival).placed(act.slug, [night]);
    const until = new Date(app.clock.now().getTime() + 30 * 24 * hourMs);
    const { enter } = holdsBy(owner);
    const emails = [account.user.email, rival.user.email, "nobody@quayside.example"];
    for (const email of emails) expect((await enter(night, { until, email })).status).toBe(201);
    for (const email of emails) {
      const again = await enter(night, { until, email: email.toUpperCase() });
      expect([again.status, again.message]).toEqual([409, expect.stringMatching(/already has a hold with this email/)]);
    }
  });

  test("refuses a night with a request that waits for the artist's answer, until it is answered", async () => {
    const { act, owner } = await artistWithHolds(app, { requireDeposit: false });
    const [rival, promoter] = [await promoterOf(app), await promoterOf(app)];
    const [night, next] = [dayAhead(app, 45), dayAhead(app, 46)];
    // A set after midnight belongs to the night before.
    const request = await rival.at.requestBooking({ artistId: act.slug, eventDate: next, eventTime: "01:00" });
    expect(request.status).toBe(201);
    const long = { eventDate: dayAhead(app, 60), eventTime: "23:00", duration: "8 hours" };
    expect((await rival.at.requestBooking({ artistId: act.slug, ...long })).status).toBe(201);
    // Anybody can send a form with an address, so it stops nobody.
    const guest = browser(app);
    const { body: unverified } = await guest.requestBooking({ artistId: act.slug, eventDate: dayAhead(app, 80) });
    const dateOf = async () => (await guest.json(`/api/bookings/${unverified.id}`)).body["date"];
    expect(await dateOf()).toBeNull();
    await follow(app);
    await holdsBy(promoter).placed(act.slug, [dayAhead(app, 80)]);
    await verifyMailbox(app, guest, unverified.id);
    expect(await dateOf()).toMatchObject({ state: "held", message: expect.stringMatching(/ is on hold until /) });
    const [email] = await emailsFor(app, unverified.id);
    expect(email?.text.replaceAll(/\s+/g, " ")).toContain("Until then, other promoters can also place a hold on");
    const message = expect.stringMatching(/^There is an open request that needs the night of .* must answer it before/);
    for (const nights of [[night], [dayAhead(app, 44), night], [dayAhead(app, 61)]])
      expect(await holdsBy(promoter).place(act.slug, nights)).toMatchObject({ status: 409, message });
    const until = new Date(app.clock.now().getTime() + 24 * hourMs);
    expect((await holdsBy(owner).enter(night, { until })).status).toBe(409);
    await holdsBy(promoter).placed(act.slug, [next]);
    const declined = await owner.at.json(`/api/artist/bookings/${request.body.id}/decline`, {});
    expect(declined.status, JSON.stringify(declined.body)).toBe(200);
    expect(await holdsBy(promoter).placed(act.slug, [night])).toMatchObject({ nights: [{ rank: 1 }] });
  });

  test("refuses an hour that clocks skip at the venue, and one that is in another night of the artist", async () => {
    const { act } = await artistWithHolds(app, { maximumBookingDays: 200 });
    const promoter = await promoterOf(app);
    const place = (night: string, eventLocation: string, eventTime = "02:30") =>
      holdsBy(promoter).place(act.slug, [night], { eventTime, eventLocation });
    const skipped = /^02:30 does not exist on Sunday 14 March 2027 .* time is 03:00\.$/;
    const refused = (message: RegExp) => ({
      data: { fields: [{ field: "eventTime", message: expect.stringMatching(message) }] },
    });
    expect((await place("2027-03-13", "The Waterworks, Austin")).body).toMatchObject(refused(skipped));
    expect((await place("2027-03-13", "Festsaal, Berlin")).status).toBe(201);
    expect((await place("2027-03-14", "The Waterworks, Austin")).status).toBe(201);
    // 10:00 in Berlin is 03:00 in Austin.
    const matinee = (await place("2027-03-10", "Festsaal, Berlin", "10:00")).body;
    expect(matinee).toMatchObject(refused(/^10:00 at this location is the night of Tuesday 9 March 2027 for /));
  });

  test("limits an account to 30 placed holds in an hour", async () => {
    const { act } = await artistWithHolds(app, { holdsEnabled: false });
    const by = holdsBy(await promoterOf(app));
    const { limits } = app.services;
    Object.assign(app.services, { limits: makeLimits({ ...app.services, on: true }) });
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 31; attempt++)
      statuses.push((await by.place(act.slug, [dayAhead(app, 30)])).status);
    Object.assign(app.services, { limits });
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 409), 429]);
  });
});

describe("booking a held night", () => {
  test("opens the deposit's checkout for the first hold only, and ends every other hold on its payment", async () => {
    const { act, by, book, person, ranks } = await queueOf(2);
    const also = dayAhead(app, 41);
    const more = await by(0).placed(act.slug, [also, dayAhead(app, 42)]);
    expect((await book(1)).status).toBe(409);
    const opened = await by(0).book(more.id, also);
    expect(opened.body).toMatchObject({ checkout_url: expect.stringContaining("http") });
    expect((await by(0).release(more.id, [also])).status).toBe(409);
    expect((await by(0).book(more.id, also)).body["session_id"]).toBe(opened.body["session_id"]);
    await press(app, opened.body["checkout_url"], "pay");
    const ended = (await by(0).mine()).find(({ id }) => id === more.id);
    expect(ended?.nights.map(({ state }) => state)).toEqual(["booked", "released"]);

    await press(app, (await book(0)).body["checkout_url"], "pay");
    expect(await ranks()).toEqual([]);
    expect(await subjectsFor(person(1))).toContainEqual(expect.stringMatching(/is booked by another promoter$/));
  });

  test("returns the night to its queue if the checkout ends without payment", async () => {
    const { act, night, book, person, ranks, wait } = await queueOf(2);
    const opened = await book(0);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: opened.body["booking_id"], kind: "hold" }]);
    const { body } = await person(0).at.check({ artistId: act.slug, eventDate: night, eventTime: "20:00" });
    expect(body).toMatchObject({ own_hold: { stays_on_hold: true } });
    await press(app, opened.body["checkout_url"], "cancel");
    await wait(1);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);
    const emails = await emailsFor(app, String(opened.body["booking_id"]));
    const email = emails.find(({ template }) => template === "hold_ended");
    expect(email?.subject).toMatch(/^Your checkout for .* has ended$/);
    expect(email?.text.replaceAll(/\s+/g, " ")).toMatch(
      /was not paid\. Nothing was charged\. Your hold of the night runs until .* You can open the checkout again from /,
    );
    expect(email?.text).not.toContain("Other promoters");
    expect(await ranks()).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  test("retains the hold during the artist's open request without deposit", async () => {
    const { act, owner } = await artistWithHolds(app, { requireDeposit: false });
    const first = await promoterOf(app);
    const night = dayAhead(app, 45);
    const accept = (booking: unknown) => owner.at.json(`/api/artist/bookings/${String(booking)}/accept`, {});
    const hold = await holdsBy(first).placed(act.slug, [night, dayAhead(app, 46)]);
    const booked = await holdsBy(first).book(hold.id, night);
    expect(booked.body).toMatchObject({ reason: "no_deposit" });
    await later(app, 24, first);
    await later(app, 0, owner);
    const accepted = await accept(booked.body["booking_id"]);
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    await follow(app);
    const [mine] = await holdsBy(first).mine();
    expect(mine?.nights).toMatchObject([
      { state: "booked", released_for: null },
      { state: "released", released_for: night },
    ]);
    const emails = await messagesTo(app, first.user.email);
    const released = emails.find(({ subject }) => /^Your hold of .* is released$/.test(subject));
    expect(released?.text).toContain(`We released it because you booked ${formatDay(night)}.`);
  });
});
