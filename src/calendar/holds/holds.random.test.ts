/** Random sequences of actions of promoters, guests, the artist, admins, another calendar, the clock and the checkout on one artist's nights. TEST_DEEP=1 runs many more. */

import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { addDays } from "#platform/time/calendar.rules.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, follow } from "#test/harness/bookings.ts";
import {
  artistWithHolds,
  holdsBy,
  later,
  otherCalendar,
  type Person,
  promotersOf,
} from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { nightsOf } from "../night.views.ts";

const deep = process.env["TEST_DEEP"] === "1";
const runs = deep ? 30 : 3;
const length = deep ? 200 : 60;

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const kinds = [
  "place",
  "place",
  "place",
  "place",
  "release",
  "challenge",
  "challenge",
  "challenge",
  "book",
  "book",
  "book",
  "pay",
  "pay",
  "leave",
  "extend",
  "reorder",
  "wait",
  "wait",
  "request",
  "request",
  "cancel",
  "block",
  "unblock",
  "unblock",
  "entry",
  "move",
] as const;
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(3),
  night: fc.nat(3),
  hours: fc.constantFrom(1, 5, 13, 25, 60),
  // The first two are in the evening. 03:30 is past midnight, and needs the time until 07:30.
  time: fc.constantFrom("20:00", "20:00", "14:00", "03:30"),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const towns = ["Austin, Texas", "Los Angeles, California"];
const dateOf = (night: string, time: string) => (time < "06:00" ? addDays(night, 1) : night);
type Check = { date: { state: string } };

