import { afterAll, expect, test } from "vitest";
import { returnShares } from "#disputes/index.ts";
import { releaseHeld } from "#payments/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { decideDispute, openDispute, paidBookings, paymentOf, winAppeal } from "#test/harness/disputes.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts, planRefund, submitRefunds, syncRefund } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import { drawDocument } from "./pdf/document-pdf.ts";
import type { DocumentDetails } from "./rules.ts";
import { findDocument } from "./views.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(async () => {
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  await expectSound({ inTx: (work) => app.database.transaction(work) });
});

const paid = paidBookings(() => app);

type Booked = Awaited<ReturnType<typeof booked>>;

/** Makes a booking of 1,500 with both parts paid. Returns it with the reference of its balance of 1,125. */
async function booked() {
  const booking = await app.make.booking({ status: "contract_signed", balancePaid: true, fee: 150_000 });
  const { id, ref } = await paymentOf(app, booking.id, "balance");
  app.clock.advance(2 * dayMs);
  return { booking, balance: id, ref };
}

const release = ({ booking }: Booked) =>
  app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: booking.artist_id,
      currency: "usd",
      commissionBps: 1_000,
      at: app.clock.now(),
    }),
  );

async function lose({ ref }: Booked): Promise<string> {
  const dispute = await openDispute(app, ref);
  await decideDispute(app, dispute, "lose");
  await issueDocuments(app.services);
  return dispute;
}

async function documentsOf({ booking }: Booked) {
  await issueDocuments(app.services);
  const rows = await documentsIn(app.database.db, booking.id);
  return rows.map(({ kind, gross }) => [kind, gross]);
}
/** Makes another person the payer of the balance, before its receipt is issued. */
const paidByOther = ({ balance }: Booked) => {
  const payer = { payment_id: balance, name: "Paula Payer", email: "paula@example.test" };
  return app.database.transaction((tx) => tx.insertInto("payment_payers").values(payer).execute());
};

/** Returns the subjects and texts that the other payer got, in order. */
async function emailsToPayer({ booking }: Booked): Promise<string[]> {
  const sent = app.database.db.selectFrom("messages").select(["subject", "text"]).where("ref_id", "=", booking.id);
  const rows = await sent.where("recipient", "=", "paula@example.test").orderBy("created_at").execute();
  return rows.map(({ subject, text }) => `${subject}: ${text.replaceAll(/\s+/g, " ")}`);
}

const receipts = [
  ["receipt", 37_500],
  ["receipt", 112_500],
];

test("leaves the receipts of a dispute lost before the release, and invoices what is left", async () => {
  const one = await booked();
  await lose(one);
  expect(await documentsOf(one)).toEqual(receipts);
  await release(one);
  expect(await documentsOf(one)).toEqual([...receipts, ["commission_invoice", 3_750]]);
});

test.each(["before", "after"])(
  "credits commission lost after the release, %s its invoice was issued",
  async (order) => {
    const one = await booked();
    await release(one);
    if (order === "after") await issueDocuments(app.services);
    await lose(one);
    await makePayouts(app.services);
    expect(await documentsOf(one)).toEqual([...receipts, ["commission_invoice", 15_000], ["credit_note", -11_250]]);
    const rows = await documentsIn(app.database.db, one.booking.id);
    const invoice = rows.find(({ kind }) => kind === "commission_invoice");
    expect(rows.at(-1)).toMatchObject({
      corrects_id: invoice?.id,
      seller_artist_id: null,
      buyer_artist_id: one.booking.artist_id,
      details: { reason: "The payer's bank took the payment back.", corrects: { number: invoice?.number } },
    });
  },
);

test("sends a payer no document about the platform's commission", async () => {
  const one = await booked();
  await paidByOther(one);
  await release(one);
  await lose(one);
  expect((await documentsOf(one)).at(-1)).toEqual(["credit_note", -11_250]);
  expect(await emailsToPayer(one)).toEqual([expect.stringContaining("Your receipt: $1,125")]);
});

