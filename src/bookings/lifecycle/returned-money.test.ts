import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { policyNamed } from "#bookings/rules.ts";
import { splitCommission } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  reservations,
  follow,
  emailsFor,
  messagesTo,
  peopleOf,
  press,
  refunds,
} from "#test/harness/bookings.ts";
import { attestSignatures } from "#test/harness/contracts.ts";
import { returnRefund } from "#test/harness/histories/refund-actions.ts";
import { submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import { sendContract } from "../contract/sending.ts";
import { sweepHolds } from "../jobs.ts";
import { lockBooking } from "../store.ts";
import { cancel } from "./transitions.ts";

const app = closeAfterFile(await testApp());
const admin = await app.make.user({ role: "admin" });
afterEach(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { artist, held, person } = peopleOf(() => app);

async function opened(given = {}) {
  const act = await artist(given);
  const { booking, visitor } = await held({ artist: act });
  const { body, status } = await visitor.checkout(booking);
  expect(status, JSON.stringify(body)).toBe(200);
  return { act, booking, visitor, url: String(body["checkout_url"]), session: String(body["session_id"]) };
}

const payUnheard = async (url: string) => {
  const response = await app.server.inject({ method: "POST", url: `${new URL(url).pathname}/pay` });
  expect(response.statusCode).toBeLessThan(400);
};

/** Refunds a part or all of a booking's payment. `paid`: the amount of the payment, if there are two. */
async function refundInDashboard(bookingId: string, amount?: number, paid?: number) {
  const rows = await app.database.db
    .selectFrom("sandbox_objects")
    .select("body")
    .where("kind", "=", "payment_intent")
    .where((eb) => eb(eb.cast<string>("body", "text"), "like", `%${bookingId}%`))
    .execute();
  const intents = rows.map(({ body }) => body as { id: string; amount: number });
  const { id, amount: whole } = intents.find((one) => paid === undefined || one.amount === paid) ?? {
    id: "",
    amount: 0,
  };
  await app.services.gateway?.createRefund({
    refundId: "",
    key: randomUUID(),
    providerPayment: id,
    amount: amount ?? whole,
  });
}

const emailTemplates = async (bookingId: string) => (await emailsFor(app, bookingId)).map((email) => email.template);
const alarms = async (bookingId: string) =>
  (await emailsFor(app, bookingId)).filter((email) => email.template === "money_alarm");
const refundNamedIn = async (bookingId: string, template: string) =>
  (await emailsFor(app, bookingId))
    .filter((email) => email.template === template)
    .flatMap(({ text }) => [...new Set(text.match(/\$[\d,.]*\d/g))]);
const paymentLog = async (bookingId: string) =>
  (
    await app.database.db
      .selectFrom("activity")
      .select("message")
      .where("ref_id", "=", bookingId)
      .where("type", "=", "payment")
      .execute()
  ).map(({ message }) => message);
const cancelNow = (id: string) =>
  app.database.transaction(async (tx) => {
    const locked = await lockBooking(tx, id);
    if (locked)
      await cancel(tx, locked, { by: "promoter", code: "other", note: "No longer needed", now: app.clock.now() });
  });

describe("a refund in the provider's dashboard", () => {
  test("of the whole deposit cancels the booking, frees the date and notifies both sides and the admins", async () => {
    const { user } = await person("artist");
    const { act, booking, url } = await opened({ userId: user.id });
    await press(app, url, "pay");
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
    await refundInDashboard(booking.id);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({
      status: "canceled",
      canceled_by: "system",
      cancel_code: "money_returned",
    });
    expect(await reservations(app, act.id)).toEqual([]);
    expect(await emailTemplates(booking.id)).toEqual(expect.arrayContaining(["booking_canceled", "refund_sent"]));
    expect(await alarms(booking.id)).toMatchObject([
      { recipient: admin.email, text: expect.stringMatching(/was refunded at the payment provider/) },
    ]);
  });

  test("that replaces a returned one notifies the admins, the artist and the promoter, and again of its return", async () => {
    const { user } = await person("artist");
    const { booking, url } = await opened({ userId: user.id });
    await press(app, url, "pay");
    const whole = booking.deposit_cents;
    for (const amount of [Math.floor(whole * 0.6), Math.floor(whole * 0.9)]) {
      app.clock.advance(60_000);
      await refundInDashboard(booking.id, amount);
      await follow(app);
      await returnRefund(app, { bookingId: booking.id });
      await follow(app);
    }
    const sent = await emailTemplates(booking.id);
    const timesOf = (template: string) => sent.filter((one) => one === template).length;
    expect(["refund_sent", "refund_reduces_share", "refund_failed", "money_alarm"].map(timesOf)).toEqual([2, 2, 2, 4]);
  });

  test("of the deposit and then of the balance cancels the booking and frees the date", async () => {
    const { act, booking, visitor, url } = await opened();
    await press(app, url, "pay");
    await sendContract(app.services, booking.id);
    await attestSignatures(app, booking.id, admin.id);
    const balance = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    await press(app, balance.body["url"], "pay");
    await refundInDashboard(booking.id, undefined, booking.deposit_cents);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
    await refundInDashboard(booking.id, undefined, booking.balance_cents);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "money_returned" });
    expect(await reservations(app, act.id)).toEqual([]);
  });

  test("of a part lets the booking continue and notifies the admins", async () => {
    const { user } = await person("artist");
    const { act, booking, visitor, url } = await opened({ userId: user.id });
    await press(app, url, "pay");
    await refundInDashboard(booking.id, 1_000);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
    expect(await alarms(booking.id)).toMatchObject([{ text: expect.stringMatching(/\$10\.00 .* remains active/s) }]);
    const emails = await messagesTo(app, user.email);
    const [share] = emails.filter(({ template }) => template === "refund_reduces_share");
    const { artist: left } = splitCommission(booking.fee_cents - 1_000, booking.commission_bps);
    expect(share?.text).toContain(
      `After the commission, your share of this booking is now ${formatMoney(left, "USD")}.`,
    );

    app.clock.advance(49 * hourMs);
    const body = { code: "plans_changed", expected_refund_cents: 0 };
    expect((await visitor.json(`/api/bookings/${booking.id}/cancel`, body)).status).toBe(200);
    await follow(app);
    const sent = [...(await messagesTo(app, user.email)), ...(await messagesTo(app, booking.promoter_email))];
    const canceled = sent.filter(({ template }) => template === "booking_canceled").map(({ text }) => text);
    const why = "By the cancellation terms, and because $10 was returned to the payer before,";
    expect(canceled).toEqual([
      expect.stringContaining(`${why} you keep `),
      expect.stringContaining(`${why} $365 is not`),
    ]);
  });

  test("is no reason of a cancellation fee that is as high as without it", async () => {
    const { booking, visitor, url } = await opened();
    const policy = policyNamed("standard");
    const steps = [{ daysBeforeAtLeast: 0, depositBps: 9_000, balanceBps: 0, feeBps: 0 }];
    const terms = { policy: JSON.stringify({ ...policy, steps }) };
    await app.database.db.updateTable("bookings").set(terms).where("id", "=", booking.id).execute();
    await press(app, url, "pay");
    await refundInDashboard(booking.id, booking.deposit_cents / 10);
    await follow(app);
    app.clock.advance(49 * hourMs);
    const body = { code: "plans_changed", expected_refund_cents: 0 };
    expect((await visitor.json(`/api/bookings/${booking.id}/cancel`, body)).status).toBe(200);
    await follow(app);
    const sent = (await messagesTo(app, booking.promoter_email)).find(
      ({ template }) => template === "booking_canceled",
    );
    expect(sent?.text).toContain("By the cancellation terms $337.50 is not refunded.");
  });

  test("before the payment webhook is processed books nothing and sends no confirmation", async () => {
    const { act, booking, url } = await opened();
    await payUnheard(url);
    await refundInDashboard(booking.id);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "money_returned" });
    expect(await reservations(app, act.id)).toEqual([]);
    expect(await emailTemplates(booking.id)).not.toContain("booking_confirmation");
  });

  test("for a lost date is completed by a refund of the remainder", async () => {
    for (const part of [undefined, 500]) {
      const { act, booking, url } = await opened();
      await app.database.transaction((tx) =>
        tx.deleteFrom("date_reservations").where("booking_id", "=", booking.id).execute(),
      );
      const quick = await held({ artist: act, eventDate: booking.event_date });
      await press(app, (await quick.visitor.checkout(quick.booking)).body["checkout_url"], "pay");
      await payUnheard(url);
      await refundInDashboard(booking.id, part);
      await follow(app);
      expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled" });
      const back = await refunds(app, booking.id);
      expect(back.reduce((sum, refund) => sum + refund.amount, 0)).toBe(booking.deposit_cents);
      expect(await app.database.db.selectFrom("event_outbox").select("id").execute()).toEqual([]);
      if (part) expect(await refundNamedIn(booking.id, "date_lost")).toEqual(["$370"]);
    }
  });

  test("of a part before a late payment is processed leaves the remainder for the email and the log", async () => {
    const { booking, url } = await opened();
    await cancelNow(booking.id);
    await payUnheard(url);
    await refundInDashboard(booking.id, 500);
    await follow(app);
    expect((await refunds(app, booking.id)).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([
      500, 37_000,
    ]);
    expect(await refundNamedIn(booking.id, "money_returned")).toEqual(["$370"]);
    expect(await paymentLog(booking.id)).toContain("$370.00 is refunded: booking canceled");
  });

  test("equal to a scheduled one is counted once, and the scheduled one is not sent", async () => {
    const { booking, url } = await opened();
    await cancelNow(booking.id);
    await press(app, url, "pay");
    expect(await refunds(app, booking.id)).toMatchObject([{ status: "requested" }]);
    await refundInDashboard(booking.id);
    await follow(app);
    await submitRefunds(app.services);
    await follow(app);
    expect(await refunds(app, booking.id)).toMatchObject([{ amount: booking.deposit_cents, status: "succeeded" }]);
  });
});

