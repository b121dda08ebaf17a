import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { processEvents } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { documentedBookings, documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const { paid, invoiceOf, release, refund } = documentedBookings(app);
afterAll(async () => {
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
});

const kindsOf = (rows: readonly { kind: string }[]) => rows.map(({ kind }) => kind);
const inTx = <T>(work: Parameters<typeof app.database.transaction<T>>[0]) => app.database.transaction(work);

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