test("changes no document when an appeal wins a lost dispute", async () => {
  const one = await booked();
  await release(one);
  const dispute = await lose(one);
  const before = await documentsOf(one);
  await winAppeal(app, dispute);
  const regained = app.database.db.selectFrom("ledger_groups").select("id").where("kind", "=", "dispute_regained");
  expect(await regained.where("booking_id", "=", one.booking.id).execute()).toHaveLength(1);
  expect(await documentsOf(one)).toEqual(before);
});

test("corrects the credit note of commission returned after an appeal, and credits a later refund of the invoice", async () => {
  const one = await booked();
  await release(one);
  const dispute = await lose(one);
  await winAppeal(app, dispute);
  const before = await documentsOf(one);
  const { id } = await app.database.db
    .selectFrom("disputes")
    .select("id")
    .where("provider_ref", "=", dispute)
    .executeTakeFirstOrThrow();
  const given = { disputeId: id, bookingId: one.booking.id, expectedArtist: 101_250, now: app.clock.now() };
  await app.database.transaction((tx) => returnShares(tx, given));
  expect(await documentsOf(one)).toEqual([...before, ["correction", 11_250]]);
  const rows = await documentsIn(app.database.db, one.booking.id);
  const note = rows.find(({ kind }) => kind === "credit_note");
  const correction = rows.find(({ kind }) => kind === "correction");
  expect(correction).toMatchObject({
    corrects_id: note?.id,
    seller_artist_id: null,
    buyer_artist_id: one.booking.artist_id,
    details: { corrects: { number: note?.number } },
  });
  // A later refund is credited to the invoice of the release, whose full amount is restored.
  const { ref: providerPayment } = await paymentOf(app, one.booking.id, "deposit");
  const key = `dashboard ${providerPayment}`;
  await app.services.gateway?.createRefund({ refundId: "", key, providerPayment, amount: 37_500 });
  await app.services.sandbox?.settle();
  await app.settle();
  await issueDocuments(app.services);
  const commission = (await documentsIn(app.database.db, one.booking.id)).filter(
    (row) => row.seller_artist_id === null,
  );
  expect(commission.map(({ kind, gross }) => [kind, gross])).toEqual([
    ["commission_invoice", 15_000],
    ["credit_note", -11_250],
    ["correction", 11_250],
    ["credit_note", -3_750],
  ]);
  await expectDocumented(app.database.db);
});

test("divides the credit of a full refund over the invoices of the release and of a returned share", async () => {
  const one = await paid.booked();
  const dispute = await openDispute(app, await one.ref("deposit"));
  await decideDispute(app, dispute, "lose");
  await one.play();
  await one.payOut();
  await winAppeal(app, dispute);
  const { id: disputeId } = await app.database.db
    .selectFrom("disputes")
    .select("id")
    .where("provider_ref", "=", dispute)
    .executeTakeFirstOrThrow();
  const given = { disputeId, bookingId: one.booking.id, expectedArtist: 33_750, now: app.clock.now() };
  await app.database.transaction((tx) => returnShares(tx, given));
  await paid.settle();
  for (const kind of ["deposit", "balance"] as const) {
    const { ref: providerPayment, amount } = await paymentOf(app, one.booking.id, kind);
    const [now, made] = [app.clock.now(), { ref: `re_${providerPayment}`, refundId: null, providerPayment, amount }];
    const state = { currency: "usd", state: "succeeded", reason: null, settled: null, createdAt: now } as const;
    await app.database.transaction((tx) => syncRefund(tx, { ...made, ...state }, now));
    await paid.settle();
  }
  await issueDocuments(app.services);
  const documents = await documentsIn(app.database.db, one.booking.id);
  const [first, second] = documents.filter(({ kind }) => kind === "commission_invoice");
  expect([first?.gross, second?.gross]).toEqual([11_250, 3_750]);
  const credits = documents.filter(({ kind, seller_artist_id: by }) => kind === "credit_note" && by === null);
  const creditedOf = (id?: string) =>
    credits.filter((note) => note.corrects_id === id).reduce((sum, { gross }) => sum + gross, 0);
  expect([creditedOf(first?.id), creditedOf(second?.id)]).toEqual([-11_250, -3_750]);
  await expectDocumented(app.database.db);
});