describe("a canceled booking's hold", () => {
  test("ends with a payment that arrives too late, and the payer is notified of the refund", async () => {
    const { act, booking, url } = await opened();
    await cancelNow(booking.id);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "hold" }]);
    await press(app, url, "pay");
    expect(await reservations(app, act.id)).toEqual([]);
    const canceled = { status: "canceled", canceled_by: "promoter", deposit_paid_at: null };
    expect(await bookingRow(app, booking.id)).toMatchObject(canceled);
    expect(await refunds(app, booking.id)).toMatchObject([{ amount: booking.deposit_cents }]);
    expect(await emailTemplates(booking.id)).toContain("money_returned");
  });

  test("is released by the next sweep, which ends its checkout at the provider first", async () => {
    const { act, booking, url } = await opened();
    await cancelNow(booking.id);
    await sweepHolds(app.services);
    expect(await reservations(app, act.id)).toEqual([]);
    await press(app, url, "pay");
    expect(await refunds(app, booking.id)).toEqual([]);
  });

  test("ends with the cancellation if no checkout was opened", async () => {
    const { act, booking } = await opened();
    await app.database.transaction((tx) =>
      tx.updateTable("payments").set({ checkout_state: "closed" }).where("booking_id", "=", booking.id).execute(),
    );
    await cancelNow(booking.id);
    expect(await reservations(app, act.id)).toEqual([]);
  });
});

