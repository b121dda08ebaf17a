import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { browser, dayAhead, emailsFor, follow, press, refunds, reservations } from "#test/harness/bookings.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { sweepHolds } from "../jobs.ts";
import { holdLimitFingerprints } from "./http.ts";

const inAustin = { location: "Austin, Texas" };

describe("the caller's own hold", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());

  async function left(given: object = {}) {
    const act = await app.make.artist(inAustin);
    const visitor = browser(app);
    const request = { artistId: act.slug, ...given };
    const { body: booking } = await visitor.requestBooking(request);
    const { body: opened } = await visitor.checkout(booking);
    return { act, visitor, request, booking, opened };
  }
  const bookingsOf = (artistId: string) =>
    app.database.db.selectFrom("bookings").select("id").where("artist_id", "=", artistId).execute();
  const check = async (visitor: ReturnType<typeof browser>, slug: string, more = "") =>
    (await visitor.check({ artistId: slug, ...Object.fromEntries(new URLSearchParams(more)) })).body as unknown as {
      date: { state: string; message: string };
      own_hold: { booking_id: string; open: boolean } | null;
    };

  test("is reported as their own to the visitor, and as held to others", async () => {
    const { act, visitor, booking } = await left();
    const on = `&eventDate=${dayAhead(app, 60)}&eventTime=22:00`;
    const mine = await check(visitor, act.slug, on);
    expect(mine.date).toMatchObject({ state: "own_hold", message: expect.stringMatching(/^You already hold /) });
    expect(mine.own_hold).toMatchObject({ booking_id: booking.id, open: true, event_time: "20:30" });
    expect((await check(visitor, act.slug)).own_hold).toMatchObject({ booking_id: booking.id });
    const others = await check(browser(app), act.slug, on);
    expect(others).toMatchObject({ own_hold: null, date: { state: "held" } });
  });

  test("becomes their own booking once paid, and the date is taken for others", async () => {
    const { act, visitor, booking, opened } = await left();
    await press(app, opened["checkout_url"], "pay");
    await app.settle();
    const on = `&eventDate=${dayAhead(app, 60)}&eventTime=22:00`;
    expect(await check(visitor, act.slug, on)).toMatchObject({
      own_hold: null,
      date: { state: "own_booking", booking_id: booking.id, message: expect.stringMatching(/^You have booked /) },
    });
    const { date } = await check(browser(app), act.slug, on);
    expect(date).toMatchObject({ state: "taken", booking_id: null });
  });

  test("returns the same request and checkout for the same form", async () => {
    const { act, visitor, request, booking, opened } = await left();
    const again = await visitor.requestBooking(request);
    expect([again.status, again.body.id]).toEqual([201, booking.id]);
    expect((await visitor.checkout(again.body)).body["session_id"]).toBe(opened["session_id"]);
    expect(await bookingsOf(act.id)).toHaveLength(1);
  });

  test("refuses other details for the same hours (409), and accepts other hours", async () => {
    const { act, visitor, request, booking } = await left();
    const other = await visitor.requestBooking({ ...request, guestCount: 12 });
    expect([other.status, other.body["message"]]).toEqual([409, expect.stringMatching(/^You already hold /)]);
    expect(other.body["data"]).toMatchObject({ state: "own_hold", booking_id: booking.id });
    expect(await bookingsOf(act.id)).toHaveLength(1);
    expect((await visitor.requestBooking({ ...request, eventTime: "10:00" })).status).toBe(201);
    const stranger = browser(app);
    const refused = await stranger.requestBooking(request);
    expect([refused.status, refused.body["message"]]).toEqual([
      409,
      expect.stringMatching(/Another promoter is at the checkout/),
    ]);
  });

  test("can be released by its visitor only, and then another visitor books the date", async () => {
    const { act, visitor, booking, opened } = await left();
    const address = `/api/bookings/${booking.id}/release-own-hold`;
    expect((await browser(app).json(address, {})).status).toBe(404);
    expect(await reservations(app, act.id)).toHaveLength(1);
    const released = await visitor.json(address, {});
    expect([released.status, released.body["released"]]).toEqual([200, true]);
    expect((await visitor.json(address, {})).status).toBe(409);
    await press(app, opened["checkout_url"], "pay");
    expect(await refunds(app, booking.id)).toEqual([]);
    const other = browser(app);
    const { body } = await other.requestBooking({ artistId: act.slug, clientEmail: "sam@other.example" });
    await press(app, (await other.checkout(body)).body["checkout_url"], "pay");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: body.id, kind: "booked" }]);
  });

  test("is reported as unpaid by email although its visitor has opened the next checkout", async () => {
    const { visitor, booking } = await left();
    app.clock.advance(32 * minuteMs);
    await app.services.sandbox?.settle();
    expect((await visitor.checkout(booking)).status).toBe(200);
    await app.settle();
    const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "hold_ended");
    expect(emails.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/was not paid in time.* Nothing was charged\./),
    ]);
  });

  test("cannot be released once it is paid", async () => {
    const { act, visitor, booking, opened } = await left();
    const paid = await app.server.inject({
      method: "POST",
      url: `${new URL(String(opened["checkout_url"])).pathname}/pay`,
    });
    expect(paid.statusCode).toBeLessThan(400);
    const refused = await visitor.json(`/api/bookings/${booking.id}/release-own-hold`, {});
    expect([refused.status, refused.body["message"]]).toEqual([409, expect.stringMatching(/just been paid/)]);
    await follow(app);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
  });
});

