import { describe, expect, it } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { form } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { ArtistCard, ArtistProfile } from "../api.ts";
import type { OwnProfile, PlaceChoice } from "./api.ts";

const app = closeAfterFile(await testApp());

type Failure = { code: string; message: string; data?: { fields?: { field: string }[] } };

async function artist(name = "Harbour Lights") {
  const user = await app.make.user({ role: "artist", name });
  const headers = await app.signIn(user);
  const call = async <T>(method: string, address: string, body?: object) => {
    const response = await app.request(address, { method, headers, ...(body ? { body } : {}) });
    return { status: response.status, body: (await response.json()) as T };
  };
  return {
    ...user,
    call,
    read: async () => (await call<OwnProfile>("GET", "/api/artist/profile")).body,
    save: (change: object = {}) =>
      call<OwnProfile & Failure>("PUT", "/api/artist/profile", { ...profile, name, ...change }),
  };
}

const profile = {
  name: "Harbour Lights",
  genre: "folk",
  bio: "Two voices and a harmonium.",
  base_rate: 90_000,
  photo_url: null,
  video_url: null,
};
const publicPage = async (slug: string | null) => {
  const response = await app.request(`/api/artists/${slug}`);
  return { status: response.status, body: (await response.json()) as ArtistProfile };
};

