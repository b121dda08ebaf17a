import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { ArtistCard, ArtistProfile, ComparedArtist } from "./api.ts";
import { findProfile } from "./profile.views.ts";
import { shareUrl } from "./rules.ts";

const app = closeAfterFile(await testApp());

type Failure = { code: string; message: string; requestId: string };
const getJson = async <T>(address: string): Promise<{ status: number; body: T }> => {
  const response = await app.request(address);
  return { status: response.status, body: (await response.json()) as T };
};
const list = async (query: string) =>
  getJson<{ items: ArtistCard[]; nextCursor: string | null }>(`/api/artists${query}`);
const names = async (query: string) => (await list(query)).body.items.map((item) => item.name);

describe("artist list", () => {
  beforeAll(async () => {
    const rates = { baseRate: 90_000, topRate: 200_000 };
    await app.make.artist({ name: "Sunday Foxes", genre: "soul", location: "Oakland, California", ...rates });
    await app.make.artist({ name: "Foxhole", genre: "rock", baseRate: 120_000 });
    await app.make.artist({ name: "Closed Foxes", genre: "rock", isActive: false });
    await app.make.artist({ name: "Ask Foxes", genre: "rock", baseRate: 0 });
  });

  it("finds and counts active artists by part of a name or genre, case-insensitively", async () => {
    expect((await names("?search=FOX&sort=price")).sort()).toEqual(["Ask Foxes", "Foxhole", "Sunday Foxes"]);
    expect(await names("?search=oul")).toEqual(["Sunday Foxes"]);
    expect((await getJson("/api/artists/count?search=fox")).body).toEqual({ total: 3, capped: false });
  });

  it("ignores empty filters", async () => {
    const { status, body } = await list("?search=&genre=&limit=24&cursor=");
    expect([status, body.items.length, body.nextCursor]).toEqual([200, 3, null]);
  });

  it("orders by price with artists on request last, and leaves them out under a price filter", async () => {
    expect(await names("?sort=price")).toEqual(["Sunday Foxes", "Foxhole", "Ask Foxes"]);
    expect(await names("?maxPrice=100000")).toEqual(["Sunday Foxes"]);
    expect(await names("?minPrice=1&sort=price")).toEqual(["Sunday Foxes", "Foxhole"]);
  });

  it("returns a card with amounts in cents and a picture, and no other field", async () => {
    const [card] = (await list("?search=sunday")).body.items;
    expect(card).toEqual({
      id: expect.any(String),
      slug: "sunday-foxes",
      price_confirmed: true,
      name: "Sunday Foxes",
      genre: "soul",
      location: "Oakland, California",
      photo_url: null,
      photo_image: null,
      picture_url: expect.stringMatching(/^\/art\/sunday-foxes\/poster\.svg\?v=/),
      base_rate: 90_000,
      top_rate: 200_000,
      currency: "usd",
      rating: 0,
      review_count: 0,
      sample: null,
    });
  });

  it("continues after its cursor", async () => {
    const first = (await list("?sort=price&limit=2")).body;
    const second = (await list(`?sort=price&limit=2&cursor=${first.nextCursor}`)).body;
    const found = [...first.items, ...second.items].map((item) => item.name);
    expect([found, second.nextCursor]).toEqual([["Sunday Foxes", "Foxhole", "Ask Foxes"], null]);
  });

  it.each(
    `limit=0 limit=101 limit=1.5 genre=polka sort=best minPrice=-1 minPrice=1e3 maxPrice=123456789 freeOn=2027-02-30
    freeOn=tomorrow cursor=zzz what=else search=%00 search=${"x".repeat(201)}`.split(/\s+/),
  )("refuses %s with an error message", async (query) => {
    const { status, body } = await getJson<Failure>(`/api/artists?${query}`);
    expect(status).toBe(400);
    expect(body.message.length).toBeGreaterThan(5);
  });

  it.each(
    "%27%3B+drop+table+artists%3B-- %25 _ %5C %F0%9F%8E%B8 %E2%80%AE %ff%fe a%0Ab %3Cscript%3E ilike ((( %%".split(" "),
  )("returns no server error for the search %s", async (search) => {
    expect((await list(`?search=${search}`)).status).toBeLessThan(500);
    expect((await names("?search=foxhole")).length).toBe(1);
  });
});