describe("hold renewal", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ env: { RATE_LIMITS: "on" } });
  });
  afterAll(() => app.close());

  async function holding() {
    const act = await app.make.artist(inAustin);
    const visitor = browser(app);
    const { body: booking } = await visitor.requestBooking({
      artistId: act.slug,
      clientEmail: `${act.slug}@whitt.example`,
    });
    const { body: opened, status } = await visitor.checkout(booking);
    expect(status).toBe(200);
    return { act, visitor, booking, opened };
  }

  test.each([
    ["the moment it ends", 31, false],
    ["a minute after, when the provider has ended the page", 32, true],
    ["after the grace", 37, true],
  ])("is refused (429) %s, and the date becomes free", async (_when, minutes, settled) => {
    const { act, visitor, booking } = await holding();
    app.clock.advance(minutes * minuteMs);
    if (settled) await app.services.sandbox?.settle();
    const again = await visitor.checkout(booking);
    expect([again.status, again.body["message"]]).toEqual([429, expect.stringMatching(/^You have just held/)]);
    expect((await visitor.checkout(booking)).status).toBe(429);
    await follow(app);
    app.clock.advance(6 * minuteMs);
    await sweepHolds(app.services);
    await follow(app);
    expect(await reservations(app, act.id)).toEqual([]);
    const other = browser(app);
    const { body } = await other.requestBooking({ artistId: act.slug, clientEmail: `sam-${act.slug}@other.example` });
    expect((await other.checkout(body)).status).toBe(200);
  });

  test("is over after the grace although the provider cannot be reached", async () => {
    const { act, visitor, booking } = await holding();
    const gateway = new Proxy(app.services.gateway as PaymentGateway, {
      get: (target, name: keyof PaymentGateway) =>
        typeof target[name] === "function"
          ? () => Promise.reject(new ProviderFailure("no_answer", "the provider is away"))
          : target[name],
    });
    const left = async (minutes: number) => {
      app.clock.advance(minutes * minuteMs);
      await sweepHolds({ ...app.services, gateway });
      return (await reservations(app, act.id)).length;
    };
    expect([await left(35), await left(2)]).toEqual([1, 0]);
    await app.settle();
    expect((await visitor.json(`/api/bookings/${booking.id}`)).body).toMatchObject({ status: "initiated" });
    const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "hold_ended");
    expect(emails.map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^(?!.*(was not paid|Nothing was charged|again from)).*not know yet whether your deposit/),
    ]);
  });

  test("frees the date when the same visitor requests the checkout every five minutes", async () => {
    const { act, visitor, booking } = await holding();
    let free = 0;
    for (let time = 0; time < 30; time++) {
      app.clock.advance(5 * minuteMs);
      await visitor.checkout(booking);
      await sweepHolds(app.services);
      await follow(app);
      if ((await reservations(app, act.id)).length === 0) free += 1;
    }
    expect(free).toBeGreaterThanOrEqual(10);
  });

  test("returns the same checkout with the same end within 30 minutes", async () => {
    const { visitor, booking, opened } = await holding();
    app.clock.advance(20 * minuteMs);
    const { body } = await visitor.checkout(booking);
    expect([body["session_id"], body["held_until"]]).toEqual([opened["session_id"], opened["held_until"]]);
  });

  test("restarts the half hour only if the provider was never called", async () => {
    const { visitor, booking } = await holding();
    const ends = async () =>
      (
        await app.database.db
          .selectFrom("date_reservations")
          .select("expires_at")
          .where("booking_id", "=", booking.id)
          .executeTakeFirstOrThrow()
      ).expires_at?.getTime();
    const first = await ends();
    const forget = (more: { requested_at?: null; checkout_state: "reserved" | "closed" }) =>
      app.database.transaction(async (tx) => {
        const lost = { provider_ref: null, checkout_url: null, lease_until: null, ...more };
        await tx.updateTable("payments").set(lost).where("booking_id", "=", booking.id).execute();
      });
    app.clock.advance(10 * minuteMs);
    await forget({ checkout_state: "reserved" });
    expect((await visitor.checkout(booking)).status).toBe(200);
    expect(await ends()).toBe(first);
    await forget({ checkout_state: "closed", requested_at: null });
    expect((await visitor.checkout(booking)).status).toBe(200);
    expect(Math.round((((await ends()) ?? 0) - (first ?? 0)) / minuteMs)).toBe(10);
  });

  test("counts no address of a request whose address is unknown", () => {
    const request = { browserKey: "", ip: "" } as Parameters<typeof holdLimitFingerprints>[0]["request"];
    expect(holdLimitFingerprints({ request, services: app.services })).toEqual({ browser: null, address: null });
  });

  test("is possible an hour later", async () => {
    const { visitor, booking } = await holding();
    app.clock.advance(32 * minuteMs);
    await app.services.sandbox?.settle();
    await follow(app);
    app.clock.advance(31 * minuteMs);
    expect((await visitor.checkout(booking)).status).toBe(200);
  });
});

