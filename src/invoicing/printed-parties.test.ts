import { afterAll, expect, test } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { documentedBookings, documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { testApp, testPassword } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const admin = await app.signIn(await app.make.user({ role: "admin" }));
const { paid, invoiceOf, release, refund } = documentedBookings(app);
afterAll(async () => {
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
});

test("prints the platform's name and the included tax on the next invoice, and logs the settings", async () => {
  const stored = (await (await app.request("/api/admin/settings", { headers: admin })).json()) as { version: number };
  const change = (values: object, version: number) =>
    app.request("/api/admin/settings", { method: "PATCH", headers: admin, body: { values, version } });
  const values = {
    legalName: "Bookings LLC",
    legalAddress: "1 Main St",
    taxId: "US-9",
    taxLabel: "GST",
    taxBps: 1_000,
  };
  const named = await change(values, stored.version);
  expect(named.status).toBe(200);
  const before = await paid();
  await release(before);
  await issueDocuments(app.services);
  expect(await invoiceOf(before)).toMatchObject({
    tax: 0,
    tax_label: "",
    details: { seller: { legalName: "Bookings LLC", address: "1 Main St", taxId: "US-9" } },
  });
  const { version } = (await named.json()) as { version: number };
  expect((await change({ pricesIncludeTax: true }, version)).status).toBe(200);
  const after = await paid();
  await release(after);
  await issueDocuments(app.services);
  const invoice = await invoiceOf(after);
  expect(invoice).toMatchObject({ gross: 15_000, tax: 1_364, tax_label: "GST", tax_bps: 1_000 });
  const log = await app.database.db
    .selectFrom("activity")
    .select("message")
    .where("message", "like", "%pricesIncludeTax%")
    .execute();
  expect(log).toHaveLength(1);
  expect((await change({ taxBps: 5_001 }, version + 1)).status).toBe(400);
  expect((await change({ taxLabel: "GST\nBcc: x" }, version + 1)).status).toBe(400);
});

test("prints the seller and the tax of the time of the payment if it is documented after a change of the settings", async () => {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const headers = await app.signIn(user);
  const save = async (path: string, by: typeof admin, values: object) => {
    const { version } = (await (await app.request(path, { headers: by })).json()) as { version: number };
    expect((await app.request(path, { method: "PATCH", headers: by, body: { values, version } })).status).toBe(200);
  };
  const paidNow = () => ({ fee: 150_000, createdAt: new Date(app.clock.now().getTime() - 10 * minuteMs) });
  const before = { legalName: "Mira Lind", taxId: "DE123", taxLabel: "MwSt", taxBps: 1_900 };
  await save("/api/artist/settings", headers, before);
  await save("/api/admin/settings", admin, { legalName: "Bookings LLC", taxBps: 1_000, pricesIncludeTax: true });
  app.clock.advance(1_000);
  const booking = await app.make.booking({ status: "contract_signed", artist, ...paidNow() });
  await release(booking);
  app.clock.advance(1_000);
  await save("/api/artist/settings", headers, { legalName: "Lind GmbH", taxId: "DE456", taxBps: 2_000 });
  await save("/api/admin/settings", admin, { legalName: "Bookings Inc", pricesIncludeTax: false });
  app.clock.advance(1_000);
  await save("/api/artist/settings", headers, { taxLabel: "VAT", minimumNotice: 9 });
  const next = await app.make.booking({ status: "deposit_paid", artist, eventDate: "2027-03-05", ...paidNow() });
  await issueDocuments(app.services);
  const [deposit] = await documentsIn(app.database.db, booking.id);
  const invoice = await invoiceOf(booking);
  const then = { legalName: "Mira Lind", taxId: "DE123" };
  const [later] = await documentsIn(app.database.db, next.id);
  expect(deposit).toMatchObject({ tax_label: "MwSt", tax_bps: 1_900, tax: 5_987, details: { seller: then } });
  expect(deposit).toMatchObject({ details: { collectedBy: "Bookings LLC" } });
  expect(invoice).toMatchObject({ tax_bps: 1_000, details: { buyer: then } });
  expect(invoice).toMatchObject({ details: { seller: { legalName: "Bookings LLC" } } });
  expect(later).toMatchObject({ tax_label: "VAT", tax_bps: 2_000, details: { seller: { legalName: "Lind GmbH" } } });
});

test("prints the promoter's address and tax ID on receipts from then on and on their credit notes, and not those of an unconfirmed one", async () => {
  const promoter = await app.make.user({ role: "promoter" });
  const headers = await app.signIn(promoter);
  const given = { promoterUserId: promoter.id, promoterEmail: promoter.email };
  const earlier = await paid(given);
  const address = { organizationName: "Ellis Ltd", legalAddress: "4 Ellis Street\nAustin", taxId: "US-77" };
  const saved = await app.request("/api/promoter/settings", {
    method: "PATCH",
    headers,
    body: { values: address, version: 0 },
  });
  expect(saved.status).toBe(200);
  const booking = await paid({ ...given, status: "deposit_paid", balancePaid: false });
  const unconfirmed = await app.make.booking({ ...given, status: "deposit_paid" });
  const change = { needs_confirmation: true };
  await app.database.db.updateTable("bookings").set(change).where("id", "=", unconfirmed.id).execute();
  await issueDocuments(app.services);
  const buyer = { legalName: "Ellis Ltd", address: "4 Ellis Street\nAustin", taxId: "US-77" };
  const nobody = { legalName: "", address: "", taxId: "" };
  const buyersOf = async ({ id }: { id: string }) =>
    (await documentsIn(app.database.db, id)).map(({ details }) => (details as { buyer: unknown }).buyer);
  expect(await buyersOf(booking)).toMatchObject([buyer]);
  expect(await buyersOf(earlier)).toMatchObject([nobody, nobody]);
  expect(await buyersOf(unconfirmed)).toMatchObject([nobody]);
  const own = { headers, body: { password: testPassword } };
  expect(await (await app.request("/api/me/export", own)).json()).toMatchObject({
    tables: { settings: [{ scope: "promoter", value: address }] },
  });
  const [receipt] = await documentsIn(app.database.db, booking.id);
  await refund(receipt?.payment_id ?? "", 37_500, "moved");
  expect(await buyersOf(booking)).toMatchObject([buyer, buyer]);
});
