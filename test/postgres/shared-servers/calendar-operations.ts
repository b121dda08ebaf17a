/**
 * Concurrent calendar operations of every kind through two processes on one PostgreSQL: request forms, checkouts, payments,
 * acceptances, holds, challenges, blocked times, imported calendars and cancellations. TEST_DEEP=1 runs 20,000 of them.
 */

import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeUser } from "#test/factories/users.ts";
import { calendarOf } from "#test/harness/calendars/calendar-server.ts";
import { testPassword } from "#test/test-app.ts";
import { bookingInput, daysAhead, moneyOffences } from "../two-servers.ts";
import { calendars, servers } from "./servers.ts";

const count = process.env["TEST_DEEP"] === "1" ? 20_000 : 200;
const atOnce = 10;
const nights = Array.from({ length: 8 }, (_, index) => daysAhead(130 + index));
const event = { eventTime: "20:00", eventLocation: "The Lantern Room, Austin", eventType: "Concert" };

type Body = Record<string, unknown> & { items?: { id: string; nights?: { night: string; state: string }[] }[] };
type Answer = { status: number; body: Body; cookie: string };
type Person = { email: string; token: string; signedInAt: number };

const kinds = [
  "request",
  "request",
  "request",
  "checkout",
  "checkout",
  "pay",
  "leave",
  "accept",
  "hold",
  "hold",
  "challenge",
  "book",
  "release",
  "block",
  "unblock",
  "import",
  "cancel",
] as const;
const operation = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(5),
  act: fc.nat(1),
  night: fc.nat(nights.length - 1),
  pick: fc.nat(1_000),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function signedIn(person: Person): Promise<Person> {
  // An access token lasts an hour.
  if (Date.now() - person.signedInAt < 30 * minuteMs) return person;
  const { email } = person;
  const { status, body } = await servers.send<{ access_token: string }>(0, "/auth/v1/token?grant_type=password", {
    email,
    password: testPassword,
  });
  expect(status).toBe(200);
  return Object.assign(person, { token: body.access_token, signedInAt: Date.now() });
}

