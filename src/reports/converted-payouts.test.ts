import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, emailsFor, follow, peopleOf } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paymentOf } from "#test/harness/disputes.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { returnRefund } from "#test/harness/histories/refund-actions.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { releasedDeposit } from "#test/harness/payouts.ts";
import { testApp } from "#test/test-app.ts";
import type { Payouts } from "./own-payments.api.ts";

const app = closeAfterFile(
  await testApp({ now: new Date("2026-12-14T02:00:00Z"), env: { SANDBOX_CURRENCIES: "eur" } }),
);

const { person } = peopleOf(() => app);

/** Makes a booking whose deposit of $375 became €347.22 and was paid out, nine tenths to the artist. */
async function paidOut() {
  const { user, at, booking } = await releasedDeposit(app);
  await makePayouts(app.services);
  await follow(app);
  // A session ends before the next day.
  const signedIn = async () => browser(app, await app.signIn(user));
  const listed = async () => ((await (await signedIn()).json("/api/artist/payouts")).body as unknown as Payouts).items;
  const exported = async () => {
    const [, ...lines] = (await (await (await signedIn()).call("/api/artist/payouts.csv")).text())
      .trimEnd()
      .split("\r\n");
    return lines.map((line) =>
      line
        .split(",")
        .filter((_, column) => ![1, 2, 3, 5, 6, 7, 8].includes(column))
        .join(","),
    );
  };
  const pageOf = async () =>
    (await (await signedIn()).json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  return { at, booking, listed, exported, pageOf };
}

test("displays the booking's amount and the converted one in list, booking page, CSV, statement and email", async () => {
  const { at, booking, listed } = await paidOut();
  await issueDocuments(app.services);

  const sent = { amount_cents: 31_249, currency: "eur" };
  expect(await listed()).toMatchObject([{ status: "paid", amount: 33_750, currency: "usd", sent }]);
  const page = (await at.json(`/api/bookings/${booking.id}`)).body;
  expect(page).toMatchObject({ money: { payout: { amount_cents: 33_750, sent } } });
  const csv = await (await at.call("/api/artist/payouts.csv")).text();
  expect(csv).toMatch(/Released after the show.*337\.50.*usd,\d{4}-\d\d-\d\d,312\.49,eur,America\/New_York\r?\n/);
  const statement = (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "payout_statement");
  expect(statement).toMatchObject({
    gross: 33_750,
    currency: "usd",
    details: { sent: { amount: 31_249, currency: "eur" } },
  });
  const { at: admin } = await person("admin");
  // 2.9 % and 30 cents of $375, converted.
  const fees = [{ amount_cents: 1_035, currency: "eur" }];
  expect((await admin.json(`/api/bookings/${booking.id}`)).body).toMatchObject({ money: { provider_fees: fees } });
  const email = (await emailsFor(app, booking.id)).find(({ template }) => template === "paid_out");
  expect(email?.text).toContain("$337.50");
  expect(email?.text).toContain("€312.49");
});

test("lists what was sent and reversed with its own day, in the platform's time zone", async () => {
  const { booking, listed, exported } = await paidOut();
  const sent = { state: "sent", amount_cents: 31_249, currency: "eur", at: expect.stringMatching(/^2026-12-14T02:/) };
  expect(await listed()).toMatchObject([{ amount: 33_750, reversed_cents: 0, transfers: [sent] }]);
  const dispute = await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref, "half");
  app.clock.advance(2 * dayMs);
  await decideDispute(app, dispute, "lose");
  expect(await listed()).toMatchObject([
    { amount: 16_875, reversed_cents: 0, transfers: [sent, { state: "reversal_due", amount_cents: 16_875, at: null }] },
  ]);
  // At 02:00 UTC it is the evening before in New York.
  const release = "2026-12-13,Released after the show,2026-12-13,312.49,eur,America/New_York";
  expect(await exported()).toEqual([release, "2026-12-15,Lost dispute,,,,America/New_York"]);
  app.clock.advance(dayMs);
  await makePayouts(app.services);
  expect(await listed()).toMatchObject([
    {
      amount: 16_875,
      reversed_cents: 16_875,
      transfers: [sent, { state: "reversed", currency: "eur", at: expect.stringMatching(/^2026-12-17T02:/) }],
    },
  ]);
  expect(await exported()).toEqual([
    release,
    expect.stringMatching(/^2026-12-15,Lost dispute,2026-12-16,-156\.2\d,eur,America\/New_York$/),
  ]);
});

async function reported() {
  await app.services.sandbox?.settle();
  await app.settle();
  await follow(app);
}

