/** An admin pays the artist outside the provider, or the artist pays back: what every screen, email and document says. */

import { expect, test } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { Payouts } from "#reports/own-payments.api.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { emailsFor, follow, peopleOf } from "#test/harness/bookings.ts";
import { decideDispute, openDispute, paymentOf, winAppeal } from "#test/harness/disputes.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { releasedDeposit } from "#test/harness/payouts.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-12-14T02:00:00Z") }));

const { person } = peopleOf(() => app);

/** Makes a booking whose deposit of $375 is released, nine tenths to the artist. The provider refuses the transfer. */
async function refused() {
  const { user, at, act, booking } = await releasedDeposit(app);
  const { gateway } = app.services;
  const createTransfer = () => Promise.reject(new ProviderFailure("refused", "the account cannot be paid"));
  const { at: admin } = await person("admin");
  await makePayouts({ ...app.services, gateway: gateway && { ...gateway, createTransfer } });
  await follow(app);
  const page = async (who = admin) => (await who.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  const settle = (expected_cents: number) =>
    admin.json(`/api/admin/payouts/${booking.id}/settle`, { how: "Bank transfer of 15 December.", expected_cents });
  const listed = async () => ((await at.json("/api/artist/payouts")).body as unknown as Payouts).items;
  return { user, at, act, admin, booking, page, settle, listed };
}

test("a payout that is paid outside the provider is paid on every screen, and its refund is paid back there", async () => {
  const { at, admin, booking, page, settle, listed } = await refused();
  expect((await page()).money.payout).toMatchObject({ status: "failed", can_retry: true, outside_cents: 33_750 });
  const [alarm] = (await emailsFor(app, booking.id)).filter(({ template }) => template === "money_alarm");
  expect(alarm?.text.replaceAll(/\s+/g, " ")).toMatch(
    /be paid\. Send it again on the booking page, or pay it in another/,
  );
  expect((await page(at)).money.payout).toMatchObject({ outside_cents: 0, error: null });
  expect((await settle(33_751)).status).toBe(409);
  expect((await settle(33_750)).status).toBe(200);
  expect((await settle(33_750)).status).toBe(409);
  await follow(app);
  await issueDocuments(app.services);

  const { money, timeline } = await page();
  expect(money.payout).toMatchObject({ status: "paid", error: null, can_retry: false, outside_cents: 0 });
  expect(timeline.map(({ text }) => text)).toContain("$337.50 paid to the artist in another way");
  const paid = { state: "paid_outside", amount_cents: 33_750, currency: "usd" };
  expect(await listed()).toMatchObject([{ status: "paid", amount: 33_750, transfers: [paid] }]);
  const attention = async () =>
    ((await admin.json("/api/admin/attention")).body["items"] as { kind: string }[]).filter(
      ({ kind }) => kind === "payout",
    );
  expect(await attention()).toEqual([]);
  const logged = async () =>
    app.database.db
      .selectFrom("activity")
      .select(["message", "meta"])
      .where("ref_id", "=", booking.id)
      .where("message", "like", "%outside the payment provider%")
      .execute();
  expect(await logged()).toMatchObject([
    {
      message: expect.stringMatching(
        /^\$337\.50 of the payout for .* was paid outside .*: Bank transfer of 15 December\.$/,
      ),
      meta: { amount: 33_750, by: expect.any(String) },
    },
  ]);
  const textOf = async (template: string) =>
    (await emailsFor(app, booking.id)).findLast((one) => one.template === template)?.text.replaceAll(/\s+/g, " ");
  expect(await textOf("paid_out")).toMatch(
    /in another way than to your payment account\. How it is paid: Bank transfer/,
  );
  const statement = (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "payout_statement");
  const figures = expect.arrayContaining([{ label: "Paid outside the payment provider", amount: 33_750 }]) as unknown[];
  expect(statement).toMatchObject({ gross: 33_750, details: { figures } });

  const { provider_payment: providerPayment } = await paymentOf(app, booking.id, "deposit");
  const refund = {
    refundId: "",
    key: `dashboard ${booking.id}`,
    amount: 37_500,
    providerPayment: providerPayment ?? "",
  };
  await app.services.gateway?.createRefund(refund);
  await app.services.sandbox?.settle();
  await follow(app);
  expect((await page()).money.payout).toMatchObject({ can_retry: false, outside_cents: -33_750 });
  expect((await page(at)).money.payout).toMatchObject({ status: "paid", owed_cents: 33_750, outside_cents: 0 });
  const owed = { state: "owed", amount_cents: 33_750, currency: "usd", at: null };
  expect(await listed()).toMatchObject([{ amount: 0, transfers: [paid, owed] }]);
  expect(await attention()).toMatchObject([{ count: 1 }]);
  expect(await textOf("payout_taken_back")).toMatch(
    /was refunded after your payout\. We had paid \$337\.50 .* so it cannot be deducted there\. Please pay it back\./,
  );
  expect((await settle(-33_750)).status).toBe(200);
  await follow(app);
  await issueDocuments(app.services);
  expect((await page()).money.payout).toMatchObject({ status: "reversed", owed_cents: 0, outside_cents: 0 });
  expect((await page()).timeline).toContainEqual(
    expect.objectContaining({ text: "$337.50 of the payout was paid back by the artist in another way" }),
  );
  expect(await attention()).toEqual([]);
  expect(await logged()).toHaveLength(3);
  expect(await textOf("payout_taken_back")).toMatch(
    /You have paid back \$337\.50 of your share in another way .* How it was paid: Bank/,
  );
  const lines = (await documentsIn(app.database.db, booking.id))
    .filter(({ kind }) => kind === "payout_reversal")
    .map(({ details }) => (details as { lines: { label: string }[] }).lines[0]?.label);
  expect(lines).toEqual([expect.stringMatching(/^Paid back outside the payment provider for booking/)]);
  await expectDocumented(app.database.db);
  await expectSound({ inTx: (work) => app.database.transaction(work) });
});

test("a lost dispute of a payout that was paid outside promises no deduction from the payment account", async () => {
  const { user, admin, booking, settle } = await refused();
  expect((await settle(33_750)).status).toBe(200);
  await follow(app);
  const dispute = await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref);
  await app.settle();
  await decideDispute(app, dispute, "lose");
  await app.settle();
  const emails = async () => {
    const mails = (await emailsFor(app, booking.id)).filter(({ recipient }) => recipient === user.email);
    return new Map(mails.map(({ template, text }) => [template, text.replaceAll(/\s+/g, " ")]));
  };
  const texts = await emails();
  expect(texts.get("dispute_opened")).toMatch(/you must pay back your share of \$375, at most \$337\.50, as far as/);
  expect(texts.get("dispute_closed")).toMatch(/You lose your share of it, \$337\.50\. .* we email you the amount\./);
  expect(texts.get("payout_taken_back")).toMatch(/was lost after your payout\. .* Please pay it back\./);

  await winAppeal(app, dispute);
  await app.settle();
  const { id } = await app.database.db
    .selectFrom("disputes")
    .select("id")
    .where("provider_ref", "=", dispute)
    .executeTakeFirstOrThrow();
  const share = { id, expected_artist_cents: 33_750 };
  expect((await admin.json(`/api/admin/disputes/${id}/share`, share)).status).toBe(200);
  await app.settle();
  const returned = (await emails()).get("dispute_share_returned");
  expect(returned).toMatch(/\$337\.50 of it was not deducted yet, so you do not need to pay it back\./);
  expect(returned).not.toContain("We send");
});