describe("new artist", () => {
  it("starts with a blank form and the name of the account", async () => {
    const me = await artist("Ada Bell");
    expect(await me.read()).toMatchObject({
      slug: null,
      name: "Ada Bell",
      email: me.email,
      bio: "",
      base_rate: 0,
      place: null,
      commission_bps: 1000,
      event_types: { corporate: true, private: true, wedding: true },
    });
  });

  it("can be found and booked as soon as the profile is saved, despite cached responses", async () => {
    const me = await artist("Velvet Harbour");
    const search = async () => {
      const response = await app.request("/api/artists?search=velvet+harbour");
      return ((await response.json()) as { items: ArtistCard[] }).items.map(({ slug }) => slug);
    };
    expect(await search()).toEqual([]);
    const { status, body } = await me.save();
    expect([status, body.slug]).toEqual([200, "velvet-harbour"]);
    expect(await search()).toEqual(["velvet-harbour"]);
    expect((await app.request("/api/bookings", { body: form(app, { artistId: "velvet-harbour" }) })).status).toBe(201);
  });

  it("is created once by two concurrent saves", async () => {
    const me = await artist("Twice At Once");
    const both = await Promise.all([me.save(), me.save({ bio: "Again." })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const twice = app.database.db.selectFrom("artists").where("name", "=", "Twice At Once");
    expect(await twice.select("slug").execute()).toEqual([{ slug: "twice-at-once" }]);
  });

  it("gets the name of the account without an own name", async () => {
    const me = await artist("Quiet Parade");
    expect((await me.save({ name: "  " })).body).toMatchObject({ name: "Quiet Parade", slug: "quiet-parade" });
  });

  it("cannot use the name of an artist without an owner, which must be claimed", async () => {
    await app.make.artist({ name: "Silver Oak", userId: null });
    const me = await artist("silver  oak");
    const { status, body } = await me.save();
    expect([status, body.code, body.data?.fields?.[0]?.field]).toEqual([409, "claim_needed", "name"]);
    expect((await me.read()).slug).toBeNull();
    expect((await me.save({ name: "Silver Oak Trio" })).body.slug).toBe("silver-oak-trio");
  });

  it("shares the name of another act from which it differs by invisible characters only", async () => {
    const forged = "\u202eNight\u200b Lan\u00adtern\u2066";
    for (const [first, second] of [
      ["Night Lantern", forged],
      ["\u0645\u06cc\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ] as const) {
      await (await artist(first)).save();
      const { body } = await (await artist("Another Act")).save({ name: second });
      expect(body).toMatchObject({ shares_name: true, name: second === forged ? first : second });
    }
  });

  it("may have the name of an artist with an owner, under another slug", async () => {
    const first = await artist("Night Parlor");
    await first.save();
    const second = await artist("Night Parlor");
    expect((await second.save()).body).toMatchObject({ slug: "night-parlor-2", shares_name: true });
    expect((await publicPage("night-parlor")).body.id).not.toBe((await publicPage("night-parlor-2")).body.id);
  });
});

describe("saved profile", () => {
  it("shows everything on the public page", async () => {
    const me = await artist("Copper Kites");
    const { items } = (await me.call<{ items: PlaceChoice[] }>("GET", "/api/places?search=oakl")).body;
    const oakland = items.find(({ name }) => name === "Oakland, California");
    const { status, body } = await me.save({
      bio: "  Brass, and more brass.  ",
      top_rate: 250_000,
      video_url: "dQw4w9WgXcQ",
      photo_url: "https://pictures.example/kites.jpg",
      years_experience: 12,
      place_id: oakland?.id,
      specialties: ["Second lines", "Weddings", "Weddings"],
      equipment: ["PA for 200"],
      event_types: { corporate: false, private: true, wedding: true },
      phone: "+1 (510) 555-0142",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      place: oakland,
      phone: "+1 (510) 555-0142",
      specialties: ["Second lines", "Weddings"],
    });
    expect((await publicPage(body.slug)).body).toMatchObject({
      name: "Copper Kites",
      bio: "Brass, and more brass.",
      base_rate: 90_000,
      top_rate: 250_000,
      location: "Oakland, California",
      time_zone: "America/Los_Angeles",
      years_experience: 12,
      video_url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
      photo_url: "https://pictures.example/kites.jpg",
      picture_url: "https://pictures.example/kites.jpg",
    });
    expect(await me.read()).toMatchObject({ event_types: { corporate: false, private: true, wedding: true } });
    // The phone number is not public by default.
    expect(JSON.stringify((await publicPage(body.slug)).body)).not.toContain("555-0142");
  });

  it("retains fields that a request does not name, and its slug when the name changes", async () => {
    const me = await artist("Paper Lanterns");
    await me.save({ years_experience: 4, specialties: ["Waltz"], phone: "512 555 0100" });
    const { body } = await me.save({ name: "Paper Lanterns Orchestra" });
    expect(body).toMatchObject({
      slug: "paper-lanterns",
      name: "Paper Lanterns Orchestra",
      years_experience: 4,
      specialties: ["Waltz"],
      phone: "512 555 0100",
    });
  });

  it("finds the town of an artist that was stored as text", async () => {
    const me = await artist("Old Timers");
    await app.make.artist({ name: "Old Timers", userId: me.id, location: "Austin, Texas" });
    expect((await me.read()).place?.name).toBe("Austin, Texas");
    expect((await me.save({ place_id: null })).body).toMatchObject({ place: null, location: "" });
  });

  it("cannot be changed by another artist", async () => {
    const mine = await artist("Mine Alone");
    await mine.save();
    const other = await artist("Somebody Else");
    await other.save({ bio: "Not mine." });
    expect((await mine.read()).bio).toBe(profile.bio);
  });
});

it.each([
  ["", { is_active: false }],
  ["name", { name: "x".repeat(121) }],
  ["genre", { genre: "polka" }],
  ["bio", { bio: "x".repeat(2_001) }],
  ["base_rate", { base_rate: -1 }],
  ["base_rate", { base_rate: 1.5 }],
  ["base_rate", { base_rate: 100_000_000 }],
  ["top_rate", { top_rate: 89_999 }],
  ["photo_url", { photo_url: "http://pictures.example/x.jpg" }],
  ["photo_url", { photo_url: "javascript:alert(1)" }],
  ["photo_url", { photo_url: "/storage/artist-media/00000000-0000-4000-8000-000000000000/photo_1.webp" }],
  ["video_url", { video_url: "video.example" }],
  ["years_experience", { years_experience: 100 }],
  ["place_id", { place_id: "Atlantis" }],
  ["specialties", { specialties: Array.from({ length: 21 }, (_, n) => `One ${n}`) }],
  ["equipment.0", { equipment: ["x".repeat(81)] }],
  ["phone", { phone: "call me" }],
])("refuses %j out of its bounds, at the field, and an unknown field", async (field, change) => {
  const me = await artist("Out Of Bounds");
  const { status, body } = await me.save(change);
  expect([status, body.data?.fields?.[0]?.field]).toEqual([400, field]);
  expect((await me.read()).slug).toBeNull();
});
