import { describe, expect, test } from "vitest";
import { artistDefaults } from "#settings/defaults.rules.ts";
import type { ArtistSettings } from "#settings/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

let people = 0;

async function act() {
  const user = await app.make.user({
    role: "artist",
    phone: `+1512555${1000 + (people += 1)}`,
  });
  const artist = await app.make.artist({ userId: user.id, location: "Austin, Texas" });
  const headers = await app.signIn(user);
  const visitor = browser(app);
  const save = async (values: Partial<ArtistSettings>, expected = 200) => {
    const read = await app.request("/api/artist/settings", { headers });
    const { version } = (await read.json()) as { version: number };
    const response = await app.request("/api/artist/settings", { method: "PATCH", headers, body: { values, version } });
    expect(response.status, await response.clone().text()).toBe(expected);
    return (await response.json()) as { values: ArtistSettings; data?: unknown };
  };
  const profile = () => visitor.json(`/api/artists/${artist.slug}`);
  const requestBooking = (given: object = {}) => visitor.requestBooking({ artistId: artist.slug, ...given });
  const check = (given: object = {}) =>
    visitor.check({ artistId: artist.slug, eventDate: dayAhead(app, 60), eventTime: "20:30", ...given });
  return { user, artist, headers, visitor, save, profile, requestBooking, check };
}

describe("the limits", () => {
  test("minimumNotice closes near days in the profile, the date check and the request", async () => {
    const { save, profile, requestBooking, check } = await act();
    const soon = { eventDate: dayAhead(app, 20) };
    expect((await check(soon)).body["date"]).toMatchObject({ state: "free" });
    await save({ minimumNotice: 30 });
    expect((await profile()).body["minimum_notice"]).toBe(30);
    expect((await check(soon)).body["date"]).toMatchObject({ state: "too_soon" });
    expect((await requestBooking(soon)).status).toBe(400);
    await save({ minimumNotice: 0 });
    expect((await requestBooking(soon)).status).toBe(201);
  });

  test("maximumBookingDays closes days further ahead", async () => {
    const { save, profile, requestBooking, check } = await act();
    const far = { eventDate: dayAhead(app, 500) };
    expect((await check(far)).body["date"]).toMatchObject({ state: "too_far" });
    await save({ maximumBookingDays: 730 });
    expect((await profile()).body["maximum_booking_days"]).toBe(730);
    expect((await requestBooking(far)).status).toBe(201);
  });

  test("travelRadius adds the distance to the date check and the artist's email, and refuses nothing", async () => {
    const { save, requestBooking, check, user } = await act();
    const venue = { eventLocation: "The Fillmore, San Francisco, California" };
    expect((await check()).body["travel"]).toBeNull();
    expect((await check({ eventLocation: "Stubb's, Austin, Texas" })).body["travel"]).toBeNull();
    const travel = (await check(venue)).body["travel"] as { miles: number; radius: number };
    expect(travel.radius).toBe(artistDefaults.travelRadius);
    expect(travel.miles).toBeGreaterThan(1_400);
    expect(travel.miles).toBeLessThan(1_600);
    const { body } = await requestBooking(venue);
    await app.settle();
    const email = await app.database.db
      .selectFrom("messages")
      .select("text")
      .where("ref_id", "=", body.id)
      .where("recipient", "=", user.email)
      .executeTakeFirstOrThrow();
    expect(email.text).toContain(`about ${travel.miles.toLocaleString("en-US")} miles; you travel ${travel.radius}`);
    await save({ travelRadius: 1000 });
    expect((await check(venue)).body["travel"]).toMatchObject({ radius: 1000 });
    expect((await check({ eventLocation: "Deep Ellum, Dallas, Texas" })).body["travel"]).toBeNull();
  });
});