test("emails the artist once that a refused reversal was not deducted, and lists it as such", async () => {
  const { admin, booking, listed } = await refused();
  expect((await admin.json(`/api/admin/payouts/${booking.id}/retry`, {})).status).toBe(200);
  await makePayouts(app.services);
  const dispute = await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref);
  await decideDispute(app, dispute, "lose");
  const { gateway } = app.services;
  const createReversal = () => Promise.reject(new ProviderFailure("refused", "the account has no money"));
  const refuse = async () => {
    await makePayouts({ ...app.services, gateway: gateway && { ...gateway, createReversal } });
    await follow(app);
  };
  await refuse();
  expect((await admin.json(`/api/admin/payouts/${booking.id}/retry`, {})).body).toMatchObject({ retried: 1 });
  await refuse();
  const mails = async () =>
    (await emailsFor(app, booking.id)).filter(({ template }) => template === "payout_taken_back");
  expect((await mails()).map(({ text }) => text.replaceAll(/\s+/g, " "))).toEqual([
    expect.stringContaining("$337.50 of your share could not be deducted from your payment account. We try again,"),
  ]);
  const sent = { state: "sent", amount_cents: 33_750 };
  expect(await listed()).toMatchObject([{ transfers: [sent, { state: "reversal_refused", amount_cents: 33_750 }] }]);
  await admin.json(`/api/admin/payouts/${booking.id}/retry`, {});
  await makePayouts(app.services);
  await follow(app);
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    "$337.50 of a payout could not be deducted",
    "$337.50 of a payout was reversed",
  ]);
});