async function market() {
  const { act, owner } = await artistWithHolds(app, { minimumNotice: 0 });
  const promoters = await promotersOf(app, 4);
  const nights = [20, 21, 22, 23].map((days) => dayAhead(app, days));
  const checkouts: string[] = [];
  const readCalendar = await otherCalendar(app, act.id);
  let signedInAt = app.clock.now().getTime();

  /** An access token lasts an hour. */
  async function signIn(person: Person): Promise<Person> {
    if (app.clock.now().getTime() - signedInAt > 30 * minuteMs) {
      for (const one of [owner, ...promoters]) one.at = browser(app, await app.signIn(one.user));
      signedInAt = app.clock.now().getTime();
    }
    return person;
  }

  async function press(button: "pay" | "cancel") {
    const url = checkouts.pop();
    if (!url) return;
    await app.server.inject({
      method: "POST",
      url: `${new URL(url).pathname}/${button}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "later=works",
    });
    await follow(app);
  }

  /** Requests a night as a guest, and opens the checkout exactly if the date check says that the night is free. */
  async function request(night: string, eventTime: string) {
    const guest = browser(app);
    const where = { eventLocation: "The Waterworks, Austin, Texas" };
    const show = { artistId: act.slug, eventDate: dateOf(night, eventTime), eventTime, duration: "3 hours", ...where };
    const { state } = ((await guest.check(show)).body as unknown as Check).date;
    const { status, body } = await guest.requestBooking(show);
    expect([state, status < 300]).toEqual([state, state === "free"]);
    if (status >= 300) return status;
    const opened = await guest.checkout(body);
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    checkouts.push(String(opened.body["checkout_url"]));
    return opened.status;
  }

  async function byAdmin(path: string, body: object, method = "POST") {
    const headers = await app.signIn(await app.make.user({ role: "admin" }));
    return (await app.request(path, { method, headers, body })).status;
  }

  async function cancel() {
    const { rows } = await sql<{ id: string; held: number }>`
      select b.id, sum(p.amount)::int as held from bookings b join payments p on p.booking_id = b.id and p.status = 'succeeded'
      where b.artist_id = ${act.id} and b.status not in ('initiated', 'canceled') and b.starts_at > ${app.clock.now()}
      group by b.id order by b.id limit 1`.execute(app.database.db);
    const [booking] = rows;
    if (!booking) return undefined;
    const body = { code: "other", note: "A test", expected_refund_cents: booking.held };
    const status = await byAdmin(`/api/bookings/${booking.id}/cancel`, body);
    await follow(app);
    return status;
  }

  async function unblock() {
    const { rows } = await sql<{ id: string }>`
      select id from date_reservations where artist_id = ${act.id} and kind = 'blocked' order by id limit 1`.execute(
      app.database.db,
    );
    const headers = await app.signIn(owner.user);
    return (
      rows[0] && (await app.request(`/api/artist/blocked-times/${rows[0].id}`, { method: "DELETE", headers })).status
    );
  }

  async function run({ kind, who, night: index, hours, time }: Operation): Promise<number | undefined> {
    const promoter = promoters[who];
    const night = nights[index];
    if (!promoter || !night) throw new Error("no such promoter or night");
    if (kind === "wait") await later(app, hours, owner);
    if (kind === "pay" || kind === "leave") await press(kind === "pay" ? "pay" : "cancel");
    if (kind === "wait" || kind === "pay" || kind === "leave") return undefined;
    if (kind === "request") return request(night, time);
    if (kind === "cancel") return cancel();
    if (kind === "unblock") return unblock();
    if (kind === "move") return byAdmin(`/api/admin/artists/${act.id}`, { location: towns[who % 2] }, "PATCH");
    if (kind === "entry") {
      await readCalendar(who === 0 ? undefined : { from: `${night}T22:00:00Z`, to: `${night}T23:00:00Z` });
      return 200;
    }
    const by = holdsBy(await signIn(promoter));
    if (kind === "place") {
      const chosen = nights.slice(index, index + 1 + (who % 2));
      return (await by.place(act.slug, chosen, { eventTime: time })).status;
    }
    const artist = holdsBy(await signIn(owner));
    const queue = await artist.queue(night);
    if (kind === "block") {
      const [from, to] = time < "06:00" ? ["06:00", "19:00"] : ["19:00", "23:00"];
      const body = {
        starts_at: `${night}T${from}`,
        ends_at: `${night}T${to}`,
        release_holds: queue.map(({ id }) => id),
      };
      const { status } = await owner.at.json("/api/artist/blocked-times", body);
      await follow(app);
      return status;
    }
    if (kind === "reorder") {
      const body = { night, ids: queue.toReversed().map(({ id }) => id), reason: "A better fit" };
      return queue.length === 0 ? undefined : (await owner.at.json("/api/artist/holds/reorder", body)).status;
    }
    if (kind === "extend") {
      const until = new Date(app.clock.now().getTime() + (hours + 24) * hourMs);
      return queue[0] && (await artist.extend(queue[0].id, until)).status;
    }
    const own = (await by.mine()).flatMap(({ id, nights: all }) =>
      all.flatMap((one) => (one.state === "active" ? [{ id, night: one.night }] : [])),
    );
    const held = own.find((one) => one.night === night) ?? own[0];
    if (!held) return undefined;
    if (kind === "release") return (await by.release(held.id, [held.night])).status;
    if (kind === "challenge") return (await by.challenge(held.id, held.night)).status;
    const { status, body } = await by.book(held.id, held.night);
    if (typeof body["checkout_url"] === "string") checkouts.push(body["checkout_url"]);
    return status;
  }

  /** Returns the nights whose public state differs from the date check, and the first holds that cannot be booked. */
  async function untrue() {
    const found: string[] = [];
    const [from = "", to = ""] = [nights[0], nights.at(-1)];
    const states = await nightsOf(app.database.db, act.id, { from, to }, app.clock.now());
    for (const { night, state } of states) {
      const { date } = (await browser(app).check({ artistId: act.slug, eventDate: night })).body as unknown as Check;
      const expected = { free: "free", held: "on_hold", taken: "taken" }[date.state] ?? "closed";
      if (state !== expected) found.push(`${night} is ${state}, but ${date.state}`);
    }
    await signIn(owner);
    for (const promoter of promoters)
      for (const { event_time: eventTime, event_location: eventLocation, nights: all } of await holdsBy(
        promoter,
      ).mine())
        for (const one of all) {
          if (!one.can.book || one.rank !== 1 || one.being_booked) continue;
          const show = { artistId: act.slug, eventDate: dateOf(one.night, eventTime), eventTime, eventLocation };
          const { state } = ((await promoter.at.check(show)).body as unknown as Check).date;
          if (
            !["free", "own_hold", "held_before", "too_many_holds"].includes(state) &&
            !(await isAtCheckout(one.night))
          )
            found.push(`the first hold of ${one.night} at ${eventTime} is ${state}`);
        }
    return found;
  }

  /** Returns true if a challenged hold of a night is at the checkout. */
  async function isAtCheckout(night: string): Promise<boolean> {
    const { rows } = await sql`select 1 from hold_nights n join date_reservations r on r.booking_id = n.booking_id
      where n.artist_id = ${act.id} and n.night = ${night}::date and n.state = 'active' and r.kind = 'hold'`.execute(
      app.database.db,
    );
    return rows.length > 0;
  }
  return { act, promoters, nights, run, untrue };
}

/** Returns violations of the invariants after an operation. */
async function violations(artistId: string) {
  const { rows } = await sql<{ violation: string }>`
    select 'ranks with a gap on ' || night as violation from hold_nights where artist_id = ${artistId} and state = 'active'
      group by night having max(rank) <> count(*) or min(rank) <> 1 or count(distinct rank) <> count(*)
    union all
    select 'overlapping reservations' from date_reservations a join date_reservations b
      on a.artist_id = b.artist_id and a.id < b.id and a.during && b.during
      where a.artist_id = ${artistId} and not ('external' in (a.kind, b.kind)) and (a.kind, b.kind) <> ('blocked', 'blocked')
    union all
    select 'two bookings of one night' from hold_nights n join date_reservations r on r.booking_id = n.booking_id
      where n.artist_id = ${artistId} and state = 'booked' group by night having count(*) > 1
    union all
    select 'a show without its reservation' from bookings b where artist_id = ${artistId} and status not in ('initiated', 'canceled')
      and not exists (select 1 from date_reservations r where r.booking_id = b.id and r.kind = 'booked')
    union all
    select 'an active hold of a booked night' from hold_nights n join holds h on h.id = n.hold_id where n.artist_id = ${artistId} and state = 'active' and exists (
      select 1 from hold_nights o join date_reservations r on r.booking_id = o.booking_id and r.kind = 'booked'
      where o.artist_id = n.artist_id and o.night = n.night and o.state = 'booked' and o.ended_at > h.created_at)
    union all
    select 'a first hold without a reservation' from hold_nights n where artist_id = ${artistId} and rank = 1 and not exists (
      select 1 from date_reservations r left join hold_nights o on o.booking_id = r.booking_id
      where r.hold_night_id = n.id or (o.artist_id = n.artist_id and o.night = n.night and r.kind = 'hold'))
    union all
    select 'a reservation of a hold that is not the first' from date_reservations r join hold_nights n on n.id = r.hold_night_id
      where r.artist_id = ${artistId} and n.rank is distinct from 1
    union all
    select 'a challenge without a challenger above others' from hold_challenges c join hold_nights n on n.id = c.hold_night_id
      where c.artist_id = ${artistId} and c.closed_at is null and (n.state <> 'active' or n.rank = 1)
    union all
    select 'a challenged hold without a challenge' from hold_nights n where artist_id = ${artistId} and challenge_ends_at is not null
      and not exists (select 1 from hold_challenges c where c.artist_id = n.artist_id and c.night = n.night and c.closed_at is null)`.execute(
    app.database.db,
  );
  return rows.map(({ violation }) => violation);
}

const subjects = {
  booked: "is now a booking$",
  released: "^Your hold of .* is released$",
  expired: "has expired$",
  lost: "^You have lost your hold",
  superseded: "is booked by another promoter$",
};

async function endedAndNotified({ user }: Person) {
  const { rows } = await sql<{ state: keyof typeof subjects; count: number }>`
    select state, count(*)::int from hold_nights where promoter_user_id = ${user.id} and state <> 'active' group by state`.execute(
    app.database.db,
  );
  return Promise.all(
    rows.map(async ({ state, count }) => {
      const sent = await sql<{ count: number }>`select count(*)::int from messages where template = 'hold_changed'
        and recipient = ${user.email} and subject ~ ${subjects[state]}`.execute(app.database.db);
      return { state, count, notified: sent.rows[0]?.count };
    }),
  );
}

test(
  "leaves ranks without gaps, nights booked once, and a message for every ended hold, after any sequence",
  { timeout: 3_600_000 },
  async () => {
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: length, maxLength: length }), async (operations) => {
        const { act, promoters, run, untrue } = await market();
        for (const one of operations) {
          const status = await run(one);
          if (status !== undefined && status >= 500)
            throw new Error(`${JSON.stringify(one)} was answered with ${status}`);
          if (status !== undefined && status < 300) done.set(one.kind, (done.get(one.kind) ?? 0) + 1);
          const wrong = status !== undefined && status >= 400 ? [] : await untrue();
          expect([...(await violations(act.id)), ...wrong], JSON.stringify(one)).toEqual([]);
        }
        await follow(app);
        for (const promoter of promoters)
          for (const { state, count, notified } of await endedAndNotified(promoter))
            expect(notified, state).toBe(count);
      }),
      { numRuns: runs, endOnFailure: true, ...(deep ? {} : { seed: 20_261_129 }) },
    );
    for (const kind of ["place", "release", "challenge", "book", "extend", "reorder", "request", "cancel", "block"])
      expect(done.get(kind), kind).toBeGreaterThan(0);
  },
);