test("a payment of a replaced checkout is recorded and refunded, and its payer and the admins are notified", async () => {
  const { booking, visitor, url } = await opened();
  await app.database.transaction((tx) =>
    tx.updateTable("payments").set({ checkout_state: "closed" }).where("booking_id", "=", booking.id).execute(),
  );
  const { body } = await visitor.checkout(booking);
  expect(body["checkout_url"]).not.toBe(url);
  await press(app, url, "pay");
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "initiated" });
  const written = await emailsFor(app, booking.id);
  expect(written.find((email) => email.template === "money_returned")).toMatchObject({
    recipient: booking.promoter_email,
    text: expect.stringMatching(/had\s+been\s+replaced/),
  });
  expect(await alarms(booking.id)).toHaveLength(1);
  expect((await paymentLog(booking.id)).join(" ")).toMatch(/is refunded in full/);
  await submitRefunds(app.services);
  await follow(app);
});

test("the success page finds a payment whose webhooks are lost", async () => {
  const { booking, visitor, url, session } = await opened();
  app.services.sandbox?.deliverTo(async () => false);
  await payUnheard(url);
  app.clock.advance(5_000);
  const stranger = await app.request(`/api/bookings/by-session/${session}`);
  expect(await stranger.json()).toMatchObject({ found: false });
  const paid = async () =>
    (
      await app.database.db
        .selectFrom("payments")
        .select("status")
        .where("booking_id", "=", booking.id)
        .executeTakeFirstOrThrow()
    ).status;
  expect(await paid()).toBe("requires_payment_method");
  const { body } = await visitor.json(`/api/bookings/by-session/${session}`);
  expect(body).toMatchObject({ found: true, payment: { status: "succeeded" } });
  await app.settle();
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
});
