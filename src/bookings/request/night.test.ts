import { sql } from "kysely";
import { expect, test } from "vitest";
import { milesBetween } from "#artists/nights/travel.rules.ts";
import { json as asJson } from "#platform/db/index.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { checkBooking } from "./date-check.ts";

/** The night search of the landing page (artists/nights/night.views.ts) compared with the date check, which decides. */

const app = closeAfterFile(await testApp());
const slugs: string[] = [];
const day = (days: number) => addDays(dayIn("America/Chicago", app.clock.now()), days);

const set = async (artistId: string, value: object) => {
  await app.database.db
    .insertInto("settings")
    .values({ scope: "artist", owner_id: artistId, value: asJson(value) })
    .execute();
};
const make = async (location: string, more: Parameters<TestApp["make"]["artist"]>[0] = {}) => {
  const artist = await app.make.artist({ location, ...more });
  slugs.push(artist.slug);
  return artist;
};
const places = ["Austin, Texas", "Los Angeles, California", "Berlin, Germany", "Auckland, New Zealand"];
for (const place of places) await make(place);
for (const [eventTime, minutes] of [
  ["12:00", 180],
  ["15:59", 180],
  ["16:00", 180],
  ["18:00", 60],
  ["20:00", 180],
  ["23:59", 60],
] as const) {
  const artist = await make("Austin, Texas");
  await app.make.booking({ artist, eventDate: day(40), eventTime, minutes, status: "deposit_paid" });
  const late = await make("Los Angeles, California");
  await app.make.booking({ artist: late, eventDate: day(39), eventTime, minutes: 1_200, status: "deposit_paid" });
}
// A set after midnight belongs to the night before it, until the hour at which the artist's night ends.
for (const value of [{}, { nightEndsAt: "00:30" }, { bufferBefore: 720, bufferAfter: 0 }, { bufferAfter: 720 }]) {
  const artist = await make("Austin, Texas");
  await set(artist.id, value);
  await app.make.booking({ artist, eventDate: day(41), eventTime: "01:00", minutes: 60, status: "deposit_paid" });
}
// The afternoon is free for a show in the evening, unless the artist's travel needs it: with 300 minutes it ends in time, with 301 it does not.
const afternoon = [{}, { bufferBefore: 300 }, { bufferBefore: 301 }].map((value) => ["14:00,15:00", value] as const);
const around = ["00:00,19:00", "18:00,19:01", "23:59,24:00", "24:00,30:00"].map((hours) => [hours, {}] as const);
for (const kind of ["blocked", "external"])
  for (const [hours, value] of [...around, ...afternoon]) {
    const [from = "", to = ""] = hours.split(",");
    const artist = await make("Austin, Texas");
    await set(artist.id, value);
    await sql`insert into date_reservations (artist_id, kind, during) values (${artist.id}, ${kind}, tstzrange(
      (${day(40)}::date + ${from}::interval) at time zone 'America/Chicago', (${day(40)}::date + ${to}::interval) at time zone 'America/Chicago'))`.execute(
      app.database.db,
    );
  }
// On a busy machine the tests last a minute, so no hold may end (5 minutes after its time) during them.
for (const minutes of [20, -1, -5, -6]) {
  const artist = await make("Austin, Texas");
  const { id } = await app.make.booking({ artist, eventDate: day(40) });
  const ends = new Date(app.clock.now().getTime() + minutes * minuteMs);
  await sql`insert into date_reservations (artist_id, booking_id, kind, during, expires_at)
    select artist_id, id, 'hold', tstzrange(starts_at - interval '1 hour', ends_at + interval '1 hour'), ${ends}::timestamptz
    from bookings where id = ${id}::uuid`.execute(app.database.db);
}
// A night on hold, which begins later than the evening of its date in Auckland.
const { id: heldId } = await make("Austin, Texas");
const heldUntil = new Date(app.clock.now().getTime() + 7 * dayMs);
const span = sql`tstzrange((${day(40)}::date + interval '6 hours') at time zone 'America/Chicago', (${day(40)}::date + interval '30 hours') at time zone 'America/Chicago')`;
await sql`with
  hold as (insert into holds (artist_id, entered_name, event_time, event_location, event_type, note)
    values (${heldId}, 'Agency', '20:00', 'Austin', 'Concert', '') returning id),
  night as (insert into hold_nights (hold_id, artist_id, night, state, rank, expires_at)
    select id, ${heldId}, ${day(40)}, 'active', 1, ${heldUntil} from hold returning id)
  insert into date_reservations (artist_id, kind, during, span, expires_at, hold_night_id)
  select ${heldId}, 'hold', ${span}, ${span}, ${heldUntil}, id from night`.execute(app.database.db);
