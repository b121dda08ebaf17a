import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { emailsFor } from "#test/harness/bookings.ts";
import { paymentOf } from "#test/harness/disputes.ts";
import { expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import {
  makePayouts,
  planRefund,
  submitRefunds,
  refuseRefunds,
  republishFailedRefunds,
} from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { activeAdmins } from "#users/index.ts";
import { notifyPayoutAwaitsAccount } from "../event-emails/payout-emails.ts";
import { completeShows } from "../jobs.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2026-11-21T12:00:00Z") });
});
afterAll(() => app.close());

const inTx = { inTx: <T>(work: Parameters<typeof app.database.transaction<T>>[0]) => app.database.transaction(work) };

async function completeAccount(user: { email: string }) {
  const opened = await app.request("/api/artist/payment-account", {
    method: "POST",
    headers: await app.signIn(user),
    body: {},
  });
  const { url } = (await opened.json()) as { url: string };
  await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/complete` });
  await app.settle();
}

async function playedShow({ hasAccount = true } = {}) {
  const user = await app.make.user({ role: "artist" });
  const act = await app.make.artist({ userId: user.id, baseRate: 150_000 });
  const booking = await app.make.booking({ artist: act, status: "contract_signed", balancePaid: true, fee: 150_000 });
  if (hasAccount) await completeAccount(user);
  await app.services.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({ starts_at: new Date(app.clock.now().getTime() - 3 * hourMs), ends_at: app.clock.now() })
      .where("id", "=", booking.id)
      .execute(),
  );
  const page = async (who: { email: string }) => {
    const response = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(who) });
    return (await response.json()) as {
      money: { payout: Record<string, unknown> | null };
      timeline: { kind: string }[];
    };
  };
  return { user, act, booking, page };
}

async function listed(artist: { email: string }) {
  const response = await app.request("/api/artist/bookings", { headers: await app.signIn(artist) });
  return ((await response.json()) as { items: unknown[] }).items;
}

test("the artist is paid gross less commission 48 hours after the show, and notified by email", async () => {
  const { user, booking, page } = await playedShow();
  app.clock.advance(48 * hourMs + 60_000);
  await completeShows(app.services);
  await app.settle();
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", amount_cents: 135_000, waits_for: null });
  expect(await listed(user)).toMatchObject([{ payout_status: "pending" }]);
  await makePayouts(app.services);
  await app.settle();
  expect(await listed(user)).toMatchObject([{ payout_status: "paid" }]);
  const seen = await page(user);
  expect(seen.money.payout).toMatchObject({ status: "paid", amount_cents: 135_000, error: null });
  expect(seen.timeline.map(({ kind }) => kind)).toContain("paid_out");
  expect(await emailsFor(app, booking.id)).toContainEqual(expect.objectContaining({ template: "paid_out" }));
  await expectSound(inTx);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
});

test("a payout is due 24 hours after the show when the promoter confirms immediately", async () => {
  const { user, booking, page } = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  await app.services.database.transaction((tx) =>
    tx.updateTable("bookings").set({ promoter_user_id: promoter.id }).where("id", "=", booking.id).execute(),
  );
  const done = await app.request(`/api/bookings/${booking.id}/complete`, {
    method: "POST",
    headers: await app.signIn(promoter),
    body: {},
  });
  expect(done.status).toBe(200);
  await makePayouts(app.services);
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", waits_for: "date" });
  app.clock.advance(24 * hourMs);
  await makePayouts(app.services);
  expect((await page(user)).money.payout).toMatchObject({ status: "paid" });
});

test("emails the artist once when a payout is due and the payment account is missing, and pays later", async () => {
  const { user, act, booking, page } = await playedShow({ hasAccount: false });
  const sent = async () =>
    (await emailsFor(app, booking.id)).filter(({ template }) => template === "payout_awaits_account");
  app.clock.advance(47 * hourMs);
  await completeShows(app.services);
  await payOut();
  expect(await sent()).toEqual([]);
  app.clock.advance(2 * hourMs);
  await completeShows(app.services);
  for (const days of [0, 1, 30]) {
    app.clock.advance(days * 24 * hourMs);
    await payOut();
    expect(await sent()).toHaveLength(1);
  }
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", waits_for: "account" });
  const [email] = await sent();
  expect(email).toMatchObject({
    recipient: user.email,
    subject: expect.stringMatching(/^\$1,350 for \w+ .* waits for your payment account$/),
  });
  expect(email?.text).toContain("your payment account is not set up");
  const returned = { payoutId: randomUUID(), bookingId: booking.id, amount: 33_750, currency: "usd" } as const;
  const event = { ...returned, account: "pending", disputeId: randomUUID() } as const;
  await inTx.inTx((tx) => notifyPayoutAwaitsAccount(tx, app.services, event));
  expect((await sent()).map(({ text }) => text.replaceAll(/\s+/g, " ")).join()).toMatch(
    /Your share of \$337\.50 for .* is due again, because the dispute was won\. We cannot send it, because your payment account is not complete\. Open the account/,
  );
  await completeAccount(user);
  await payOut();
  expect((await page(user)).money.payout).toMatchObject({ status: "paid" });
  expect(await sent()).toHaveLength(2);
  expect(act.user_id).toBe(user.id);
});

async function canceledShow() {
  const made = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  const showAt = app.clock.now().getTime() + 20 * 24 * hourMs;
  await app.services.database.transaction((tx) =>
    tx
      .updateTable("bookings")
      .set({
        promoter_user_id: promoter.id,
        starts_at: new Date(showAt),
        ends_at: new Date(showAt + 3 * hourMs),
        deposit_paid_at: new Date(app.clock.now().getTime() - 90 * 24 * hourMs),
      })
      .where("id", "=", made.booking.id)
      .execute(),
  );
  const headers = await app.signIn(promoter);
  const call = `/api/bookings/${made.booking.id}`;
  const preview = (await (await app.request(`${call}/cancellation`, { headers })).json()) as { refund_cents: number };
  const body = { code: "plans_changed", expected_refund_cents: preview.refund_cents };
  expect((await app.request(`${call}/cancel`, { method: "POST", headers, body })).status).toBe(200);
  expect(preview.refund_cents).toBeGreaterThan(0);
  return { ...made, refundCents: preview.refund_cents };
}

const payOut = async () => {
  await makePayouts(app.services);
  await app.settle();
};

test("the artist's part of a canceled booking is paid 48 hours after the cancellation and after the refund", async () => {
  const { user, booking, page } = await canceledShow();
  await payOut();
  expect((await page(user)).money.payout).toMatchObject({ status: "frozen", waits_for: "refund" });
  await submitRefunds(app.services);
  await app.settle();
  await payOut();
  expect((await page(user)).money.payout).toMatchObject({ status: "pending", waits_for: "date" });
  app.clock.advance(48 * hourMs);
  await payOut();
  expect((await page(user)).money.payout).toMatchObject({ status: "paid" });
  const headers = await app.signIn(user);
  const listed = await app.request("/api/artist/payouts", { headers });
  expect(await listed.json()).toMatchObject({ items: [{ status: "paid", is_cancellation_fee: true }] });
  const file = await (await app.request("/api/artist/payouts.csv", { headers })).text();
  expect(file).toContain(",Cancellation fee,");
  expect(file).not.toContain("Released after the show");
  const agreed = { canceled_by: "both", cancel_code: "force_majeure" } as const;
  await app.database.db.updateTable("bookings").set(agreed).where("id", "=", booking.id).execute();
  expect(await (await app.request("/api/artist/payouts", { headers })).json()).toMatchObject({
    items: [{ is_cancellation_fee: false, is_agreed_end: true }],
  });
  expect(await (await app.request("/api/artist/payouts.csv", { headers })).text()).toContain(",Agreed end,");
  await expectSound(inTx);
});

test("a refund that the provider no longer has alerts admins, and not the payer, who may have the money", async () => {
  const { user, booking } = await canceledShow();
  const admin = await app.make.user({ role: "admin" });
  const refunds = app.database.db.updateTable("refunds").where("status", "=", "requested");
  const accepted = {
    status: "submitted" as const,
    requested_at: app.clock.now(),
    provider_ref: sql<string>`'re_gone_' || id`,
  };
  const owed = await refunds.set(accepted).returning("id").execute();
  await submitRefunds(app.services);
  await app.settle();
  const sent = await emailsFor(app, booking.id);
  const alarm = sent.find(({ recipient, template }) => recipient === admin.email && template === "money_alarm");
  expect(alarm?.text.replaceAll(/\s+/g, " ")).toMatch(
    /is not confirmed: The payment provider no longer has the refund re_gone_.+ owed to the payer, unless the provider has sent it\. Look for it/,
  );
  expect(sent.filter(({ template }) => template === "refund_failed")).toEqual([]);
  const toArtist = sent.filter(({ template }) => template === "payout_awaits_refund");
  expect(toArtist.map(({ recipient }) => recipient)).toEqual([user.email]);
  const headers = await app.signIn(admin);
  for (const { id } of owed)
    await app.request(`/api/admin/refused-refunds/${id}/retry`, { method: "POST", headers, body: {} });
  await submitRefunds(app.services);
  await app.settle();
  const back = (await emailsFor(app, booking.id)).filter(({ template }) => template === "refund_sent");
  expect(back).toHaveLength(owed.length);
});

test("a refund that the provider refuses delays the artist's part until an admin records another payment", async () => {
  const { user, booking, page, refundCents } = await canceledShow();
  const admin = await app.make.user({ role: "admin" });
  await refuseRefunds(app);
  app.clock.advance(49 * hourMs);
  await payOut();
  expect((await page(user)).money.payout).toMatchObject({ status: "frozen", waits_for: "refund" });

  const headers = await app.signIn(admin);
  type Listed = { items: { id: string; amount: number }[] };
  const listed = async () =>
    ((await (await app.request("/api/admin/refused-refunds", { headers })).json()) as Listed).items;
  const owed = await listed();
  expect(owed.reduce((sum, { amount }) => sum + amount, 0)).toBe(refundCents);
  expect(owed[0]).toMatchObject({ booking_number: booking.number, error: "the card is gone", can_retry: true });

  const retry = await app.request(`/api/admin/refused-refunds/${owed[0]?.id}/retry`, {
    method: "POST",
    headers,
    body: {},
  });
  expect(retry.status).toBe(200);
  app.clock.advance(60_000);
  await refuseRefunds(app);
  await app.settle();
  const sent = await emailsFor(app, booking.id);
  // One alarm per failure, and one email per refund.
  const alarms = sent.filter(({ template, text }) => template === "money_alarm" && text.includes("A refund of"));
  const admins = await activeAdmins(app.database.db, app.services.realClock.now());
  expect(alarms).toHaveLength((owed.length + 1) * admins.length);
  expect(alarms[0]?.text.replaceAll(/\s+/g, " ")).toContain("was refused by the payment provider: the card is gone.");
  const failed = sent.filter(({ template }) => template === "refund_failed");
  expect(failed).toHaveLength(owed.length);
  expect(failed[0]).toMatchObject({ recipient: booking.promoter_email });
  expect(failed[0]?.text.replaceAll(/\s+/g, " ")).toContain("pay it in another way or contact you");
  const toArtist = sent.filter(({ template }) => template === "payout_awaits_refund");
  expect(toArtist.map(({ recipient }) => recipient)).toEqual([user.email]);

  const how = "Bank transfer of 24 November.";
  const settle = async (id = "", body = { how }) =>
    (await app.request(`/api/admin/refused-refunds/${id}/settle`, { method: "POST", headers, body })).status;
  expect(await settle(owed[0]?.id, { how: "cash" })).toBe(400);
  const answers = await Promise.all([1, 2, 3].map(() => settle(owed[0]?.id)));
  expect(answers.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  await app.settle();
  expect(await listed()).toEqual([]);
  const email = (await emailsFor(app, booking.id)).find(({ template }) => template === "refund_sent");
  expect(email?.text).toContain(how);
  await payOut();
  const steps = (await page(admin)).timeline.filter(({ kind }) => kind === "refunded");
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps)
    expect(step).toMatchObject({ text: expect.stringContaining("paid to the payer in another way") as string });
  expect((await page(user)).money).toMatchObject({
    refunded_cents: refundCents,
    returning_cents: 0,
    payout: { status: "paid" },
  });
  await expectSound(inTx);
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  expect(await reconcile(app.services)).toMatchObject({ differences: [] });
});

test("emails the artist once that the payout waits for a refund that failed before the release", async () => {
  const { user, booking } = await playedShow();
  const { id: paymentId } = await paymentOf(app, booking.id, "balance");
  const plan = { paymentId, amount: 10_000, reason: "a test", causeKey: randomUUID(), now: app.clock.now() };
  await inTx.inTx((tx) => planRefund(tx, plan));
  await refuseRefunds(app);
  await app.settle();
  const sent = async () =>
    (await emailsFor(app, booking.id)).filter(({ template }) => template === "payout_awaits_refund");
  expect(await sent()).toEqual([]);
  app.clock.advance(48 * hourMs + 60_000);
  await completeShows(app.services);
  await payOut();
  const [email, ...more] = await sent();
  expect([email?.recipient, more]).toEqual([user.email, []]);
  expect(email?.text.replaceAll(/\s+/g, " ")).toContain("waits until the refund has arrived");
});

test("alerts admins to check the provider when the notice of a dispute of a failed refund could not be processed", async () => {
  const { booking } = await playedShow();
  await app.make.user({ role: "admin" });
  const { id: paymentId, ref } = await paymentOf(app, booking.id, "balance");
  const plan = { paymentId, amount: 10_000, reason: "a test", causeKey: randomUUID(), now: app.clock.now() };
  await inTx.inTx((tx) => planRefund(tx, plan));
  await refuseRefunds(app);
  await inTx.inTx((tx) => republishFailedRefunds(tx, ref, "undisputed"));
  await app.settle();
  const alarms = (await emailsFor(app, booking.id)).filter(({ template }) => template === "money_alarm");
  expect(alarms.map(({ text }) => text.replaceAll(/\s+/g, " ")).join()).toContain(
    "Check the payment at the provider first",
  );
});

test("the promoter does not see the payout", async () => {
  const { booking } = await playedShow();
  const promoter = await app.make.user({ role: "promoter" });
  await app.services.database.transaction((tx) =>
    tx.updateTable("bookings").set({ promoter_user_id: promoter.id }).where("id", "=", booking.id).execute(),
  );
  app.clock.advance(48 * hourMs + 60_000);
  await completeShows(app.services);
  const response = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(promoter) });
  const seen = (await response.json()) as { money: { payout: unknown }; status: string };
  expect([seen.status, seen.money.payout]).toEqual(["completed", null]);
});
