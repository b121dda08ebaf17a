import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, emailsFor, follow, form, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

const { artist } = peopleOf(() => app);
const stored = (artistId: string) =>
  app.database.db.selectFrom("bookings").select("id").where("artist_id", "=", artistId).execute();

describe("the request form", () => {
  const wrong: [string, Record<string, unknown>][] = [
    ["no name", { clientName: "  " }],
    ["a name of two lines", { clientName: "A\r\nBcc: x@y.z" }],
    ["no mailbox", { clientEmail: "hannah@whitt" }],
    ["a phone without digits", { clientPhone: "call me" }],
    ["a day that does not exist", { eventDate: "2027-02-30" }],
    ["the last day of a calendar of four digits", { eventDate: "9999-12-31" }],
    ["a time that does not exist", { eventTime: "25:00" }],
    ["no place", { eventLocation: "" }],
    ["no type", { eventType: undefined }],
    ["half a guest", { guestCount: 1.5 }],
    ["words for guests", { guestCount: "many" }],
    ["a huge text", { specialRequests: "x".repeat(4_001) }],
    ["a card number", { specialRequests: "4242 4242 4242 4242" }],
    ["an unknown field", { fee_cents: 1 }],
    ["a wrong kind", { clientName: ["a"] }],
  ];
  test.each(wrong)("refuses %s with an error message, and stores nothing", async (_, given) => {
    const act = await artist();
    const { status, body } = await browser(app).requestBooking({ artistId: act.slug, ...given });
    expect(status).toBe(400);
    expect(body["message"]).toEqual(expect.any(String));
    expect(await stored(act.id)).toEqual([]);
  });

  test("accepts guests as digits, and empty optional fields", async () => {
    const act = await artist();
    const one = await browser(app).requestBooking({
      artistId: act.slug,
      guestCount: "12",
      duration: "",
      specialRequests: null,
    });
    expect(one.body).toMatchObject({ guest_count: 12, duration: null, duration_minutes: 180, special_requests: null });
  });

  test("removes invisible characters that come along with pasted text", async () => {
    const act = await artist();
    const pasted = {
      clientName: "Hannah\u200b Whitt\ufeff",
      eventLocation: "\u202aTown\u00adhall\u202c, \u200eAustin",
    };
    const { status } = await browser(app).requestBooking({ artistId: act.slug, ...pasted });
    expect(status).toBe(201);
    const booking = app.database.db.selectFrom("bookings").select(["promoter_name", "venue_address"]);
    expect(await booking.where("artist_id", "=", act.id).execute()).toEqual([
      { promoter_name: "Hannah Whitt", venue_address: "Townhall, Austin" },
    ]);
  });

  test("returns not found (404) for unknown and inactive artists", async () => {
    const closed = await artist({ isActive: false });
    for (const slug of ["nobody-here", closed.slug]) {
      const { status, body } = await browser(app).requestBooking({ artistId: slug });
      expect([status, body["message"], body["code"]]).toEqual([404, "Artist not found", "PGRST116"]);
    }
  });

  test("refuses dates outside notice and advance with the limit in the message", async () => {
    const act = await artist();
    for (const [days, words] of [
      [3, /7 days' notice/],
      [400, /up to 365 days ahead/],
      [-5, /has passed/],
    ] as const) {
      const { status, body } = await browser(app).requestBooking({
        artistId: act.slug,
        eventDate: dayAhead(app, days),
      });
      expect(status).toBe(400);
      expect(body["message"]).toMatch(words);
    }
  });

  test("stores one booking for a form that is sent twice, and refuses its key from another browser", async () => {
    const act = await artist();
    const visitor = browser(app);
    await visitor.check({ artistId: act.slug });
    const formKey = randomUUID();
    const [one, two] = await Promise.all([
      visitor.requestBooking({ artistId: act.slug, formKey }),
      visitor.requestBooking({ artistId: act.slug, formKey }),
    ]);
    expect(one.body.id).toBe(two.body.id);
    const other = await browser(app).requestBooking({ artistId: act.slug, formKey, clientEmail: "thief@example.test" });
    expect(other.status).toBe(409);
  });

  test("makes one booking for two simultaneous requests without a cookie, and gives its key to one of them", async () => {
    const act = await artist();
    const form = { artistId: act.slug, formKey: randomUUID() };
    const [one, two] = [browser(app), browser(app)];
    const answers = await Promise.all([one.requestBooking(form), two.requestBooking(form)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0].body.id).toBe(answers[1].body.id);
    expect([one, two].filter(({ jar }) => jar.has("bookings"))).toHaveLength(1);
  });

  test("accepts a form again from its browser after a lost response, and refuses it from another browser or with changed answers", async () => {
    const act = await artist();
    const visitor = browser(app);
    await visitor.check({ artistId: act.slug });
    const form = { artistId: act.slug, formKey: randomUUID() };
    const first = await visitor.requestBooking(form);
    visitor.jar.delete("bookings");
    const again = await visitor.requestBooking(form);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect((await visitor.checkout(first.body)).status).toBe(200);
    const stranger = browser(app);
    app.clock.advance(61_000);
    const stolen = await stranger.requestBooking(form);
    expect([stolen.status, stolen.body["message"]]).toEqual([409, expect.stringMatching(/already sent from another/)]);
    expect(stranger.jar.has("bookings")).toBe(false);
    for (const more of [
      { clientPhone: "+1 512 555 0199" },
      { clientName: "Somebody Else" },
      { eventLocation: "Another Hall, Austin, Texas" },
      { specialRequests: "Other requests" },
    ]) {
      const changed = await visitor.requestBooking({ ...form, ...more });
      expect([changed.status, changed.body["message"]]).toEqual([409, expect.stringMatching(/with other values/)]);
    }
  });

  test("refuses a form that fills the hidden field or is sent too fast, and stores nothing", async () => {
    const act = await artist();
    const filled = await browser(app).requestBooking({ artistId: act.slug, website: "https://evil.example" });
    expect([filled.status, filled.body["message"]]).toEqual([400, expect.stringMatching(/faster than a person/)]);
    const strict = await testApp({ env: { DEMO: "0" } });
    try {
      const there = await strict.make.artist({ location: "Austin, Texas" });
      const requestBooking = (filledSeconds: number) =>
        browser(strict).requestBooking({ artistId: there.slug, filledSeconds });
      expect((await requestBooking(0.4)).status).toBe(400);
      expect((await requestBooking(40)).status).toBe(201);
    } finally {
      await strict.close();
    }
    expect(await stored(act.id)).toEqual([]);
    expect((await browser(app).requestBooking({ artistId: act.slug, website: "" })).status).toBe(201);
  });

  test("replaces the visitor's earlier request for the same artist and evening without an email", async () => {
    const act = await artist();
    const visitor = browser(app);
    const first = await visitor.requestBooking({ artistId: act.slug, guestCount: 100 });
    const same = await visitor.requestBooking({ artistId: act.slug, guestCount: 100 });
    expect(same.body.id).toBe(first.body.id);
    const second = await visitor.requestBooking({ artistId: act.slug, guestCount: 120 });
    await follow(app);
    expect(await bookingRow(app, first.body.id)).toMatchObject({ status: "canceled", cancel_code: "replaced" });
    expect(await bookingRow(app, second.body.id)).toMatchObject({ status: "initiated", guest_count: 120 });
    expect((await emailsFor(app, first.body.id)).map((email) => email.template)).not.toContain("booking_canceled");
    const stranger = await browser(app).requestBooking({ artistId: act.slug, guestCount: 100 });
    expect(stranger.status).toBe(201);
    expect(await bookingRow(app, second.body.id)).toMatchObject({ status: "initiated" });
  });

  test("refuses an hour that the clock change skips, with the next valid time", async () => {
    const spring = await testApp({ now: new Date("2027-01-20T12:00:00Z") });
    try {
      const act = await spring.make.artist({ name: "Nachtfalter", location: "Berlin, Germany" });
      const response = await spring.request("/api/bookings", {
        body: form(spring, {
          artistId: act.slug,
          eventDate: "2027-03-28",
          eventTime: "02:30",
          eventLocation: "Kesselhaus, Berlin",
        }),
      });
      expect(response.status).toBe(400);
      expect(((await response.json()) as { message: string }).message).toContain("The next valid time is 03:00");
    } finally {
      await spring.close();
    }
  });
});

describe("the date check", () => {
  const checkDate = (slug: string, more = "") =>
    browser(app).check({ artistId: slug, ...Object.fromEntries(new URLSearchParams(more)) });
  test("marks a location without a known town, and uses the artist's time zone for it", async () => {
    const act = await artist();
    for (const [location, location_unknown, time_zone] of [
      ["Kesselhaus, Berlin", false, "Europe/Berlin"],
      ["Old mill, Xyzzyburg", true, act.time_zone],
      ["", false, act.time_zone],
    ] as const)
      expect((await checkDate(act.slug, `eventLocation=${location}`)).body).toMatchObject({
        date: { location_unknown, time_zone },
      });
  });

  test("returns the nearest possible dates for a day outside notice or advance", async () => {
    const act = await artist();
    const near = async (days: number) => {
      const { body } = await checkDate(act.slug, `eventDate=${dayAhead(app, days)}&eventTime=20:00`);
      return (body["date"] as { nearest: { date: string; reason: string }[] }).nearest;
    };
    expect(await near(2)).toEqual([
      { date: dayAhead(app, 7), reason: "the first possible date" },
      { date: dayAhead(app, 8), reason: "the day after" },
      { date: dayAhead(app, 9), reason: "2 days after" },
    ]);
    expect((await near(400)).map((day) => day.date)).toEqual([365, 364, 363].map((days) => dayAhead(app, days)));
  });

  test("returns free, taken, too soon or incomplete with the nearest free dates and the price in cents", async () => {
    const act = await artist();
    await app.make.booking({ artist: act, status: "deposit_paid", eventDate: dayAhead(app, 30), eventTime: "20:00" });
    const free = await checkDate(
      act.slug,
      `eventDate=${dayAhead(app, 60)}&eventTime=20:30&duration=2x60 min&eventLocation=Austin`,
    );
    expect(free.body).toMatchObject({
      checkout: "deposit",
      price: { fee_cents: 150_000, deposit_cents: 37_500, balance_cents: 112_500, balance_due: dayAhead(app, 32) },
      date: { state: "free", duration_minutes: 120, time_zone: "America/Chicago" },
    });
    const taken = await checkDate(act.slug, `eventDate=${dayAhead(app, 30)}&eventTime=22:00`);
    expect(taken.body["date"]).toMatchObject({ state: "taken" });
    expect((taken.body["date"] as { nearest: unknown[] }).nearest).toHaveLength(3);
    expect((await checkDate(act.slug, `eventDate=${dayAhead(app, 2)}`)).body["date"]).toMatchObject({
      state: "too_soon",
    });
    expect((await checkDate(act.slug)).body["date"]).toMatchObject({ state: "incomplete" });
    expect((await checkDate("nobody-here")).status).toBe(404);
  });
});
