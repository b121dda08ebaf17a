import { expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { follow, peopleOf } from "#test/harness/bookings.ts";
import { paymentOf } from "#test/harness/disputes.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { releasedDeposit } from "#test/harness/payouts.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-12-14T02:00:00Z") }));

const { person } = peopleOf(() => app);

test("names the refund that a refused payout is reduced by, not a dispute", async () => {
  const { booking } = await releasedDeposit(app);
  const { gateway } = app.services;
  const failing = (kind: ProviderFailure["kind"]) => ({
    ...app.services,
    gateway: gateway && { ...gateway, createTransfer: () => Promise.reject(new ProviderFailure(kind, "not made")) },
  });
  await makePayouts(failing("no_answer"));
  await follow(app);
  const { provider_payment: providerPayment } = await paymentOf(app, booking.id, "deposit");
  const refund = { refundId: "", key: "dashboard", amount: 18_750, providerPayment: providerPayment ?? "" };
  await gateway?.createRefund(refund);
  await app.services.sandbox?.settle();
  await makePayouts(failing("no_answer"));
  await follow(app);
  app.clock.advance(hourMs);
  await makePayouts(failing("refused"));
  await follow(app);
  const { at: admin } = await person("admin");
  expect((await admin.json(`/api/admin/payouts/${booking.id}/retry`, {})).status).toBe(200);
  await makePayouts(app.services);
  await issueDocuments(app.services);
  const documents = await documentsIn(app.database.db, booking.id);
  const statement = documents.find(({ kind }) => kind === "payout_statement");
  expect(statement).toMatchObject({
    gross: 16_875,
    details: {
      figures: [
        { amount: 37_500 },
        { amount: -3_750 },
        { amount: 33_750 },
        { label: "Refunded before the payout", amount: -16_875 },
      ],
    },
  });
  await expectDocumented(app.database.db);
});
