import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, form, guestOf, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { AdminArtist, EditedArtist } from "./api.ts";

const app = closeAfterFile(await testApp());
const headers = await app.signIn(await app.make.user({ role: "admin" }));

async function call<T>(method: string, address: string, body?: object) {
  const response = await app.request(`/api/admin/artists${address}`, { method, headers, ...(body ? { body } : {}) });
  return { status: response.status, body: (await response.json()) as T & { message?: string } };
}
const list = async (query = "") => (await call<{ items: AdminArtist[]; total: number }>("GET", query)).body;
const publicStatus = async (slug: string) => (await app.request(`/api/artists/${slug}`)).status;
const publicNames = async (search: string) => {
  const response = await app.request(`/api/artists?search=${encodeURIComponent(search)}`);
  return ((await response.json()) as { items: { name: string }[] }).items.map((one) => one.name);
};
const lastEntry = async () =>
  app.database.db
    .selectFrom("activity")
    .select(["message", "actor_id"])
    .orderBy("position", "desc")
    .executeTakeFirstOrThrow();

test("lists all artists newest first, and searches name and genre case-insensitively, including inactive artists", async () => {
  await app.make.artist({ name: "Quill Harbour", genre: "jazz" });
  await app.make.artist({ name: "Old 100% Quill", genre: "folk", isActive: false });
  const all = await list();
  const created = all.items.map((one) => String(one.created_at));
  expect(created).toEqual(created.toSorted().toReversed());
  const names = async (query: string) => (await list(query)).items.map((one) => one.name).sort();
  expect(await names("?search=QUILL")).toEqual(["Old 100% Quill", "Quill Harbour"]);
  expect(await names("?search=quill&active=inactive")).toEqual(["Old 100% Quill"]);
  expect(await names("?search=quill&active=active")).toEqual(["Quill Harbour"]);
  expect(await names(`?search=${encodeURIComponent("100%")}`)).toEqual(["Old 100% Quill"]);
  expect(await names("?search=jaz")).toContain("Quill Harbour");
  expect(await names("?search=1__%25")).toEqual([]);
});

test("hides an inactive artist from search and booking immediately, and restores both when it is active again", async () => {
  const artist = await app.make.artist({ name: "Cindermoor Trio" });
  const requestBooking = () => app.request("/api/bookings", { body: form(app, { artistId: artist.slug }) });
  // The requests fill every cache before the change.
  expect([await publicStatus(artist.slug), await publicNames("cindermoor")]).toEqual([200, ["Cindermoor Trio"]]);
  const off = await call<EditedArtist>("PATCH", `/${artist.id}`, { is_active: false });
  expect([off.status, off.body.is_active]).toEqual([200, false]);
  expect([await publicStatus(artist.slug), await publicNames("cindermoor")]).toEqual([404, []]);
  expect((await requestBooking()).status).toBe(404);
  expect((await lastEntry()).message).toBe("The artist Cindermoor Trio was made inactive");
  await call("PATCH", `/${artist.id}`, { is_active: true });
  expect([await publicStatus(artist.slug), await publicNames("cindermoor")]).toEqual([200, ["Cindermoor Trio"]]);
  expect((await requestBooking()).status).toBe(201);
});

test("closes the profile of a suspended artist until the restoration, and books a deposit that was being paid", async () => {
  const owner = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ name: "Suspended Sparrows", userId: owner.id, baseRate: 150_000 });
  const access = async (action: "suspend" | "restore", body: object) => {
    expect((await app.request(`/api/admin/users/${owner.id}/${action}`, { headers, body })).status).toBe(200);
    await app.settle();
  };
  const request = (visitor: ReturnType<typeof browser>) => visitor.requestBooking({ artistId: artist.slug });
  const [paying, unpaid] = [browser(app), browser(app)];
  const { body: booking } = await request(paying);
  const { body: opened } = await paying.checkout(booking);
  const other = { eventDate: dayAhead(app, 90), clientEmail: "later@whitt.example" };
  const { body: later } = await unpaid.requestBooking({ artistId: artist.slug, ...other });

  await access("suspend", { reason: "Under review" });
  expect([await publicStatus(artist.slug), await publicNames("sparrows")]).toEqual([404, []]);
  expect((await request(browser(app))).status).toBe(404);
  const closed = "Suspended Sparrows accepts no bookings at the moment.";
  expect(await unpaid.checkout(later)).toMatchObject({ status: 409, body: { message: closed } });
  const refused = "The account of Suspended Sparrows is suspended. Restore the user first.";
  const activated = await call<EditedArtist>("PATCH", `/${artist.id}`, { is_active: true });
  expect(activated).toMatchObject({ status: 409, body: { message: refused } });
  await press(app, opened["checkout_url"], "pay");
  await app.settle();
  expect((await paying.json(`/api/bookings/${booking.id}`)).body).toMatchObject({
    status: expect.stringMatching(/^(deposit_paid|contract_sent)$/),
  });

  await access("restore", {});
  expect([await publicStatus(artist.slug), await publicNames("sparrows")]).toEqual([200, ["Suspended Sparrows"]]);
  await call("PATCH", `/${artist.id}`, { is_active: false });
  await access("suspend", { reason: "Under review" });
  await access("restore", {});
  expect(await publicStatus(artist.slug)).toBe(404);
});

