import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

type Reply = { version: number; values: Record<string, unknown> } & Record<string, unknown>;

async function promoter() {
  const user = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(user);
  const call = (method: string, address: string, body?: object) =>
    app.json<Reply>(address, { method, headers, ...(body ? { body } : {}) });
  return {
    user,
    headers,
    read: () => call("GET", "/api/promoter/settings"),
    save: (values: object, version = 0) => call("PATCH", "/api/promoter/settings", { values, version }),
    defaults: async () => (await call("GET", "/api/me/booking-defaults")).body,
  };
}

test("returns the specification's defaults at first and stores nothing", async () => {
  const { read } = await promoter();
  expect(await read()).toMatchObject({
    status: 200,
    body: {
      version: 0,
      saved_at: null,
      values: { defaultEventDuration: 3, preferredContactMethod: "email", smsUrgentUpdates: false },
    },
  });
});

test("returns saved values to their own user only", async () => {
  const [one, other] = [await promoter(), await promoter()];
  const saved = await one.save({ organizationName: "Ellis Street Nights" });
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ version: 1, values: { organizationName: "Ellis Street Nights" } });
  expect((await one.read()).body).toEqual(saved.body);
  expect((await other.read()).body.values["organizationName"]).toBe("");
});

test("refuses a change of an outdated version with the current document", async () => {
  const { save, read } = await promoter();
  await save({ contactName: "Ada Wren" });
  const stale = await save({ contactName: "Somebody" }, 0);
  expect(stale.status).toBe(409);
  expect(stale.body["data"]).toMatchObject({ version: 1, values: { contactName: "Ada Wren" } });
  expect((await read()).body.values["contactName"]).toBe("Ada Wren");
});

test.each([
  ["defaultEventDuration", 0],
  ["defaultEventDuration", 25],
  ["defaultEventDuration", 2.5],
  ["preferredContactMethod", "pigeon"],
  ["website", "javascript:alert(1)"],
  ["contactName", "a\nb"],
  ["description", "x".repeat(2001)],
  ["role", "admin"],
])("refuses %s with %s and names the field", async (name, value) => {
  const { save, read } = await promoter();
  const { status, body } = await save({ [name]: value });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(name);
  expect((await read()).body.version).toBe(0);
});

test("fills contact, organization, phone and duration into the booking form, and no name without contact and organization", async () => {
  const { save, defaults } = await promoter();
  expect(await defaults()).toEqual({ clientName: null, clientPhone: null, duration: "3 hours" });
  await save({ organizationName: "Ellis Street Nights", phone: "+1 512 555 0100", defaultEventDuration: 1 });
  expect(await defaults()).toEqual({
    clientName: "Ellis Street Nights",
    clientPhone: "+1 512 555 0100",
    duration: "1 hour",
  });
  await save({ contactName: "Ada Wren" }, 1);
  expect((await defaults())["clientName"]).toBe("Ada Wren, Ellis Street Nights");
});

test("fills nothing into an artist's booking form", async () => {
  const headers = await app.signIn(await app.make.user({ role: "artist" }));
  expect((await app.json("/api/me/booking-defaults", { headers })).body).toEqual({
    clientName: null,
    clientPhone: null,
    duration: null,
  });
});

test("shows the artist of a request the promoter's organization and preferred contact method", async () => {
  const owner = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: owner.id, location: "Austin, Texas" });
  const { user, headers, save } = await promoter();
  const emailOf = async (eventTime: string) => {
    const { body } = await browser(app, headers).requestBooking({
      artistId: artist.slug,
      clientEmail: user.email,
      eventTime,
    });
    await app.settle();
    const row = await app.database.db
      .selectFrom("messages")
      .select("text")
      .where("ref_id", "=", body.id)
      .where("recipient", "=", owner.email)
      .executeTakeFirstOrThrow();
    return row.text;
  };
  expect(await emailOf("10:00")).toMatch(/Prefers contact by: +Email/);
  const values = {
    organizationName: "Ellis Street Nights",
    website: "https://ellis.example",
    description: "Small rooms, loud nights.",
    preferredContactMethod: "phone",
  };
  expect((await save(values)).status).toBe(200);
  const text = await emailOf("20:00");
  expect(text).toMatch(/Organization: +Ellis Street Nights/);
  expect(text).toMatch(/Website: +https:\/\/ellis\.example/);
  expect(text).toMatch(/About them: +Small rooms, loud nights\./);
  expect(text).toMatch(/Prefers contact by: +Phone/);
});
