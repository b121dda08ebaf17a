import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, follow, form, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const people = peopleOf(() => app);

type Json = Record<string, unknown>;
async function call(headers: Record<string, string>, method: string, address: string, body?: object) {
  const response = await app.request(address, { method, headers, ...(body ? { body } : {}) });
  return { status: response.status, body: (await response.json()) as Json };
}
const adminHeaders = async () => app.signIn(await app.make.user({ role: "admin" }));

async function changeCurrency(currency: string) {
  const headers = await adminHeaders();
  const { body } = await call(headers, "GET", "/api/admin/settings");
  const saved = await call(headers, "PATCH", "/api/admin/settings", { version: body["version"], values: { currency } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  await follow(app);
}

async function priced(name: string) {
  const owner = await app.make.user({ role: "artist", email: `${name.toLowerCase()}@example.test` });
  const headers = await app.signIn(owner);
  const artist = await people.artist({ name, userId: owner.id, baseRate: 80_001 });
  return {
    artist,
    headers,
    profile: async () => (await call({}, "GET", `/api/artists/${artist.slug}`)).body,
    check: () => browser(app).check({ artistId: artist.slug, eventDate: dayAhead(app, 60), eventTime: "20:30" }),
    requestBooking: () => browser(app).json("/api/bookings", form(app, { artistId: artist.slug })),
    found: async () =>
      ((await call({}, "GET", `/api/artists?search=${name}&maxPrice=100000`)).body["items"] as Json[]).length,
  };
}
const refused = {
  status: 409,
  body: { message: expect.stringContaining("cannot be booked until the price is confirmed in EUR") as string },
};

test("notifies artists, refuses bookings until they confirm, and retains the currency of open bookings", async () => {
  const ada = await priced("Adelaide");
  const visitor = browser(app);
  const { body: booking } = await visitor.requestBooking({ artistId: ada.artist.slug });
  expect(await ada.found()).toBe(1);

  await changeCurrency("eur");
  expect(await ada.profile()).toMatchObject({ base_rate: 80_001, currency: "usd", price_confirmed: false });
  expect(await ada.check()).toMatchObject(refused);
  expect(await ada.requestBooking()).toMatchObject(refused);
  expect(await ada.found()).toBe(0);
  const emails = await app.database.db
    .selectFrom("messages")
    .select(["subject", "text"])
    .where("recipient", "=", "adelaide@example.test")
    .where("template", "=", "price_to_confirm")
    .execute();
  expect(emails).toMatchObject([{ subject: "Confirm your price in EUR" }]);
  expect(emails[0]?.text.replaceAll("\n", " ")).toContain("Existing bookings keep their price and currency.");
  expect((await call(ada.headers, "GET", "/api/artist/overview")).body).toMatchObject({ price_to_confirm: "eur" });
  const opened = await visitor.json("/api/functions/create-contract-and-checkout", { booking_id: booking.id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const payment = await app.database.db
    .selectFrom("payments")
    .select("currency")
    .where("booking_id", "=", booking.id)
    .executeTakeFirstOrThrow();
  expect(payment.currency).toBe("usd");

  const profile = { name: "Adelaide", genre: "jazz", bio: "", base_rate: 75_000, photo_url: null, video_url: null };
  const stale = await call(ada.headers, "PUT", "/api/artist/profile", { ...profile, currency: "usd" });
  expect(stale).toMatchObject({ status: 409, body: { message: expect.stringContaining("now EUR") as string } });
  const saved = await call(ada.headers, "PUT", "/api/artist/profile", { ...profile, currency: "eur" });
  expect(saved).toMatchObject({ status: 200, body: { base_rate: 75_000, top_rate: null, price_currency: "eur" } });
  expect((await ada.check()).body["price"]).toMatchObject({ fee_cents: 75_000, currency: "eur" });
  expect((await call(ada.headers, "GET", "/api/artist/overview")).body).toMatchObject({ price_to_confirm: null });
  expect(await ada.found()).toBe(1);
});

test("confirms the price when an admin enters the rate, and when the platform returns to the former currency", async () => {
  await changeCurrency("usd");
  const [bea, cleo] = [await priced("Beatrice"), await priced("Cleopatra")];
  await changeCurrency("eur");
  const headers = await adminHeaders();
  const renamed = await call(headers, "PATCH", `/api/admin/artists/${bea.artist.id}`, { bio: "New." });
  expect(renamed.body).toMatchObject({ price_confirmed: false });
  const entered = await call(headers, "PATCH", `/api/admin/artists/${bea.artist.id}`, { base_rate: 70_000 });
  expect(entered.body).toMatchObject({ price_confirmed: true, currency: "eur", top_rate: null });
  expect((await bea.check()).status).toBe(200);
  expect(await cleo.check()).toMatchObject(refused);
  await changeCurrency("usd");
  expect((await cleo.check()).body["price"]).toMatchObject({ fee_cents: 80_001, currency: "usd" });
  expect(await bea.check()).toMatchObject({ status: 409 });
});
