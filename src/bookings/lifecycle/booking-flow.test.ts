import { describe, expect, test } from "vitest";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  browser,
  reservations,
  dayAhead,
  follow,
  emailsFor,
  press,
  refunds,
} from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { expireUnpaid, sweepHolds } from "../jobs.ts";
import { makePayLink } from "../links/pay-links.ts";
import { type BookingState, bookingStatusNames, decideStatus } from "../rules.ts";
import { applyPaymentSucceeded } from "./transitions.ts";

const app = closeAfterFile(await testApp());

const artist = (given = {}) => app.make.artist({ location: "Austin, Texas", ...given });

async function makeRequest(given: Record<string, unknown>) {
  const visitor = browser(app);
  const { body, status } = await visitor.requestBooking(given);
  expect(status, JSON.stringify(body)).toBe(201);
  return { visitor, booking: body };
}

describe("from the request to the booked date", () => {
  test("stores a request, accepts the deposit and books the date", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    expect(booking).toMatchObject({
      artist_id: act.id,
      promoter_name: "Hannah Whitt",
      promoter_email: "hannah@whitt.example",
      promoter_phone: "+1 512 555 0148",
      event_date: dayAhead(app, 60),
      event_time: "20:30",
      venue_name: "The Waterworks, Austin, Texas",
      venue_address: "The Waterworks, Austin, Texas",
      event_type: "Wedding",
      guest_count: 180,
      duration: "2 hours",
      duration_minutes: 120,
      special_requests: "First dance at 21:00.",
      time_zone: "America/Chicago",
      status: "initiated",
      fee_cents: 150_000,
      deposit_cents: 37_500,
      balance_cents: 112_500,
    });
    expect(await reservations(app, act.id)).toEqual([]);

    const { body: checkout } = await visitor.checkout(booking);
    expect(checkout["checkout_url"]).toMatch(/\/sandbox\//);
    expect(checkout["contract"]).toMatchObject({ signed_status: "draft" });
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "hold" }]);

    const back = await press(app, checkout["checkout_url"], "pay");
    expect(back).toContain(`/booking-success?session_id=${String(checkout["session_id"])}`);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid", version: 2 });
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
    const templates = (await emailsFor(app, booking.id)).map((email) => email.template);
    expect(templates).toEqual(expect.arrayContaining(["request_received", "booking_confirmation", "deposit_received"]));
    const log = await app.database.db.selectFrom("activity").select("type").where("ref_id", "=", booking.id).execute();
    expect(log.map((entry) => entry.type)).toEqual(expect.arrayContaining(["booking", "payment"]));

    const success = await visitor.json(`/api/bookings/by-session/${String(checkout["session_id"])}`);
    expect(success.body).toMatchObject({
      found: true,
      artist: { name: act.name },
      payment: { status: "succeeded", amount: 37_500 },
    });
    const stranger = browser(app);
    const seen = await stranger.json(`/api/bookings/by-session/${String(checkout["session_id"])}`);
    const unknown = await stranger.json("/api/bookings/by-session/cs_test_nobody");
    expect(seen.body).toEqual(unknown.body);
    expect(seen.body).toMatchObject({ found: false });

    const again = await visitor.checkout(booking);
    expect(again.status).toBe(409);
    expect(again.body["message"]).toBe("The deposit is already paid.");
  });

  test("retains the hold after a declined card, and accepts another attempt on the same page", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    const { body } = await visitor.checkout(booking);
    await press(app, body["checkout_url"], "decline");
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "initiated" });
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "hold" }]);
    expect((await emailsFor(app, booking.id)).map((email) => email.template)).toContain("checkout_declined");
    await press(app, body["checkout_url"], "pay");
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
  });

  test("opens one session in two tabs, and changes the booking once when both pay", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    const [one, two] = await Promise.all([visitor.checkout(booking), visitor.checkout(booking)]);
    expect(one.body["session_id"]).toBe(two.body["session_id"]);
    await press(app, one.body["checkout_url"], "pay");
    await app.server.inject({ method: "POST", url: `${new URL(String(one.body["checkout_url"])).pathname}/pay` });
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid", version: 2 });
    expect(await refunds(app, booking.id)).toEqual([]);
  });

  test("refuses a second promoter on a held date (409) with the nearest free dates", async () => {
    const act = await artist();
    const first = await makeRequest({ artistId: act.slug });
    const second = await makeRequest({ artistId: act.slug, eventTime: "22:00", clientEmail: "sam@other.example" });
    await first.visitor.checkout(first.booking);
    const refused = await second.visitor.checkout(second.booking);
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toMatch(/is on hold for 30 minutes\. Another promoter is at the checkout/);
    const data = refused.body["data"] as { state: string; nearest: { date: string; reason: string }[] };
    expect(data.state).toBe("held");
    expect(data.nearest[0]).toEqual({ date: dayAhead(app, 61), reason: "the day after" });
    expect(data.nearest).toHaveLength(3);
  });

  test("books the date again for a payment after the hold expired, if it is free", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    const { body } = await visitor.checkout(booking);
    await app.database.transaction((tx) =>
      tx.deleteFrom("date_reservations").where("booking_id", "=", booking.id).execute(),
    );
    await press(app, body["checkout_url"], "pay");
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
  });

  test("refunds a payment for a sold date in full, and notifies the promoter", async () => {
    const act = await artist();
    const late = await makeRequest({ artistId: act.slug });
    const { body } = await late.visitor.checkout(late.booking);
    await app.database.transaction((tx) =>
      tx.deleteFrom("date_reservations").where("booking_id", "=", late.booking.id).execute(),
    );
    const quick = await makeRequest({ artistId: act.slug, clientEmail: "sam@other.example" });
    await press(app, (await quick.visitor.checkout(quick.booking)).body["checkout_url"], "pay");
    const link = await app.database.transaction((tx) =>
      makePayLink(tx, { ...late, services: app.services }, "deposit"),
    );
    await press(app, body["checkout_url"], "pay");
    const given = { bookingId: late.booking.id, kind: "deposit", key: new URL(link).searchParams.get("key") };
    expect((await browser(app).json("/api/bookings/pay-link", given)).body).toMatchObject({
      state: "ended",
      message: "This booking is canceled. There is nothing to pay.",
    });
    expect(await bookingRow(app, late.booking.id)).toMatchObject({
      status: "canceled",
      cancel_code: "date_lost",
      canceled_by: "system",
    });
    expect(await bookingRow(app, quick.booking.id)).toMatchObject({ status: "deposit_paid" });
    expect(await refunds(app, late.booking.id)).toMatchObject([{ amount: 37_500 }]);
    expect((await emailsFor(app, late.booking.id)).map((email) => email.template)).toContain("date_lost");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: quick.booking.id, kind: "booked" }]);
  });

  test("returns the same session after a crash between the provider call and its record", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    const { body: before } = await visitor.checkout(booking);
    await app.database.transaction((tx) =>
      tx
        .updateTable("payments")
        .set({ checkout_state: "reserved", provider_ref: null, checkout_url: null, lease_until: null })
        .where("booking_id", "=", booking.id)
        .execute(),
    );
    const { body: after } = await visitor.checkout(booking);
    expect(after["session_id"]).toBe(before["session_id"]);
  });

  test("frees the date after the promoter leaves the checkout", async () => {
    const act = await artist();
    const { visitor, booking } = await makeRequest({ artistId: act.slug });
    const { body } = await visitor.checkout(booking);
    await press(app, body["checkout_url"], "cancel");
    await app.services.sandbox?.settle();
    const left = await reservations(app, act.id);
    const held = left.length === 1;
    if (held) {
      // The provider does not end a page that was only left, so the hold expires.
      app.clock.advance(40 * minuteMs);
      await follow(app);
      await sweepHolds(app.services);
      await follow(app);
      expect(await reservations(app, act.id)).toEqual([]);
    }
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "initiated" });
    expect((await emailsFor(app, booking.id)).map((email) => email.template)).toContain("hold_ended");
  });

  test("cancels an unpaid request when its show begins", async () => {
    const act = await artist();
    const booking = await app.make.booking({ artist: act, eventDate: dayAhead(app, 1) });
    await expireUnpaid(app.services);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "initiated" });
    app.clock.advance(48 * hourMs);
    await expireUnpaid(app.services);
    await app.settle();
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "expired" });
  });
});