test("notifies the owner who earned a payout, not a later owner of the profile, how it was paid", async () => {
  const { user, act, booking, settle } = await refused();
  const later = await person("artist");
  await app.database.db.updateTable("artists").set({ user_id: later.user.id }).where("id", "=", act.id).execute();
  expect((await settle(33_750)).status).toBe(200);
  await follow(app);
  const mails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "paid_out");
  expect(mails.map(({ recipient }) => recipient)).toEqual([user.email]);
});

test("notifies the owner who earned a payout, not a later owner of the profile, that its reversal was refused", async () => {
  const { user, act, admin, booking } = await refused();
  await admin.json(`/api/admin/payouts/${booking.id}/retry`, {});
  await makePayouts(app.services);
  const later = await person("artist");
  await app.database.db.updateTable("artists").set({ user_id: later.user.id }).where("id", "=", act.id).execute();
  await decideDispute(app, await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref), "lose");
  const { gateway } = app.services;
  const createReversal = () => Promise.reject(new ProviderFailure("refused", "the account has no money"));
  await makePayouts({ ...app.services, gateway: gateway && { ...gateway, createReversal } });
  await follow(app);
  const mails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "payout_taken_back");
  expect(mails.map(({ recipient }) => recipient)).toEqual([user.email]);
});

test("notifies the owner who earned a payout, not a later owner of the profile, that it was reversed", async () => {
  const { user, act, admin, booking } = await refused();
  await admin.json(`/api/admin/payouts/${booking.id}/retry`, {});
  await makePayouts(app.services);
  const later = await person("artist");
  await app.database.db.updateTable("artists").set({ user_id: later.user.id }).where("id", "=", act.id).execute();
  await decideDispute(app, await openDispute(app, (await paymentOf(app, booking.id, "deposit")).ref), "lose");
  await makePayouts(app.services);
  await follow(app);
  const mails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "payout_taken_back");
  expect(mails.map(({ recipient }) => recipient)).toEqual([user.email]);
});

test("the timeline counts a part once that was reversed in the dashboard and paid outside", async () => {
  const { at, admin, booking, page, settle } = await refused();
  expect((await admin.json(`/api/admin/payouts/${booking.id}/retry`, {})).status).toBe(200);
  await makePayouts(app.services);
  const { provider_ref: transfer } = await app.database.db
    .selectFrom("transfers as t")
    .innerJoin("payouts as p", "p.id", "t.payout_id")
    .select("t.provider_ref")
    .where("p.booking_id", "=", booking.id)
    .executeTakeFirstOrThrow();
  const reversal = { reversalId: "", key: `reversal ${booking.id}`, transfer: transfer ?? "", amount: 10_000 };
  await app.services.gateway?.createReversal(reversal);
  await app.services.sandbox?.settle();
  await follow(app);
  expect((await settle(10_000)).status).toBe(200);
  await follow(app);
  await issueDocuments(app.services);
  const { money, timeline } = await page(at);
  expect(money.payout).toMatchObject({ status: "paid", amount_cents: 33_750 });
  expect(timeline.filter(({ kind }) => kind === "paid_out").map(({ text, detail }) => [text, detail])).toEqual(
    expect.arrayContaining([
      ["$100 paid to the artist in another way", null],
      ["Paid out", expect.stringMatching(/^\$337\.50 to /)],
    ]),
  );
  expect(timeline.find(({ kind }) => kind === "payout_reversed")?.text).toBe(
    "$100 of the payout was reversed in the payment provider's dashboard",
  );
  expect(JSON.stringify(await documentsIn(app.database.db, booking.id))).toContain("Reversed payout paid again,");
});
