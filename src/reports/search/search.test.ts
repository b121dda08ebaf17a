import { describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import type { SearchHits } from "./search.api.ts";

const app = closeAfterFile(await testApp());
type Party = { id: string; headers: Record<string, string> };
const people = {} as Record<"admin" | "promoter" | "otherPromoter" | "artist" | "otherArtist", Party>;
const bookings = {} as Record<"mine" | "theirs", { id: string; number: string }>;

const party = async (role: "admin" | "artist" | "promoter", name: string) => {
  const user = await app.make.user({ role, name });
  return { id: user.id, headers: await app.signIn(user) };
};
people.admin = await party("admin", "Ines Halvorsen");
people.promoter = await party("promoter", "Elecia Moore");
people.otherPromoter = await party("promoter", "Electra Smith");
people.artist = await party("artist", "Electric Dreams");
people.otherArtist = await party("artist", "Electric Fields");
const dreams = await app.make.artist({ name: "Electric Dreams", userId: people.artist.id });
const fields = await app.make.artist({ name: "Electric Fields", userId: people.otherArtist.id });
await app.make.artist({ name: "Electric Past", isActive: false });
const hidden = await app.make.artist({ name: "Electric Cave" });
await app.database.db.updateTable("artists").set({ is_public: false }).where("id", "=", hidden.id).execute();
bookings.mine = await app.make.booking({
  artistId: dreams.id,
  promoterUserId: people.promoter.id,
  venue: "The Dock",
});
bookings.theirs = await app.make.booking({ artistId: fields.id, promoterUserId: people.otherPromoter.id });

async function find(who: keyof typeof people, q: string) {
  const response = await app.request(`/api/search?q=${encodeURIComponent(q)}`, { headers: people[who].headers });
  expect(response.status).toBe(200);
  return (await response.json()) as SearchHits;
}
const ids = (hits: SearchHits) => hits.bookings.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b));

describe("search results", () => {
  test("contain every booking, every artist and users for an admin", async () => {
    const hits = await find("admin", "elec");
    expect(ids(hits)).toEqual([bookings.mine.id, bookings.theirs.id].toSorted((a, b) => a.localeCompare(b)));
    expect(hits.artists.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "Electric Cave",
      "Electric Dreams",
      "Electric Fields",
      "Electric Past",
    ]);
    expect(hits.users.map(({ name }) => name)).toContain("Elecia Moore");
  });

  test.each(["promoter", "artist"] as const)("contain only the own bookings of the %s, and no users", async (who) => {
    for (const text of ["elec", "whitt", bookings.theirs.number, bookings.mine.number, "%%"]) {
      const hits = await find(who, text);
      expect(ids(hits).filter((id) => id !== bookings.mine.id)).toEqual([]);
      expect(hits.users).toEqual([]);
      expect(hits.artists.filter((one) => !one.is_active || !one.is_public)).toEqual([]);
    }
    expect(ids(await find(who, "the dock"))).toEqual([bookings.mine.id]);
    expect(ids(await find(who, bookings.theirs.number.slice(3)))).toEqual([]);
  });

  test("require signing in", async () => {
    expect((await app.request("/api/search?q=elec")).status).toBe(401);
  });
});

test("finds a booking number first, with or without SD-, in any case", async () => {
  const bare = bookings.mine.number.slice(3);
  for (const text of [bookings.mine.number, bare, bare.toLowerCase(), `sd ${bare}`, `SD${bare}`])
    expect((await find("admin", text)).bookings[0]?.id, text).toBe(bookings.mine.id);
});

test("finds a booking by venue, promoter and artist, but not by one character", async () => {
  expect(ids(await find("promoter", "the dock"))).toEqual([bookings.mine.id]);
  expect(ids(await find("artist", "Hannah"))).toEqual([bookings.mine.id]);
  expect(await find("admin", "e")).toEqual({ bookings: [], artists: [], users: [] });
  expect(await find("admin", "")).toEqual({ bookings: [], artists: [], users: [] });
});

test("lists the event nearest to today first", async () => {
  const day = (days: number) => new Date(app.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10);
  const promoterUserId = people.promoter.id;
  const far = await app.make.booking({ promoterUserId, venue: "Nearby Hall", eventDate: day(200) });
  const near = await app.make.booking({ promoterUserId, venue: "Nearby Hall", eventDate: day(20) });
  const past = await app.make.booking({
    promoterUserId,
    venue: "Nearby Hall",
    eventDate: day(-90),
    status: "completed",
  });
  expect((await find("promoter", "nearby hall")).bookings.map(({ id }) => id)).toEqual([near.id, past.id, far.id]);
});