/** Sends as a user, or as a guest with a booking's cookie. Throws for a server error. */
async function send(turn: number, address: string, body?: object, by: Partial<Person> & { cookie?: string } = {}) {
  const person = by.email ? await signedIn(by as Person) : undefined;
  const response = await fetch(`${servers.servers[turn % 2]?.url()}${address}`, {
    method: body ? "POST" : "GET",
    redirect: "manual",
    headers: {
      ...(body ? { "content-type": "application/json" } : {}),
      ...(person ? { authorization: `Bearer ${person.token}` } : {}),
      ...(by.cookie ? { cookie: by.cookie } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  // A statement for a contested date may wait too long. The response is then 503 to retry.
  if (response.status >= 500 && response.status !== 503) throw new Error(`${address}: ${response.status} ${text}`);
  const cookie = response.headers.getSetCookie().map((one) => one.split(";")[0]);
  return {
    status: response.status,
    body: text.startsWith("{") ? JSON.parse(text) : {},
    cookie: cookie.join("; "),
  } as Answer;
}

async function market() {
  const { people, acts, admin } = await servers.database.transaction(async (tx) => {
    const user = async (role: "artist" | "promoter" | "admin") => {
      const { id, email } = await makeUser(tx, { role, password: testPassword });
      return { id, email, token: "", signedInAt: 0 };
    };
    const promoters = [];
    for (let at = 0; at < 6; at++) promoters.push(await user("promoter"));
    const act = async (requireDeposit: boolean) => {
      const owner = await user("artist");
      const artist = await makeArtist(tx, { userId: owner.id, name: `Act ${owner.id.slice(0, 8)}` });
      await changeArtistSettings(tx, artist.id, { holdsEnabled: true, requireDeposit }, owner.id);
      return { artist, owner, calendar: `/${owner.id}.ics` };
    };
    return { people: promoters, acts: [await act(true), await act(false)] as const, admin: await user("admin") };
  });
  for (const { owner, calendar } of acts) {
    calendars.serve(calendar, calendarOf());
    const url = calendars.url(calendar);
    expect((await send(0, "/api/artist/external-calendars", { name: "Google", url }, owner)).status).toBe(200);
  }
  return { people, acts, admin };
}
type Market = Awaited<ReturnType<typeof market>>;

/** Runs operations. Later operations use what earlier ones left, such as an open checkout. */
function operations({ people, acts, admin }: Market) {
  const requests: { id: string; act: number; cookie: string }[] = [];
  const checkouts: string[] = [];
  const done = new Map<string, number>();
  let guests = 0;
  const oneOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)];

  const checkoutOf = ({ body }: Answer) => {
    const url = body["checkout_url"];
    if (typeof url === "string") checkouts.push(new URL(url).pathname);
  };
  const press = async (turn: number, button: "pay" | "cancel", pick: number) => {
    const checkout = oneOf(checkouts, pick);
    if (!checkout) return undefined;
    const response = await fetch(`${servers.servers[turn % 2]?.url()}${checkout}/${button}`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "later=works",
    });
    await response.arrayBuffer();
    return { status: response.status };
  };
  /** Makes this evening the only entry of the artist's external calendar, and imports it. */
  const importNight = async (turn: number, act: Market["acts"][number], night: string) => {
    const day = night.replaceAll("-", "");
    calendars.serve(act.calendar, calendarOf({ uid: `busy-${day}`, from: `${day}T230000Z`, to: `${day}T235900Z` }));
    const id = (await send(turn, "/api/artist/external-calendars", undefined, act.owner)).body.items?.[0]?.id;
    return send(turn, `/api/artist/external-calendars/${id}/refresh`, {}, act.owner);
  };
  const cancel = async (turn: number, id: string) => {
    const preview = await send(turn, `/api/bookings/${id}/cancellation`, undefined, admin);
    const expected_refund_cents = preview.body["refund_cents"];
    const body = { code: "other", note: "A test", expected_refund_cents };
    const response = await send(turn, `/api/bookings/${id}/cancel`, body, admin);
    const at = requests.findIndex((request) => request.id === id);
    if (response.status < 400 && at >= 0) requests.splice(at, 1);
    return response;
  };

  async function run(turn: number, { kind, who, act: actIndex, night: nightIndex, pick }: Operation) {
    const [promoter, act, night] = [people[who], acts[actIndex], nights[nightIndex]];
    if (!promoter || !act || !night) throw new Error("no such promoter, act or night");
    if (kind === "request") {
      const response = await send(turn, "/api/bookings", bookingInput(act.artist.slug, (guests += 1), night));
      if (response.status === 201)
        requests.push({ id: String(response.body["id"]), act: actIndex, cookie: response.cookie });
      return response;
    }
    if (kind === "pay" || kind === "leave") return press(turn, kind === "pay" ? "pay" : "cancel", pick);
    if (kind === "import") return importNight(turn, act, night);
    const request = oneOf(requests, pick);
    if (kind === "checkout") {
      const body = { booking_id: request?.id };
      const response =
        request && (await send(turn, "/api/functions/create-contract-and-checkout", body, { cookie: request.cookie }));
      if (response) checkoutOf(response);
      return response;
    }
    if (kind === "accept") {
      const owner = request && acts[request.act]?.owner;
      return owner && send(turn, `/api/artist/bookings/${request.id}/accept`, {}, owner);
    }
    if (kind === "cancel") return request && cancel(turn, request.id);
    if (kind === "block") {
      const times = { starts_at: `${night}T18:00`, ends_at: `${night}T23:30`, note: "" };
      return send(turn, "/api/artist/blocked-times", times, act.owner);
    }
    if (kind === "unblock") {
      const { rows } = await sql<{ id: string }>`select id from date_reservations where kind = 'blocked'
        and artist_id = ${act.artist.id} limit 1`.execute(servers.database.db);
      if (!rows[0]) return undefined;
      const { token } = await signedIn(act.owner);
      return fetch(`${servers.servers[turn % 2]?.url()}/api/artist/blocked-times/${rows[0].id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      });
    }
    if (kind === "hold")
      return send(turn, "/api/holds", { artistId: act.artist.slug, nights: [night], ...event }, promoter);
    const { body } = await send(turn, "/api/promoter/holds", undefined, promoter);
    const own = oneOf(
      (body.items ?? []).filter((hold) => hold.nights?.some(({ state }) => state === "active")),
      pick,
    );
    if (!own) return undefined;
    const of = { night: own.nights?.find(({ state }) => state === "active")?.night };
    const response = await send(turn, `/api/holds/${own.id}/${kind}`, kind === "release" ? {} : of, promoter);
    if (kind === "book") checkoutOf(response);
    return response;
  }
  return {
    done,
    run: async (turn: number, what: Operation) => {
      const response = await run(turn, what);
      if (response && response.status < 400) done.set(what.kind, (done.get(what.kind) ?? 0) + 1);
    },
  };
}

/** Returns rows that violate a rule of the calendar. Entries of an external calendar may overlap and are displayed as conflicts. */
async function violations(artistIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ violation: string }>`
    with own as (select * from date_reservations where artist_id = any(${artistIds})),
      queue as (select * from hold_nights where artist_id = any(${artistIds}) and state = 'active')
    select 'overlap of ' || a.kind || ' and ' || b.kind as violation from own a join own b
      on a.artist_id = b.artist_id and a.id < b.id and a.during && b.during
      where not ('external' in (a.kind, b.kind)) and (a.kind, b.kind) <> ('blocked', 'blocked')
    union all
    select 'ranks with a gap on ' || night from queue
      group by artist_id, night having max(rank) <> count(*) or min(rank) <> 1 or count(distinct rank) <> count(*)
    union all
    select 'a first hold without a reservation on ' || night from queue where rank = 1 and not exists (
      select 1 from own r left join hold_nights o on o.booking_id = r.booking_id
      where r.hold_night_id = queue.id or (o.artist_id = queue.artist_id and o.night = queue.night and r.kind = 'hold'))
    union all
    select 'two shows on ' || event_date from bookings where artist_id = any(${artistIds})
      and status not in ('initiated', 'canceled') group by artist_id, event_date having count(*) > 1
    union all
    select 'a show without its reservation: ' || number from bookings where artist_id = any(${artistIds})
      and status not in ('initiated', 'canceled') and not exists (
        select 1 from own where own.booking_id = bookings.id and own.kind = 'booked')`.execute(servers.database.db);
  return rows.map(({ violation }) => violation);
}

/** Counts the events that overlap an entry of an external calendar, in the database and on the artist's screen. */
async function conflictsOf({ artist, owner }: Market["acts"][number]) {
  const { rows } = await sql<{
    id: string;
  }>`select distinct b.booking_id as id from date_reservations b join date_reservations e
    on e.artist_id = b.artist_id and e.kind = 'external' and e.during && b.during
    where b.artist_id = ${artist.id} and b.kind = 'booked'`.execute(servers.database.db);
  const { body } = await send(0, "/api/artist/external-calendars", undefined, owner);
  const shown = (body["conflicts"] as { booking_id: string }[]).map(({ booking_id }) => booking_id);
  return { stored: rows.map(({ id }) => id).toSorted(), shown: [...new Set(shown)].toSorted() };
}

export function calendarOperations(): void {
  test(
    `assigns no date to two owners in ${count} operations on ${nights.length} dates of every kind`,
    { timeout: 7_200_000 },
    async () => {
      const all = await market();
      const { run, done } = operations(all);
      // More than required, because the success of an operation depends on the order, and every kind must succeed at least once.
      const list = fc.sample(operation, { numRuns: 10 * count, seed: 22 });
      const missing = () => [...new Set(kinds)].filter((kind) => !done.has(kind));
      const ids = all.acts.map(({ artist }) => artist.id);
      for (let at = 0; at < count || (at < list.length && missing().length > 0); at += atOnce) {
        await Promise.all(list.slice(at, at + atOnce).map((what, index) => run(at + index, what)));
        if (at % 500 === 0) expect(await violations(ids), `after ${at}`).toEqual([]);
      }
      expect(await violations(ids)).toEqual([]);
      for (const act of all.acts) {
        const { stored, shown } = await conflictsOf(act);
        expect(shown).toEqual(stored);
      }
      expect(await moneyOffences(servers)).toEqual([]);
      expect(missing()).toEqual([]);
    },
  );
}
