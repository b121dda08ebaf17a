import { afterAll, beforeAll, expect, test } from "vitest";
import { makePayouts } from "#test/harness/payment-work.ts";
import { releaseHeld } from "#payments/index.ts";
import { browser, emailsFor, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { documentsIn, issueDocuments } from "#test/harness/documents.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import type { Payouts } from "./own-payments.api.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { SANDBOX_CURRENCIES: "eur" } });
});
afterAll(() => app.close());

const { artist, person } = peopleOf(() => app);

test("displays the booking's amount and the converted one in list, booking page, CSV, statement and email", async () => {
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id, baseRate: 150_000 });
  const account = await at.json("/api/artist/payment-account", {});
  await app.server.inject({ method: "POST", url: `${new URL(String(account.body["url"])).pathname}/complete` });
  const visitor = browser(app);
  const booking = (await visitor.requestBooking({ artistId: act.slug })).body;
  await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  await app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: act.id,
      currency: "usd",
      commissionBps: 1_000,
      at: app.clock.now(),
    }),
  );
  await makePayouts(app.services);
  await follow(app);
  await issueDocuments(app.services);

  // The deposit of $375 became €347.22. The artist gets nine tenths.
  const sent = { amount_cents: 31_249, currency: "eur" };
  const list = (await at.json("/api/artist/payouts")).body as unknown as Payouts;
  expect(list.items).toMatchObject([{ status: "paid", amount: 33_750, currency: "usd", sent }]);
  const page = (await at.json(`/api/bookings/${booking.id}`)).body;
  expect(page).toMatchObject({ money: { payout: { amount_cents: 33_750, sent } } });
  const csv = await (await at.call("/api/artist/payouts.csv")).text();
  expect(csv).toMatch(/Released after the show.*337\.50.*usd,\d{4}-\d\d-\d\d,312\.49,eur\r?\n/);
  const statement = (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "payout_statement");
  expect(statement).toMatchObject({
    gross: 33_750,
    currency: "usd",
    details: { sent: { amount: 31_249, currency: "eur" } },
  });
  const email = (await emailsFor(app, booking.id)).find(({ template }) => template === "paid_out");
  expect(email?.text).toContain("$337.50");
  expect(email?.text).toContain("€312.49");
});
