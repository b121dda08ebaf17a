import { sql } from "kysely";
import { expect, test } from "vitest";
import { withAllowedKeys } from "#platform/personal-data/data-export.ts";
import { addDays, dayIn } from "#platform/time/calendar.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp, testPassword } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

type Tables = Record<string, Record<string, unknown>[]>;

async function exportOf(person: { email: string }): Promise<Tables> {
  const response = await app.request("/api/me/export", {
    headers: await app.signIn(person),
    body: { password: testPassword },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { tables: Tables }).tables;
}

test("includes a promoter's bookings with contracts and payments, and no other promoter's", async () => {
  const [promoter, other] = [await app.make.user({ name: "Mona Reyes" }), await app.make.user({ name: "Otto Lang" })];
  const own = await app.make.booking({
    promoterUserId: promoter.id,
    promoterEmail: promoter.email,
    status: "contract_sent",
  });
  const foreign = await app.make.booking({
    promoterUserId: other.id,
    promoterEmail: other.email,
    status: "deposit_paid",
  });
  const tables = await exportOf(promoter);
  expect(tables["bookings"]?.map(({ id }) => id)).toEqual([own.id]);
  expect(tables["contracts"]?.map(({ booking_id }) => booking_id)).toEqual([own.id]);
  expect(new Set(tables["payments"]?.map(({ booking_id }) => booking_id))).toEqual(new Set([own.id]));
  expect(tables["bookings"]?.[0]).not.toHaveProperty("access_key_hash");
  expect(tables["payments"]?.[0]).not.toHaveProperty("checkout_url");
  const text = JSON.stringify(tables);
  for (const stranger of [other.id, other.email, foreign.id]) expect(text).not.toContain(stranger);
});

test("includes no refund that another one replaced", async () => {
  const promoter = await app.make.user({ role: "promoter" });
  const { id } = await app.make.booking({ promoterUserId: promoter.id, status: "deposit_paid" });
  await sql`insert into refunds (payment_id, provider_payment, amount, currency, reason, status, cause_key)
    select p.id, p.provider_payment, a, p.currency, 'test', 'succeeded', 'test ' || a from payments p, (values (0), (100)) v(a)
    where p.booking_id = ${id}`.execute(app.database.db);
  expect((await exportOf(promoter))["refunds"]?.map(({ amount }) => amount)).toEqual([100]);
});

test("includes every row, however many a table has", async () => {
  const person = await app.make.user();
  await sql`insert into messages (channel, recipient, template, text, status)
    select 'email', ${person.email}, 'contact_note', '', 'sent' from generate_series(1, 6000)`.execute(app.database.db);
  expect((await exportOf(person))["messages"]).toHaveLength(6_000);
});

test("includes no rows that another user stored under an unverified address", async () => {
  const owner = await app.make.user();
  await app.make.booking({ promoterUserId: null, promoterEmail: owner.email });
  const { db } = app.services.database;
  expect((await exportOf(owner))["bookings"]).toHaveLength(1);
  const headers = await app.signIn(owner);
  await app.database.transaction((tx) =>
    tx.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", owner.id).execute(),
  );
  const response = await app.request("/api/me/export", { headers, body: { password: testPassword } });
  expect(response.status).toBe(200);
  expect((await response.json()) as { tables: Tables }).not.toHaveProperty("tables.bookings");
  expect(await db.selectFrom("bookings").select("id").where("promoter_email", "=", owner.email).execute()).toHaveLength(
    1,
  );
});

test("includes an artist's profile, settings and blocked times, and no bookings of promoters", async () => {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id });
  const booking = await app.make.booking({ artistId: artist.id, promoterEmail: "promoter@elsewhere.test" });
  await app.database.transaction((tx) =>
    tx
      .insertInto("settings")
      .values({
        scope: "artist",
        owner_id: artist.id,
        value: JSON.stringify({ planted: "not listed", formerSellers: [{ taxId: "DE1" }] }),
      })
      .execute(),
  );
  await app.make.booking({ artistId: artist.id, status: "deposit_paid" });
  const day = addDays(dayIn("UTC", app.clock.now()), 30);
  const blocked = { starts_at: `${day}T06:00`, ends_at: `${day}T18:00`, note: "At the dentist" };
  await app.request("/api/artist/blocked-times", { headers: await app.signIn(user), body: blocked });
  const tables = await exportOf(user);
  expect(tables["artists"]?.map(({ id }) => id)).toEqual([artist.id]);
  expect(tables["settings"]).toMatchObject([{ scope: "artist", value: { formerSellers: [{ taxId: "DE1" }] } }]);
  expect(tables["date_reservations"]).toMatchObject([{ kind: "blocked", note: "At the dentist" }]);
  const text = JSON.stringify(tables);
  for (const stranger of [booking.id, "promoter@elsewhere.test", "not listed"]) expect(text).not.toContain(stranger);
});

test("includes only the listed keys of a JSON column", () => {
  const row = { scope: "platform", value: { platformName: "Stagedoor", esignApiKeySealed: "…" } };
  expect(withAllowedKeys(row, { value: ["platformName"] })).toEqual({
    scope: "platform",
    value: { platformName: "Stagedoor" },
  });
});
