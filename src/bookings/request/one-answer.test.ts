import fc from "fast-check";
import { expect, test } from "vitest";
import { insertReservation } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, form } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { bookingKey } from "../links/access.ts";
import { holdLimits } from "../rules.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z"), env: { RATE_LIMITS: "on" } }));

const hold = fc.record({
  whose: fc.constantFrom("rival", "own", "own mailbox elsewhere"),
  where: fc.constantFrom("same hours", "same day", "other day"),
  artist: fc.constantFrom("same", "other"),
  minutesAgo: fc.constantFrom(0, 10, 29, 30, 31, 33, 36, 40, 70),
});
const situation = fc.record({
  daysAhead: fc.constantFrom(0, 1, 6, 7, 8, 60, 113, 364, 365, 366),
  time: fc.constantFrom("00:30", "02:30", "20:00"),
  baseRate: fc.constantFrom(0, 150_000),
  active: fc.constantFrom(true, true, true, false),
  booked: fc.constantFrom(false, false, true),
  holds: fc.array(hold, { maxLength: 3 }),
  endedMinutesAgo: fc.constantFrom(null, null, 1, 29, 31),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

let count = 0;

async function build(given: Situation) {
  const { keys } = app.services;
  const now = app.clock.now();
  const email = `asks-${(count += 1)}@example.test`;
  const visitor = browser(app);
  const cookie = `browser-of-visitor-${String(count).padStart(6, "0")}`;
  visitor.jar.set("browser", cookie);
  const browserKey = keys.hmac("browser", cookie).toString("base64url");
  const artist = await app.make.artist({ location: "Austin, Texas", baseRate: given.baseRate });
  const eventDate = dayAhead(app, given.daysAhead);
  const elsewhere = given.daysAhead === 60 ? 61 : 60;
  const own: string[] = [];
  if (given.booked)
    await app.make.booking({ artist, status: "deposit_paid", eventDate, eventTime: "20:00", fee: 150_000 });
  for (const { whose, where, artist: which, minutesAgo } of given.holds) {
    const at = which === "same" ? artist : await app.make.artist({ location: "Austin, Texas" });
    const booking = await app.make.booking({
      artist: at,
      keys,
      fee: 150_000,
      eventDate: where === "other day" ? dayAhead(app, elsewhere) : eventDate,
      eventTime: where === "same day" ? "10:00" : "20:00",
      minutes: 60,
      promoterEmail: whose === "rival" ? `rival-${(count += 1)}@example.test` : email,
    });
    const began = new Date(now.getTime() - minutesAgo * minuteMs);
    const held = await app.database.transaction((tx) =>
      insertReservation(tx, {
        artistId: at.id,
        bookingId: booking.id,
        span: spanOf(booking),
        hold: {
          expiresAt: new Date(began.getTime() + holdLimits.minutes * minuteMs),
          heldBy: { browser: whose === "rival" ? null : browserKey, address: null, email: null },
        },
        now: began,
      }),
    );
    if (held && whose === "own") own.push(bookingKey(keys, booking.id));
  }
  if (given.endedMinutesAgo !== null)
    await app.database.transaction((tx) =>
      tx
        .insertInto("past_holds")
        .values({
          artist_id: artist.id,
          event_date: eventDate,
          held_by_browser: browserKey,
          ended_at: new Date(now.getTime() - (given.endedMinutesAgo ?? 0) * minuteMs),
        })
        .execute(),
    );
  if (own.length > 0) visitor.jar.set("bookings", own.join("."));
  await app.database.transaction(async (tx) => {
    await tx.deleteFrom("rate_limits").execute();
    if (!given.active) await tx.updateTable("artists").set({ is_active: false }).where("id", "=", artist.id).execute();
  });
  const details = form(app, {
    clientEmail: email,
    eventDate,
    eventTime: given.time,
    duration: "2 hours",
  });
  return { visitor, artist, details };
}

const stored = (artistId: string) =>
  app.database.db
    .selectFrom("bookings")
    .select(["id", "status"])
    .where("artist_id", "=", artistId)
    .orderBy("id")
    .execute();

test("a free date can be requested and paid, and any other is refused and not stored", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(situation, async (given) => {
      const { visitor, artist, details } = await build(given);
      const { clientEmail, eventDate, eventTime, duration, eventLocation } = details;
      const check = await visitor.check({
        artistId: artist.slug,
        clientEmail,
        eventDate,
        eventTime,
        duration,
        eventLocation,
      });
      const { date } = check.body as unknown as { date?: { state: string; message: string } };
      const before = await stored(artist.id);
      const request = await visitor.requestBooking({ ...details, artistId: artist.slug });
      seen.add(date?.state ?? String(check.status));
      if (!given.active) {
        expect([check.status, request.status]).toEqual([404, 404]);
        return;
      }
      if (date?.state === "free") {
        expect(request.status, JSON.stringify(request.body)).toBe(201);
        const checkout = await visitor.checkout(request.body);
        expect(checkout.status, JSON.stringify(checkout.body)).toBe(200);
        expect(checkout.body["reason"]).toBe(given.baseRate === 0 ? "on_request" : null);
        return;
      }
      expect(request.status).toBeGreaterThanOrEqual(400);
      expect(String(request.body["message"])).toContain(date?.message);
      expect(await stored(artist.id)).toEqual(before);
    }),
    { numRuns: 150, seed: 20261121 },
  );
  // The generator must reach every state.
  for (const state of ["free", "own_hold", "held", "taken", "too_soon", "too_far", "held_before", "404"])
    expect([...seen]).toContain(state);
});