test("exports each refund after the payout with its own reversal, also if a larger one replaces a returned one", async () => {
  const { booking, exported } = await paidOut();
  const { provider_payment: paid } = await paymentOf(app, booking.id, "deposit");
  const refund = async (amount: number) => {
    app.clock.advance(60_000);
    const made = { refundId: "", key: randomUUID(), amount, providerPayment: paid ?? "" };
    await app.services.gateway?.createRefund(made);
    await reported();
    await makePayouts(app.services);
    await follow(app);
  };
  await refund(20_000);
  const before = await exported();
  await returnRefund(app, { bookingId: booking.id });
  await reported();
  expect(await exported()).toEqual(before);
  await refund(30_000);
  const lines = (await exported()).map((line) => line.split(","));
  expect(lines.slice(1).map(([, what, , sent]) => [what, sent])).toEqual([
    ["Refund after the release", "-166.66"],
    ["Refund after the release", "-83.33"],
  ]);
  const page = (await (await person("admin")).at.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  expect(page.timeline.filter(({ kind }) => kind.startsWith("refund")).map(({ text }) => text)).toEqual([
    "$200 refunded to the payer",
    "The bank of the card returned the refund of $200",
    "$300 refunded to the payer",
  ]);
});

async function reverseInDashboard(bookingId: string, amount: number) {
  const { provider_ref: transfer } = await app.database.db
    .selectFrom("transfers as t")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select("t.provider_ref")
    .where("p.booking_id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const reversal = { reversalId: "", key: `dashboard ${bookingId}`, transfer: transfer ?? "", amount };
  await app.services.gateway?.createReversal(reversal);
  await reported();
}

test("displays a transfer that was reversed in the dashboard as owed and unsent, until an admin sends it again", async () => {
  const { booking, listed, exported, pageOf } = await paidOut();
  await reverseInDashboard(booking.id, 5_000);

  const owed = { held_by: "artist_owed", cents: 5_400, payout: { status: "failed" } };
  const paid = { held_by: "artist", cents: 28_350 };
  const payout = { reversed_cents: 0, sent: { amount_cents: 26_249, currency: "eur" } };
  expect(await listed()).toMatchObject([{ ...payout, status: "failed", amount: 33_750 }]);
  const { money } = await pageOf();
  expect(money.payout).toMatchObject({ ...payout, status: "failed", amount_cents: 33_750 });
  expect(money.parts.filter(({ held_by: by }) => by.startsWith("artist"))).toMatchObject([owed, paid]);
  expect(await exported()).toEqual(["2026-12-16,Released after the show,,262.49,eur,America/New_York"]);
  const { at: admin } = await person("admin");
  expect((await admin.json("/api/admin/attention")).body["items"]).toContainEqual(
    expect.objectContaining({ kind: "payout", count: 1 }),
  );

  expect((await admin.json(`/api/admin/payouts/${booking.id}/retry`, {})).status).toBe(200);
  await makePayouts(app.services);
  await follow(app);
  const all = { amount_cents: 31_249, currency: "eur" };
  expect(await listed()).toMatchObject([{ status: "paid", amount: 33_750, reversed_cents: 0, sent: all }]);
  expect((await pageOf()).money.parts.map(({ held_by: by }) => by)).not.toContain("artist_owed");
  expect(await exported()).toEqual(["2026-12-16,Released after the show,2026-12-16,312.49,eur,America/New_York"]);
  const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "paid_out");
  expect(emails.map(({ subject }) => subject)).toEqual([
    expect.stringContaining("Paid out: $337.50"),
    expect.stringContaining("Paid out: $54"),
  ]);
});

test("takes a refund first from what waits to be sent again, and notifies the artist of the share", async () => {
  const { booking, listed, exported, pageOf } = await paidOut();
  const { provider_payment: providerPayment } = await paymentOf(app, booking.id, "deposit");
  const refund = async (amount: number) => {
    const key = `dashboard ${booking.id} ${amount}`;
    await app.services.gateway?.createRefund({ refundId: "", key, amount, providerPayment: providerPayment ?? "" });
    await reported();
  };
  await reverseInDashboard(booking.id, 5_000);
  await refund(4_000);
  const owed = async () => (await pageOf()).money.parts.filter(({ held_by: by }) => by === "artist_owed");
  expect(await owed()).toMatchObject([{ cents: 1_800 }]);
  expect(await listed()).toMatchObject([{ status: "failed", amount: 30_150, reversed_cents: 3_600 }]);
  await refund(30_000);
  await makePayouts(app.services);
  await follow(app);
  expect(await owed()).toEqual([]);
  expect(await listed()).toMatchObject([{ status: "paid", amount: 3_150, reversed_cents: 30_600 }]);
  expect((await exported()).map((line) => line.split(",")[2])).toEqual(["2026-12-16", "2026-12-16", "2026-12-16"]);
  const { at: admin } = await person("admin");
  const { items } = (await admin.json("/api/admin/attention")).body;
  expect(items).not.toContainEqual(expect.objectContaining({ kind: "payout" }));
  const emails = (await emailsFor(app, booking.id)).map(({ template }) => template);
  expect(emails.filter((template) => template === "refund_reduces_share")).toHaveLength(2);
  expect(emails.filter((template) => template === "payout_taken_back")).toHaveLength(1);
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  await expectSound({ inTx: (work) => app.database.transaction(work) });
});
