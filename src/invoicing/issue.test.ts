import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts, planRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { testApp, testPassword, type TestApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const admin = await app.signIn(await app.make.user({ role: "admin" }));
afterAll(async () => {
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
});

const kindsOf = (rows: readonly { kind: string }[]) => rows.map(({ kind }) => kind);
const inTx = <T>(work: Parameters<typeof app.database.transaction<T>>[0]) => app.database.transaction(work);

async function paid(given: Parameters<TestApp["make"]["booking"]>[0] = {}) {
  const booking = await app.make.booking({ status: "contract_signed", balancePaid: true, fee: 150_000, ...given });
  await issueDocuments(app.services);
  return booking;
}

const invoiceOf = async (booking: { id: string }) =>
  (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "commission_invoice");

const release = (booking: { id: string; artist_id: string }) =>
  inTx((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: booking.artist_id,
      currency: "usd",
      commissionBps: 1_000,
      at: app.clock.now(),
    }),
  );

async function refund(paymentId: string, amount: number, cause: string) {
  await inTx((tx) =>
    planRefund(tx, { paymentId, amount, reason: "The show was moved.", causeKey: cause, now: app.clock.now() }),
  );
  await submitRefunds(app.services);
  await app.settle();
  await issueDocuments(app.services);
}

test("issues a receipt of the artist to the promoter for each captured payment, with consecutive numbers", async () => {
  const promoter = await app.make.user({ role: "promoter" });
  const booking = await paid({ promoterUserId: promoter.id, promoterName: "Hannah Whitt" });
  const documents = await documentsIn(app.database.db, booking.id);
  expect(kindsOf(documents)).toEqual(["receipt", "receipt"]);
  expect(documents.map(({ gross, tax, sequence_number }) => [gross, tax, sequence_number])).toEqual([
    [37_500, 0, 1],
    [112_500, 0, 2],
  ]);
  expect(documents[0]).toMatchObject({
    seller_artist_id: booking.artist_id,
    buyer_artist_id: null,
    buyer_email: booking.promoter_email,
    number: expect.stringMatching(/^A-\d+-00001$/),
    details: {
      collectedBy: "Stagedoor",
      booking: { number: expect.stringMatching(/^SD-/) },
      buyer: { name: "Hannah Whitt", email: booking.promoter_email },
      lines: [{ amount: 37_500, label: expect.stringContaining("Deposit for") }],
    },
  });
  expect(documents[1]).toMatchObject({ details: { lines: [{ label: expect.stringContaining("Balance for") }] } });
});

test("issues nothing twice, and numbers each artist separately", async () => {
  const [one, other] = [await paid(), await paid()];
  const before = await documentsIn(app.database.db, one.id);
  expect(await issueDocuments(app.services)).toBe(0);
  expect(await documentsIn(app.database.db, one.id)).toEqual(before);
  const numbers = (await documentsIn(app.database.db, other.id)).map((row) => row.sequence_number);
  expect(numbers).toEqual([1, 2]);
});