test("closes the profile of a user who is no artist any more until the role is back", async () => {
  const owner = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ name: "Former Falcons", userId: owner.id, baseRate: 150_000 });
  const { body: booking } = await browser(app).requestBooking({ artistId: artist.slug });
  const change = async (role: "artist" | "promoter") => {
    expect((await app.request(`/api/admin/users/${owner.id}/role`, { headers, body: { role } })).status).toBe(200);
    await app.settle();
  };
  await change("promoter");
  expect([await publicStatus(artist.slug), await publicNames("falcons")]).toEqual([404, []]);
  expect((await browser(app).requestBooking({ artistId: artist.slug })).status).toBe(404);
  expect(await guestOf(app, booking.id).checkout(booking)).toMatchObject({ status: 409 });
  await change("artist");
  expect([await publicStatus(artist.slug), await publicNames("falcons")]).toEqual([200, ["Former Falcons"]]);

  // An earlier version did not close it.
  await app.database.db.updateTable("profiles").set({ role: "promoter" }).where("user_id", "=", owner.id).execute();
  await app.database.exec(readFileSync("migrations/1241_artists_of_users_with_another_role.sql", "utf8"));
  expect(await publicStatus(artist.slug)).toBe(404);
  await change("artist");
  expect(await publicStatus(artist.slug)).toBe(200);
});

test("makes a new artist found and bookable immediately, in the time zone of the last known location", async () => {
  const made = await call<EditedArtist>("POST", "", {
    name: "  Marigold   Static ",
    genre: "rock",
    bio: "Loud.",
    base_rate: 150_050,
    location: "Austin, Texas",
    photo_url: "https://pictures.example/m.jpg",
    video_url: "",
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ name: "Marigold Static", slug: "marigold-static", owner: null, is_active: true });
  expect(await publicNames("marigold")).toEqual(["Marigold Static"]);
  const zone = async () =>
    (
      await app.database.db
        .selectFrom("artists")
        .select("time_zone")
        .where("id", "=", made.body.id)
        .executeTakeFirstOrThrow()
    ).time_zone;
  expect(await zone()).toBe("America/Chicago");
  await call("PATCH", `/${made.body.id}`, { location: "Nowhere Ranch" });
  expect(await zone()).toBe("America/Chicago");
  await call("PATCH", `/${made.body.id}`, { location: "Denver, Colorado" });
  expect(await zone()).toBe("America/Denver");
  const again = await call<EditedArtist>("POST", "", { name: "Marigold Static" });
  expect(again.body.slug).toBe("marigold-static-2");
});

test("changes only the named fields, retains the slug, and reports whether the page is hidden in the settings", async () => {
  const before = { name: "Fern Arcade", bio: "Before.", baseRate: 90_000, location: "Austin, Texas" };
  const artist = await app.make.artist(before);
  const changes = { name: "Fern Arcade Band", top_rate: 120_000 };
  const same = { slug: artist.slug, bio: "Before.", base_rate: 90_000, location: "Austin, Texas" };
  const changed = { status: 200, body: { ...same, ...changes, is_active: true, is_public: true } };
  expect(await call<EditedArtist>("PATCH", `/${artist.id}`, changes)).toMatchObject(changed);
  expect(await call<EditedArtist>("GET", `/${artist.id}`)).toMatchObject(changed);
  await app.database.db.updateTable("artists").set({ is_public: false }).where("id", "=", artist.id).execute();
  expect((await call("GET", `/${artist.id}`)).body).toMatchObject({ is_active: true, is_public: false });
  expect((await list("?search=fern")).items).toMatchObject([{ name: "Fern Arcade Band", is_public: false }]);
});

