/** Random sequences of actions of promoters, the artist, the clock and the checkout on one artist's nights. TEST_DEEP=1 runs many more. */

import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, follow } from "#test/harness/bookings.ts";
import { artistWithHolds, type Hold, holdsBy, later, type Person, promotersOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";

const deep = process.env["TEST_DEEP"] === "1";
const runs = deep ? 30 : 3;
const length = deep ? 200 : 90;

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const kinds = [
  "place",
  "place",
  "release",
  "challenge",
  "challenge",
  "book",
  "book",
  "pay",
  "leave",
  "extend",
  "reorder",
  "wait",
] as const;
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(3),
  night: fc.nat(2),
  hours: fc.constantFrom(1, 5, 13, 25, 60),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function market() {
  const { act, owner } = await artistWithHolds(app, { minimumNotice: 0 });
  const promoters = await promotersOf(app, 4);
  const nights = [20, 21, 22].map((days) => dayAhead(app, days));
  const checkouts: string[] = [];
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

  async function run({ kind, who, night: index, hours }: Operation): Promise<number | undefined> {
    const promoter = promoters[who];
    const night = nights[index];
    if (!promoter || !night) throw new Error("no such promoter or night");
    if (kind === "wait") await later(app, hours, owner);
    if (kind === "pay" || kind === "leave") await press(kind === "pay" ? "pay" : "cancel");
    if (kind === "wait" || kind === "pay" || kind === "leave") return undefined;
    const by = holdsBy(await signIn(promoter));
    if (kind === "place") return (await by.place(act.slug, nights.slice(index, index + 1 + (who % 2)))).status;
    const artist = holdsBy(await signIn(owner));
    const queue = await artist.queue(night);
    if (kind === "reorder") {
      const body = { night, ids: queue.toReversed().map(({ id }) => id), reason: "A better fit" };
      return queue.length === 0 ? undefined : (await owner.at.json("/api/artist/holds/reorder", body)).status;
    }
    if (kind === "extend") {
      const until = new Date(app.clock.now().getTime() + (hours + 24) * hourMs);
      return queue[0] && (await artist.extend(queue[0].id, until)).status;
    }
    const own = (await by.mine()).find((hold: Hold) =>
      hold.nights.some((one) => one.night === night && one.state === "active"),
    );
    if (!own) return undefined;
    if (kind === "release") return (await by.release(own.id, [night])).status;
    if (kind === "challenge") return (await by.challenge(own.id, night)).status;
    const { status, body } = await by.book(own.id, night);
    if (typeof body["checkout_url"] === "string") checkouts.push(body["checkout_url"]);
    return status;
  }
  return { act, promoters, nights, run };
}

/** Returns violations of the invariants after an operation. */
async function violations(artistId: string) {
  const { rows } = await sql<{ violation: string }>`
    select 'ranks with a gap on ' || night as violation from hold_nights where artist_id = ${artistId} and state = 'active'
      group by night having max(rank) <> count(*) or min(rank) <> 1 or count(distinct rank) <> count(*)
    union all
    select 'overlapping reservations' from date_reservations a join date_reservations b
      on a.artist_id = b.artist_id and a.id < b.id and a.during && b.during where a.artist_id = ${artistId}
    union all
    select 'two bookings of one night' from hold_nights where artist_id = ${artistId} and state = 'booked' group by night having count(*) > 1
    union all
    select 'an active hold of a booked night' from hold_nights n where artist_id = ${artistId} and state = 'active' and exists (
      select 1 from hold_nights o join date_reservations r on r.booking_id = o.booking_id and r.kind = 'booked'
      where o.artist_id = n.artist_id and o.night = n.night and o.state = 'booked')
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
        const { act, promoters, run } = await market();
        for (const one of operations) {
          const status = await run(one);
          if (status !== undefined && status >= 500)
            throw new Error(`${JSON.stringify(one)} was answered with ${status}`);
          if (status !== undefined && status < 300) done.set(one.kind, (done.get(one.kind) ?? 0) + 1);
          expect(await violations(act.id), JSON.stringify(one)).toEqual([]);
        }
        await follow(app);
        for (const promoter of promoters)
          for (const { state, count, notified } of await endedAndNotified(promoter))
            expect(notified, state).toBe(count);
      }),
      { numRuns: runs, endOnFailure: true, ...(deep ? {} : { seed: 20_261_129 }) },
    );
    for (const kind of ["place", "release", "challenge", "book", "extend", "reorder"])
      expect(done.get(kind), kind).toBeGreaterThan(1);
  },
);