describe("the kinds of event", () => {
  test.each([
    ["acceptWeddingEvents", "Wedding", "weddings"],
    ["acceptCorporateEvents", "Corporate event", "corporate events"],
    ["acceptPrivateEvents", "Private party", "private events"],
    ["acceptPrivateEvents", "Birthday", "private events"],
  ] as const)("without %s the date check and the request refuse %s", async (name, eventType, kind) => {
    const { save, profile, requestBooking, check, artist } = await act();
    expect((await check({ eventType })).body["date"]).toMatchObject({ state: "free" });
    await save({ [name]: false });
    expect((await profile()).body["declined_kinds"]).toHaveLength(1);
    const message = `${artist.name} does not play ${kind}.`;
    expect((await check({ eventType })).body["date"]).toMatchObject({ state: "kind_declined", message });
    const refused = await requestBooking({ eventType });
    expect(refused.status).toBe(400);
    expect(refused.body["data"]).toMatchObject({ fields: [{ field: "eventType", message }] });
    expect((await requestBooking({ eventType: "Festival" })).status).toBe(201);
  });
});

describe("the public page", () => {
  test("displays availabilityNote", async () => {
    const { save, profile } = await act();
    expect((await profile()).body["availability_note"]).toBe("");
    await save({ availabilityNote: "No shows on Mondays." });
    expect((await profile()).body["availability_note"]).toBe("No shows on Mondays.");
  });

  test("displays with showContactInfo the confirmed email, and the profile's phone or otherwise the confirmed one", async () => {
    const { save, profile, user } = await act();
    expect((await profile()).body["contact"]).toBeNull();
    await save({ showContactInfo: true });
    const shown = (await profile()).body["contact"] as { email: string; phone: string | null };
    expect(shown.email).toBe(user.email);
    await app.database.db.updateTable("users").set({ phone_confirmed_at: null }).where("id", "=", user.id).execute();
    expect((await profile()).body["contact"]).toEqual({ email: user.email, phone: null });
    await app.database.db
      .updateTable("artists")
      .set({ contact_phone: "+1 512 555 0100" })
      .where("user_id", "=", user.id)
      .execute();
    expect((await profile()).body["contact"]).toEqual({ email: user.email, phone: "+1 512 555 0100" });
    await save({ showContactInfo: false });
    expect((await profile()).body["contact"]).toBeNull();
  });

  test("is hidden with the search, count, reviews and booking form without publicProfile, and existing bookings continue", async () => {
    const { save, profile, requestBooking, artist, visitor, headers } = await act();
    const { body: booking } = await requestBooking();
    const found = async () => {
      const list = (await visitor.json(`/api/artists?search=${encodeURIComponent(artist.name)}`)).body;
      const count = (await visitor.json(`/api/artists/count?search=${encodeURIComponent(artist.name)}`)).body;
      return [(list["items"] as unknown[]).length, count["total"]];
    };
    expect(await found()).toEqual([1, 1]);
    await save({ publicProfile: false });
    expect((await profile()).status).toBe(404);
    expect((await profile()).body["message"]).toBe("Artist not found");
    expect(await found()).toEqual([0, 0]);
    expect((await visitor.json(`/api/artists/${artist.slug}/reviews`)).status).toBe(404);
    expect((await requestBooking({ eventTime: "10:00" })).status).toBe(404);
    expect((await visitor.checkout(booking)).status).toBe(200);
    const own = await app.request("/api/artist/bookings", { headers });
    expect(((await own.json()) as { items: unknown[] }).items).toHaveLength(1);
    await save({ publicProfile: true });
    expect((await profile()).status).toBe(200);
    expect(await found()).toEqual([1, 1]);
  });
});

test("the settings refuse values outside the specification's bounds, and store nothing", async () => {
  const { save } = await act();
  const beyond = { minimumNotice: 366, maximumBookingDays: 731, travelRadius: 1001 };
  for (const [name, value] of Object.entries(beyond)) {
    await save({ [name]: value }, 400);
    await save({ [name]: -1 }, 400);
  }
  expect((await save({ minimumNotice: 365, maximumBookingDays: 730, travelRadius: 1000 })).values).toMatchObject({
    minimumNotice: 365,
    maximumBookingDays: 730,
    travelRadius: 1000,
  });
});

test("the settings are not found (404) for an artist's account without a profile", async () => {
  const headers = await app.signIn(await app.make.user({ role: "artist" }));
  expect((await app.request("/api/artist/settings", { headers })).status).toBe(404);
});