test("documents what is deducted after the payout and what is sent again, so that the sum is what the artist was paid", async () => {
  const one = await paid.booked();
  await one.play();
  await one.payOut();
  const { ref, id } = await paymentOf(app, one.booking.id, "balance");
  await app.services.gateway?.createRefund({ refundId: "", key: `part ${id}`, providerPayment: ref, amount: 10_007 });
  await app.services.sandbox?.settle();
  await paid.settle();
  const dispute = await openDispute(app, await one.ref("deposit"));
  await decideDispute(app, dispute, "lose");
  await paid.settle();
  const sums = async () => {
    await issueDocuments(app.services);
    const documents = (await documentsIn(app.database.db, one.booking.id)).filter(({ kind }) =>
      kind.startsWith("payout"),
    );
    const { parts } = (await one.pageOf(await one.asArtist())).money;
    const received = parts.find(({ held_by: by }) => by === "artist")?.cents;
    expect(documents.reduce((sum, { gross }) => sum + gross, 0)).toBe(received);
    return documents;
  };
  const [statement, ...reversals] = await sums();
  expect(statement).toMatchObject({ kind: "payout_statement", corrects_id: null });
  for (const { kind, corrects_id: corrected } of reversals)
    expect([kind, corrected]).toEqual(["payout_reversal", statement?.id]);
  expect(new Set(reversals.map(({ details }) => (details as DocumentDetails).reason))).toEqual(
    new Set(["The payment was refunded after the payout.", "The payer's bank took the payment back."]),
  );
  const stored = await findDocument(app.database.db, reversals[0]?.id ?? "");
  expect((await drawDocument(stored!)).pages).toBe(1);
  await winAppeal(app, dispute);
  const { id: disputeId, from_artist: expectedArtist } = await app.database.db
    .selectFrom("disputes")
    .select(["id", "from_artist"])
    .where("provider_ref", "=", dispute)
    .executeTakeFirstOrThrow();
  const given = { disputeId, bookingId: one.booking.id, expectedArtist, now: app.clock.now() };
  await app.database.transaction((tx) => returnShares(tx, given));
  await paid.settle();
  const statements = (await sums()).filter(({ kind }) => kind === "payout_statement");
  expect(statements.map(({ gross }) => gross)).toEqual([statement?.gross, expectedArtist]);
  await expectDocumented(app.database.db);
});

test("credits a refund that a lost dispute completed, corrects it if an appeal makes it due again, and emails another payer about each", async () => {
  const one = await booked();
  await paidByOther(one);
  const dispute = await openDispute(app, one.ref);
  const refund = await app.database.transaction((tx) =>
    planRefund(tx, {
      paymentId: one.balance,
      amount: 100_000,
      reason: "The show was moved.",
      causeKey: `moved ${one.booking.id}`,
      now: app.clock.now(),
    }),
  );
  await submitRefunds(app.services);
  expect(await documentsOf(one)).toEqual(receipts);
  await decideDispute(app, dispute, "lose");
  const credited = [...receipts, ["credit_note", -100_000]];
  expect(await documentsOf(one)).toEqual(credited);
  await winAppeal(app, dispute);
  const corrected = [...credited, ["correction", 100_000]];
  expect(await documentsOf(one)).toEqual(corrected);
  app.clock.advance(dayMs);
  const headers = await app.signIn(await app.make.user({ role: "admin" }));
  const body = { how: "Bank transfer of today." };
  const settled = await app.request(`/api/admin/refused-refunds/${refund.id}/settle`, {
    method: "POST",
    headers,
    body,
  });
  expect(settled.status).toBe(200);
  expect(await documentsOf(one)).toEqual([...corrected, ["credit_note", -100_000]]);
  const emails = await emailsToPayer(one);
  expect(emails).toEqual([
    expect.stringContaining("Your receipt: $1,125"),
    expect.stringContaining("Your bank has refunded $1,000"),
    expect.stringContaining("Your refund of $1,000 is due again"),
    expect.stringContaining("We pay your refund of $1,000 in another way"),
  ]);
  for (const text of emails) expect(text).not.toMatch(/back to the card|5 to 10 days|did not accept/);
});