test("issues the platform's invoice for a release, and one statement for a paid payout", async () => {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const booking = await paid({ artist });
  const opened = await app.request("/api/artist/payment-account", {
    method: "POST",
    headers: await app.signIn(user),
    body: {},
  });
  const { url } = (await opened.json()) as { url: string };
  await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/complete` });
  await app.settle();
  await release(booking);
  await issueDocuments(app.services);
  const invoice = await invoiceOf(booking);
  expect(invoice).toMatchObject({
    kind: "commission_invoice",
    gross: 15_000,
    seller_artist_id: null,
    buyer_artist_id: artist.id,
    number: expect.stringMatching(/^PF-\d{5}$/),
    details: {
      figures: [
        { label: "Gross", amount: 150_000 },
        { label: "Commission", amount: -15_000 },
        { label: "Net, the artist's", amount: 135_000 },
      ],
    },
  });
  await makePayouts(app.services);
  await issueDocuments(app.services);
  const statements = (await documentsIn(app.database.db, booking.id)).filter(({ kind }) => kind === "payout_statement");
  expect(statements).toMatchObject([{ gross: 135_000, tax: 0, details: { lines: [{ amount: 135_000 }] } }]);
});

test("issues credit notes for partial refunds that name the receipt and total its tax to the cent", async () => {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const headers = await app.signIn(user);
  const saved = await app.request("/api/artist/settings", {
    method: "PATCH",
    headers,
    body: {
      version: 0,
      values: { legalName: "Dreams GmbH", legalAddress: "Lindenweg 4\n10115 Berlin", taxId: "DE123", taxBps: 1_900 },
    },
  });
  expect(saved.status, await saved.text()).toBe(200);
  const booking = await paid({ artist, fee: 100_001 });
  const [receipt] = await documentsIn(app.database.db, booking.id);
  expect(receipt).toMatchObject({
    gross: 25_000,
    tax: 3_992,
    tax_label: "VAT",
    tax_bps: 1_900,
    details: { seller: { legalName: "Dreams GmbH", address: "Lindenweg 4\n10115 Berlin", taxId: "DE123" } },
  });
  const paymentId = receipt?.payment_id ?? "";
  for (const [at, amount] of [8_333, 8_333, 8_334].entries())
    await refund(paymentId, amount, `part ${at} ${paymentId}`);
  const notes = (await documentsIn(app.database.db, booking.id)).filter(({ kind }) => kind === "credit_note");
  expect(notes.map(({ gross }) => gross)).toEqual([-8_333, -8_333, -8_334]);
  expect(notes.reduce((sum, one) => sum + one.tax, 0)).toBe(-3_992);
  expect(notes.every((one) => one.corrects_id === receipt?.id)).toBe(true);
  expect(notes[0]).toMatchObject({
    details: { corrects: { number: receipt?.number, name: "Receipt" }, reason: "The show was moved." },
  });
});

test("issues a payment and its refund of one batch in order", async () => {
  const booking = await app.make.booking({ status: "initiated", fee: 150_000 });
  await inTx((tx) =>
    makePayment(tx, {
      bookingId: booking.id,
      kind: "deposit",
      amount: 37_500,
      status: "refunded",
      at: app.clock.now(),
    }),
  );
  await issueDocuments(app.services);
  const documents = await documentsIn(app.database.db, booking.id);
  expect(kindsOf(documents).sort()).toEqual(["credit_note", "receipt"]);
  const [note, receipt] = documents.toSorted((one, other) => one.kind.localeCompare(other.kind));
  expect(note).toMatchObject({ gross: -37_500, corrects_id: receipt?.id });
  expect(Number(note?.sequence_number)).toBeGreaterThan(Number(receipt?.sequence_number));
});

test("credits commission that is returned after the release", async () => {
  const booking = await paid();
  await release(booking);
  await issueDocuments(app.services);
  const invoice = await invoiceOf(booking);
  const { provider_payment: providerPayment } = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("booking_id", "=", booking.id)
    .where("kind", "=", "deposit")
    .executeTakeFirstOrThrow();
  await app.services.gateway?.createRefund({
    refundId: "",
    key: `dashboard ${booking.id}`,
    providerPayment: providerPayment ?? "",
    amount: 10_000,
  });
  await app.services.sandbox?.settle();
  await app.settle();
  await issueDocuments(app.services);
  const notes = (await documentsIn(app.database.db, booking.id)).filter(({ kind }) => kind === "credit_note");
  expect(notes.map(({ gross, seller_artist_id }) => [gross, seller_artist_id])).toEqual(
    expect.arrayContaining([
      [-1_000, null],
      [-10_000, booking.artist_id],
    ]),
  );
  expect(notes.find(({ seller_artist_id: seller }) => seller === null)).toMatchObject({ corrects_id: invoice?.id });
  for (const note of notes)
    expect(note).toMatchObject({ details: { reason: "It was refunded at the payment provider." } });
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

test.each([
  "update documents set gross = gross + 1",
  "delete from documents",
  "truncate documents cascade",
  "update document_files set pages = 2",
])("refuses to the owner of the documents: %s", async (statement) => {
  const booking = await paid();
  const [document] = await documentsIn(app.database.db, booking.id);
  await sql`insert into document_files (document_id, bytes, sha256, pages) values (${document?.id}, '\\x00', ${Buffer.alloc(32)}, 1)`.execute(
    app.database.db,
  );
  await expect(sql.raw(statement).execute(app.database.db)).rejects.toThrow("a document is never changed");
});

test("credits the refund of a payment to its receipt although its earlier charge was reported late", async () => {
  const booking = await app.make.booking({ status: "deposit_paid", fee: 150_000 });
  await issueDocuments(app.services);
  const [receipt] = await documentsIn(app.database.db, booking.id);
  const paymentId = receipt?.payment_id ?? "";
  const { provider_payment: later } = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  // The same payment was paid a minute earlier on another page, which the provider reports only now.
  const earlier = (later ?? "").replace(/_(\d+)_([0-9a-f]+)$/, (_all, second, id) => `_${Number(second) - 60}_${id}`);
  const now = app.clock.now();
  const type = "checkout.session.completed";
  const objectId = earlier.replace("pi_", "cs_");
  const payload = JSON.stringify({ id: "evt_earlier", type, objectId, paymentRef: earlier, live: false });
  await app.database.db
    .insertInto("provider_events")
    .values({
      id: "evt_earlier",
      provider: "sandbox",
      type,
      object_id: objectId,
      payload: payload as never,
      received_at: now,
      next_try_at: now,
    })
    .execute();
  await processEvents(app.services);
  await app.settle();
  const { provider_payment: kept } = await app.database.db
    .selectFrom("payments")
    .select("provider_payment")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  expect(kept).toBe(earlier);
  await refund(paymentId, 10_000, `late ${paymentId}`);
  const notes = (await documentsIn(app.database.db, booking.id)).filter(({ kind }) => kind === "credit_note");
  expect(notes).toMatchObject([{ gross: -10_000, corrects_id: receipt?.id }]);
});