describe("artist profile", () => {
  it("returns the stored artist with reviews, taken dates, pictures and two similar artists", async () => {
    const artist = await app.make.artist({
      name: "Night Ferry",
      genre: "electronic",
      location: "Seattle, Washington",
      specialties: ["Late sets"],
      equipment: ["PA"],
    });
    for (const name of ["Ghost Signal", "Pulse Atlas", "Juno Park"])
      await app.make.artist({ name, genre: "electronic" });
    const booking = await app.make.booking({ artistId: artist.id, status: "contract_signed" });
    const { status, body } = await getJson<ArtistProfile>("/api/artists/night-ferry");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      slug: "night-ferry",
      location: "Seattle, Washington",
      time_zone: "America/Los_Angeles",
      specialties: ["Late sets"],
      equipment: ["PA"],
      years_experience: 8,
      minimum_notice: 7,
      maximum_booking_days: 365,
      reviews: [],
      star_counts: [0, 0, 0, 0, 0],
    });
    expect(body.taken).toEqual([{ date: booking.event_date, state: "booked" }]);
    expect(await names(`?search=night+ferry&freeOn=${booking.event_date}`)).toEqual([]);
    expect(await names(`?search=night+ferry&freeOn=${addDays(booking.event_date, 1)}`)).toEqual(["Night Ferry"]);
    expect(body.similar).toHaveLength(2);
    expect(body.similar.every((other) => other.genre === "electronic" && other.slug !== "night-ferry")).toBe(true);
  });

  it("lists the nights of an entry of thousands of years in the time of a statement", async () => {
    const { id, slug, time_zone } = await app.make.artist();
    const during = "[1000-01-01, 9999-12-31)";
    await app.database.db.insertInto("date_reservations").values({ artist_id: id, kind: "external", during }).execute();
    const profile = await app.database.transaction(async (tx) => {
      await sql`set local statement_timeout = '5s'`.execute(tx);
      return findProfile(tx, slug, app.clock.now());
    });
    const today = dayIn(time_zone, app.clock.now());
    expect(profile?.taken).toHaveLength(359);
    expect(profile?.taken.at(0)).toEqual({ date: addDays(today, 7), state: "booked" });
    expect(profile?.taken.at(-1)).toEqual({ date: addDays(today, 365), state: "booked" });
  });

  it.each(["nobody-here", "..%2Fadmin", "%3Fx", "a%2Fb", "NIGHT-FERRY", "night-ferry%20", "%27"])(
    "returns the 404 of a missing artist for %s",
    async (slug) => {
      const { status, body } = await getJson<Failure>(`/api/artists/${slug}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: "PGRST116", message: "Artist not found" });
    },
  );

  it("returns the 404 of a missing artist for an inactive one, and for its reviews", async () => {
    await app.make.artist({ name: "Gone Fishing", isActive: false });
    expect((await getJson<Failure>("/api/artists/gone-fishing")).body).toMatchObject({ code: "PGRST116" });
    expect((await getJson<Failure>("/api/artists/gone-fishing/reviews")).body).toMatchObject({ code: "PGRST116" });
  });
});

it("returns four featured artists with ranked ones first", async () => {
  await app.make.artist({ name: "Second Choice", featuredRank: 2 });
  await app.make.artist({ name: "First Choice", featuredRank: 1 });
  await app.make.artist({ name: "Closed Choice", featuredRank: 3, isActive: false });
  const { items } = (await getJson<{ items: ArtistCard[] }>("/api/artists/featured")).body;
  expect(items).toHaveLength(4);
  expect(items.slice(0, 2).map((item) => item.name)).toEqual(["First Choice", "Second Choice"]);
  expect(items.map((item) => item.name)).not.toContain("Closed Choice");
});

it("compares public artists in the order of the address, with the availability of the night", async () => {
  const near = await app.make.artist({ name: "Near", location: "Austin, Texas", baseRate: 90_000 });
  const far = await app.make.artist({ name: "Far", location: "Dallas, Texas" });
  const closed = await app.make.artist({ name: "Closed", isActive: false });
  const compare = (query: string) => getJson<{ items: ComparedArtist[] }>(`/api/artists/compare?${query}`);
  const slugs = [far, near, closed].map(({ slug }) => slug).join(",");
  const { items } = (await compare(`artists=${slugs},nobody&night=${dayAhead(app, 60)}&town=Austin`)).body;
  expect(items.map(({ name, miles }) => [name, miles && miles > 100])).toEqual([
    ["Far", true],
    ["Near", 0],
  ]);
  expect(items[1]).toMatchObject({ base_rate: 90_000, requires_deposit: true, night: { state: "free" } });
  const [without] = (await compare(`artists=${near.slug}`)).body.items;
  expect([without?.night, without?.miles]).toEqual([undefined, null]);
  const more = await Promise.all(["C", "D", "E"].map((name) => app.make.artist({ name: `Compared ${name}` })));
  const many = [closed, far, near, ...more].map(({ slug }) => slug).join(",");
  const names = (await compare(`artists=nobody,${many}`)).body.items.map(({ name }) => name);
  expect(names).toEqual(["Far", "Near", "Compared C", "Compared D"]);
  expect((await compare("artists=")).body.items).toEqual([]);
  expect((await compare("artists=a&night=tomorrow")).status).toBe(400);
});

it("gives two hundred artists of one name different slugs, even in parallel", async () => {
  const rows = [];
  for (let round = 0; round < 20; round++)
    rows.push(...(await Promise.all(Array.from({ length: 10 }, () => app.make.artist({ name: "DJ Nova" })))));
  expect(new Set(rows.map((row) => row.slug)).size).toBe(200);
  expect(rows.every((row) => /^dj-nova(-\d+)?$/.test(row.slug))).toBe(true);
});

describe("drawn picture", () => {
  it("is cached for a year under its hash only, and cannot run scripts", async () => {
    const artist = await app.make.artist({ name: "Poster Child" });
    const { picture_url: address } = (await getJson<ArtistProfile>(`/api/artists/${artist.slug}`)).body;
    const response = await app.request(address);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": expect.stringContaining("image/svg+xml"),
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": expect.stringContaining("sandbox"),
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toContain("Poster for Poster Child");
    for (const query of ["", "?v=old"]) {
      const other = await app.request(`/art/poster-child/mark.svg${query}`);
      expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    }
  });

  it("is a PNG of 1200×630 for links, cached under its hash", async () => {
    const artist = await app.make.artist({ name: "Shared Poster" });
    const address = shareUrl({ ...artist, location: artist.location ?? "" });
    for (let times = 0; times < 2; times++) {
      const response = await app.request(address);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const picture = sharp(Buffer.from(await response.arrayBuffer()));
      expect(await picture.metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
      // The deviation shows that the poster is drawn on the wall.
      const { channels } = await picture.stats();
      expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20);
    }
    await expect(sharp(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")).toBuffer()).rejects.toThrow(
      "unsupported image format",
    );
  });

  it.each(
    "nobody/share.png nobody/poster.svg poster-child/still-7.svg poster-child/poster.png ..%2f..%2fetc/poster.svg".split(
      " ",
    ),
  )("returns 404 for %s", async (address) => {
    expect((await app.request(`/art/${address}`)).status).toBe(404);
  });
});