test("startCheckout holds at most two dates for a visitor (429)", async () => {
  await using app = await testApp({ env: { RATE_LIMITS: "on" } });
  const visitor = browser(app);
  const opened: { status: number; body: Record<string, unknown> }[] = [];
  const slugs: string[] = [];
  for (let dates = 0; dates < 3; dates++) {
    const { slug } = await app.make.artist(inAustin);
    slugs.push(slug);
    const requested = await visitor.requestBooking({ artistId: slug });
    opened.push(requested.status === 201 ? await visitor.checkout(requested.body) : requested);
  }
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(opened[2]?.body["message"]).toMatch(/holding 2 dates already/);
  const third = { artistId: slugs[2] ?? "", eventDate: dayAhead(app, 60), eventTime: "20:30" };
  expect((await visitor.check(third)).body["date"]).toMatchObject({
    state: "too_many_holds",
    open_checkouts: slugs.slice(0, 2).map((slug) => ({ slug, event_date: third.eventDate })),
  });
});

test("does not reveal the checkouts of an address that another user entered, or count them against its owner", async () => {
  await using app = await testApp({ env: { RATE_LIMITS: "on" } });
  const clientEmail = "private.person@people.test";
  const first = await app.make.artist(inAustin);
  const stranger = browser(app);
  const opened: string[] = [];
  for (const { slug } of [first, await app.make.artist(inAustin)]) {
    const { body } = await stranger.requestBooking({ artistId: slug, clientEmail });
    expect((await stranger.checkout(body)).status).toBe(200);
    opened.push(body.id);
  }
  const question = { artistId: first.slug, eventDate: dayAhead(app, 60), eventTime: "11:00", clientEmail };
  const seen = async (by = browser(app)) => (await by.check(question)).body["date"];
  expect(await seen()).toMatchObject({ state: "free" });
  await stranger.json(`/api/bookings/${opened[0]}/release-own-hold`, {});
  expect(await seen()).toMatchObject({ state: "free" });
  expect(await seen(stranger)).toMatchObject({ state: "held_before" });

  const owner = browser(app);
  const third = await owner.requestBooking({ artistId: first.slug, clientEmail });
  expect(third.status, JSON.stringify(third.body)).toBe(201);
  expect((await owner.checkout(third.body)).status).toBe(200);
});