test("removes the preview of a photo that an admin replaces or removes, and of no other", async () => {
  const photo_image = JSON.stringify({ width: 600, height: 800, thumbhash: "AAAA", avif: true });
  const artist = await app.make.artist();
  await call("PATCH", `/${artist.id}`, { photo_url: "https://pictures.test/former.jpg" });
  const changed = async (changes: object) => {
    await app.database.db.updateTable("artists").set({ photo_image }).where("id", "=", artist.id).execute();
    expect((await call("PATCH", `/${artist.id}`, changes)).status).toBe(200);
    const body = (await (await app.request(`/api/artists/${artist.slug}`)).json()) as Record<string, unknown>;
    return body["photo_image"];
  };
  expect(await changed({ bio: "New." })).toMatchObject({ thumbhash: "AAAA" });
  expect(await changed({ photo_url: "https://pictures.test/new.jpg" })).toBeNull();
  expect(await changed({ photo_url: "" })).toBeNull();
});

test("lists the artist who was featured last first on the front page", async () => {
  const [one, two] = [await app.make.artist(), await app.make.artist()];
  const first = async () => {
    const response = await app.request("/api/artists/featured");
    return ((await response.json()) as { items: { id: string }[] }).items.map((item) => item.id).slice(0, 2);
  };
  await call("PATCH", `/${one.id}`, { is_featured: true });
  await call("PATCH", `/${two.id}`, { is_featured: true });
  expect(await first()).toEqual([two.id, one.id]);
  await call("PATCH", `/${two.id}`, { is_featured: false });
  expect((await first())[0]).toBe(one.id);
});

test.each([
  [{ base_rate: -1 }, "A rate cannot be negative."],
  [{ base_rate: 20_000, top_rate: 10_000 }, "The top rate is lower than the base rate."],
  [{ name: "  " }, "Enter the artist's name."],
  [{ photo_url: "javascript:alert(1)" }, "An address begins with https://."],
  [{ genre: "polka" }, "A genre is one of"],
])("refuses %j with a message", async (changes, message) => {
  const artist = await app.make.artist();
  const { status, body } = await call("PATCH", `/${artist.id}`, changes);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(message);
});

test("marks published artists of one name, whatever its case and accents, until an admin allows the name", async () => {
  const first = await app.make.artist({ name: "Café Noir" });
  await app.make.artist({ name: "CAFE NOIR" });
  await app.make.artist({ name: "Cafe Noir", isActive: false });
  const marked = async () => {
    const { items } = await list("?search=cafe%20noir");
    return items.flatMap(({ name, shares_name }) => (shares_name ? [name] : [])).toSorted();
  };
  expect(await marked()).toEqual(["CAFE NOIR", "Café Noir"]);
  expect((await call("PATCH", `/${first.id}`, { allow_shared_name: true })).status).toBe(200);
  expect(await marked()).toEqual([]);
  expect((await lastEntry()).message).toBe("Several published artists may have the name Café Noir");
  await app.make.artist({ name: "Cafe Noir" });
  expect(await marked()).toEqual(["Cafe Noir"]);
});

test("returns 404 for a missing artist and refuses other users and roles", async () => {
  const missing = "/00000000-0000-4000-8000-000000000000";
  expect((await call("GET", missing)).status).toBe(404);
  expect((await call("PATCH", missing, { is_active: false })).status).toBe(404);
  const artist = await app.make.artist();
  for (const role of [undefined, "artist", "promoter"] as const) {
    const who = role ? await app.signIn(await app.make.user({ role })) : {};
    const at = `/api/admin/artists/${artist.id}`;
    const status = (await app.request(at, { method: "PATCH", headers: who, body: { is_active: false } })).status;
    expect(status).toBe(role ? 403 : 401);
  }
  expect(await publicStatus(artist.slug)).toBe(200);
  expect((await browser(app).json("/api/admin/artists")).status).toBe(401);
});