test("applyPaymentSucceeded changes the booking once when the same event is received a hundred times", async () => {
  const { visitor, booking } = await makeRequest({ artistId: (await artist()).slug });
  const { body } = await visitor.checkout(booking);
  await press(app, body["checkout_url"], "pay");
  const { deposit_payment_id: paymentId, deposit_cents: amount, currency } = await bookingRow(app, booking.id);
  const paidAt = app.clock.now().toISOString();
  const event = {
    paymentId: paymentId ?? "",
    bookingId: booking.id,
    kind: "deposit" as const,
    amount,
    currency,
    paidAt,
  };
  for (let time = 0; time < 100; time++)
    await app.database.transaction((tx) => applyPaymentSucceeded(tx, event, app.clock.now()));
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid", version: 2 });
  expect(await refunds(app, booking.id)).toEqual([]);
});

test("events lead to the stored status that decideStatus derives", async () => {
  await app.settle();
  for (const status of bookingStatusNames) await app.make.booking({ status });
  const rows = await app.database.db
    .selectFrom("bookings as b")
    .leftJoin("contracts as c", "c.booking_id", "b.id")
    .select(["b.id", "b.status", "b.deposit_paid_at as depositPaidAt", "b.completed_at as completedAt"])
    .select(["b.canceled_at as canceledAt", "c.signed_status as contract"])
    .execute();
  expect(new Set(rows.map((row) => row.status)).size).toBe(bookingStatusNames.length);
  for (const row of rows) expect(decideStatus(row as BookingState), row.id).toBe(row.status);
});