for (const value of [
  { minimumNotice: 0 },
  { minimumNotice: 40 },
  { minimumNotice: 41 },
  { maximumBookingDays: 39 },
  { maximumBookingDays: 40 },
  { minimumNotice: 999, maximumBookingDays: "many", travelRadius: null },
  { minimumNotice: 3.5 },
  { acceptWeddingEvents: false },
  { acceptCorporateEvents: false, acceptPrivateEvents: false },
  { acceptWeddingEvents: "no" },
  { travelRadius: 0 },
  { travelRadius: 1_000 },
  { openNights: [] },
  { openNights: "never", nightExceptions: "none", nightEndsAt: 6, bufferBefore: -1 },
  { openNights: [], nightExceptions: [{ night: day(40), open: true }] },
  { nightExceptions: [{ night: day(40), open: false }] },
])
  await set((await make("Austin, Texas")).id, value);

type Item = { slug: string; genre: string; night: { state: string; message: string } };
const searchArtists = async (query: string): Promise<Item[]> => {
  const response = await app.request(`/api/artists?limit=100&${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: Item[] }).items;
};

function genresOf(acts: readonly Item[]) {
  const counts = Map.groupBy(acts, ({ genre }) => genre);
  return [...counts]
    .map(([genre, { length: count }]) => ({ genre, count }))
    .toSorted((one, other) => other.count - one.count || (one.genre < other.genre ? -1 : 1));
}

/** Returns the date check for the same evening. An hour of today that has passed is too soon there. */
async function formAnswer(slug: string, night: string, town: string, eventType: string) {
  const { date, travel } = await checkBooking(
    app.database.db,
    { artistId: slug, eventDate: night, eventLocation: town || undefined, eventType: eventType || undefined },
    {
      now: app.clock.now(),
      payments: true,
      heldBy: null,
      isOwn: () => false,
      promoterUserId: null,
    },
  );
  return { state: date.state === "incomplete" ? "too_soon" : date.state, travel };
}

const evenings = [
  ["", ""],
  ["wedding", "Wedding"],
  ["private", "Private party"],
  ["corporate", "Corporate event"],
] as const;

// Without a town every artist's own zone applies. The last town is unknown.
test.each([
  ["", [-1, 0, 7, 40, 41, 366]],
  ["Auckland, New Zealand", [0, 40]],
  ["The Moon", [40]],
] as const)(
  "the search with the town %s returns the same state for every artist as the date check",
  async (town, offsets) => {
    const seen = new Set<string>();
    for (const offset of offsets) {
      // The kind has the same effect on every day, so one day is enough.
      for (const [kind, eventType] of offset === 40 ? evenings : evenings.slice(0, 1)) {
        const night = day(offset);
        const query = new URLSearchParams({ night, town, kind }).toString();
        const items = await searchArtists(query);
        expect(items.map((one) => one.slug).toSorted()).toEqual(slugs.toSorted());
        for (const { slug, night: response } of items) {
          const { state, travel } = await formAnswer(slug, night, town, eventType);
          expect(response.state, `${slug} ${query}`).toBe(state === "free" && travel ? "away" : state);
          if (state === "free")
            expect(response.message).toBe(
              travel
                ? `Free, ${travel.miles.toLocaleString("en-US")} miles away`
                : town.startsWith("Auckland")
                  ? "Free, comes to Auckland"
                  : "Free that night",
            );
          seen.add(response.state);
        }
        const free = items.filter((one) => one.night.state === "free").map((one) => one.slug);
        const only = await searchArtists(`${query}&available=1`);
        expect(only.map((one) => one.slug)).toEqual(free);
        const count = (await (await app.request(`/api/artists/count?${query}&available=1`)).json()) as object;
        const away = items.filter((one) => one.night.state === "away").length;
        const isKnown = town.startsWith("Auckland");
        expect(count).toEqual({
          total: free.length,
          capped: false,
          genres: genresOf(only),
          ...(isKnown ? { away } : {}),
          ...(free.length < 6 ? { nearby: expect.any(Array) as unknown } : {}),
        });
        const farther = await searchArtists(`${query}&farther=1`);
        expect(farther).toEqual(items.filter((one) => one.night.state === "away"));
        if (isKnown && offset === 40) expect(away).toBeGreaterThan(5);
      }
    }
    if (town === "")
      expect([...seen].toSorted()).toEqual(["closed", "free", "held", "kind_declined", "taken", "too_far", "too_soon"]);
  },
);

const publicStates: Record<string, string> = { free: "free", held: "on_hold", taken: "taken" };
const profileStates: Record<string, string> = { held: "hold", taken: "booked", closed: "closed" };

test("the public calendar and the profile return the state of the search for every artist", async () => {
  const night = day(40);
  for (const { slug, night: answer } of await searchArtists(`night=${night}`)) {
    const at = (path: string) => app.request(`/api/artists/${slug}${path}`).then((response) => response.json());
    expect(await at(`/availability?from=${night}&to=${night}`), slug).toEqual({
      items: [{ night, state: publicStates[answer.state] ?? "closed" }],
    });
    const { taken } = (await at("")) as { taken: { date: string; state: string }[] };
    expect(taken.find(({ date }) => date === night)?.state, slug).toBe(profileStates[answer.state]);
  }
});

test("the search without a night returns no states, and refuses invalid input", async () => {
  expect((await searchArtists("town=Austin")).every((one) => one.night === undefined)).toBe(true);
  for (const query of ["night=2027-02-30", "night=x", "night=2027-02-13&kind=x", `town=${"x".repeat(121)}`])
    expect((await app.request(`/api/artists?${query}`)).status, query).toBe(400);
});

test("the search with a known town lists the nearest artists first, page by page", async () => {
  const query = `night=${day(40)}&town=${encodeURIComponent("San Antonio, Texas")}`;
  const all = (await searchArtists(query)).map((one) => one.slug);
  expect(await searchArtists(`${query}&sort=nearest`)).toEqual(await searchArtists(query));
  const rows = await app.database.db.selectFrom("artists").select(["slug", "lat", "lon"]).execute();
  const milesOf = (slug: string) => {
    const { lat, lon } = rows.find((row) => row.slug === slug) ?? { lat: null, lon: null };
    return lat === null || lon === null ? Infinity : milesBetween({ lat: 29.42, lon: -98.49 }, { lat, lon });
  };
  const miles = all.map(milesOf);
  expect(miles).toEqual(miles.toSorted((one, other) => one - other));
  expect(new Set(miles).size).toBeGreaterThan(3);
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const response = await app.request(`/api/artists?limit=4&${query}&cursor=${cursor}`);
    const page = (await response.json()) as { items: Item[]; nextCursor: string | null };
    walked.push(...page.items.map((one) => one.slug));
    cursor = page.nextCursor;
  }
  expect(walked).toEqual(all);
});

test("the search for free artists continues with its cursor", async () => {
  const all = (await searchArtists(`night=${day(40)}&available=1`)).map((one) => one.slug);
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const response = await app.request(`/api/artists?limit=3&night=${day(40)}&available=1&cursor=${cursor}`);
    const page = (await response.json()) as { items: Item[]; nextCursor: string | null };
    walked.push(...page.items.map((one) => one.slug));
    cursor = page.nextCursor;
  }
  expect(walked).toEqual(all);
});

test("the calendar of the profile returns the states of the search without reasons", async () => {
  const [from, to] = [day(-1), day(398)];
  const states = {
    free: "free",
    held: "on_hold",
    taken: "taken",
    closed: "closed",
    too_soon: "closed",
    too_far: "closed",
  };
  const searched = new Map((await searchArtists(`night=${day(40)}`)).map((one) => [one.slug, one.night.state]));
  const freeOn = (await searchArtists(`freeOn=${day(40)}`)).map((one) => one.slug);
  for (const slug of slugs) {
    const response = await app.request(`/api/artists/${slug}/availability?from=${from}&to=${to}`);
    const { items } = (await response.json()) as { items: { night: string; state: string }[] };
    expect(items).toHaveLength(400);
    expect(Object.keys(items[0] ?? {})).toEqual(["night", "state"]);
    const state = searched.get(slug) as keyof typeof states;
    expect(items.find((one) => one.night === day(40))?.state, slug).toBe(states[state]);
    expect(freeOn.includes(slug), slug).toBe(state === "free");
    const profile = (await (await app.request(`/api/artists/${slug}`)).json()) as {
      taken: { date: string; state: string }[];
    };
    const shown = { booked: "taken", hold: "on_hold", closed: "closed" } as Record<string, string>;
    for (const { date, state } of profile.taken)
      expect(items.find((one) => one.night === date)?.state ?? "beyond", `${slug} ${date}`).toBe(shown[state]);
  }
  for (const query of ["", "from=2027-02-30&to=2027-03-01", `from=${from}&to=${day(399)}`, `from=${to}&to=${from}`])
    expect((await app.request(`/api/artists/${slugs[0]}/availability?${query}`)).status, query).toBe(400);
  expect((await app.request(`/api/artists/nobody/availability?from=${from}&to=${to}`)).status).toBe(404);
});

test("the count includes free artists nearby among more than a thousand far away", async () => {
  const query = `night=${day(40)}&town=Austin&available=1`;
  const count = async () => (await (await app.request(`/api/artists/count?${query}`)).json()) as { total: number };
  const { total } = await count();
  expect(total).toBeGreaterThan(3);
  await sql`insert into artists (slug, name, genre, bio, base_rate, is_active, location, lat, lon, time_zone, is_public, price_currency)
    select 'far-' || n, 'Far ' || n, a.genre, '', a.base_rate, true, 'Auckland, New Zealand', -36.85, 174.76, 'Pacific/Auckland', true, a.price_currency
    from (select * from artists limit 1) a, generate_series(1, 1100) n`.execute(app.database.db);
  expect(await count()).toMatchObject({ total, capped: false, away: 1_001 });
});
