/** With `requireDeposit` off, the artist answers each request and the whole price is the balance. */

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  browser,
  dayAhead,
  emailsFor,
  emailText,
  peopleOf,
  press,
  reservations,
  verifyMailbox,
} from "#test/harness/bookings.ts";
import { signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sendBalanceReminders } from "../balance/balance-reminders.ts";
import { sendContracts } from "../contract/sending.ts";
import { expireUnpaid } from "../jobs.ts";
import { checkoutTypeFor } from "../request/date-check.ts";

const app = closeAfterFile(await testApp());
const people = peopleOf(() => app);

type Page = {
  status: string;
  answer_due_at: string | null;
  can: { answer: boolean; pay: string | null; cancel: boolean };
  deadlines: { kind: string; at: string }[];
  money: { commission_cents: number | null; outstanding_cents: number };
  timeline: { kind: string; text: string; by: string | null }[];
  message?: string;
};

async function makeRequest(given: Record<string, unknown> = {}, isVerified = true) {
  const { user, at: owner } = await people.person("artist");
  const artist = await people.artist({ userId: user.id });
  const set = (requireDeposit: boolean) =>
    app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit }, user.id));
  await set(false);
  const visitor = browser(app);
  const { status, body: booking } = await visitor.requestBooking({ artistId: artist.slug, ...given });
  expect(status).toBe(201);
  await app.settle();
  if (isVerified) await verifyMailbox(app, visitor, booking.id);
  const answer = (what: "accept" | "decline", body: object = {}, by = owner) =>
    by.json(`/api/artist/bookings/${booking.id}/${what}`, body);
  const page = async (by = owner) => (await by.json(`/api/bookings/${booking.id}`)).body as unknown as Page;
  return { user, owner, artist, visitor, booking, set, answer, page };
}

describe("a request without a deposit", () => {
  test("has no deposit, and the date check, the profile and the checkout report that", async () => {
    const { artist, visitor, booking, set } = await makeRequest();
    expect(booking).toMatchObject({
      status: "initiated",
      deposit_percent: 0,
      deposit_cents: 0,
      balance_cents: artist.base_rate,
      fee_cents: artist.base_rate,
    });
    const due = new Date(String(booking["answer_due_at"])).getTime();
    expect(due - new Date(String(booking["created_at"])).getTime()).toBe(72 * hourMs);
    const panel = await visitor.check({ artistId: artist.slug, eventDate: dayAhead(app, 61) });
    expect(panel.body["checkout"]).toBe("no_deposit");
    expect(panel.body["price"]).toMatchObject({ deposit_cents: 0, balance_cents: artist.base_rate });
    expect((await visitor.json(`/api/artists/${artist.slug}`)).body["requires_deposit"]).toBe(false);
    const checkout = await visitor.checkout(booking);
    expect(checkout.body).toMatchObject({ checkout_url: null, reason: "no_deposit", held_until: null });
    const deposit = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: true });
    expect(deposit.status).toBe(409);
    expect(await reservations(app, artist.id)).toEqual([]);
    await set(true);
    const again = await visitor.check({ artistId: artist.slug, eventDate: dayAhead(app, 61) });
    expect(again.body["checkout"]).toBe("deposit");
    expect((await visitor.json(`/api/artists/${artist.slug}`)).body["requires_deposit"]).toBe(true);
  });

  test("retains its terms when the artist changes the setting later", async () => {
    const { artist, visitor, set, answer, booking, owner } = await makeRequest();
    expect(booking["answered_by_email"]).toBe(false);
    await set(true);
    const { body: later } = await visitor.requestBooking({ artistId: artist.slug, eventDate: dayAhead(app, 80) });
    expect(later).toMatchObject({ deposit_percent: 25, answer_due_at: null, answered_by_email: false });
    const { gateway } = app.services;
    Object.assign(app.services, { gateway: null });
    for (const viewer of [visitor, owner])
      expect((await viewer.json(`/api/bookings/${later.id}`)).body["answered_by_email"]).toBe(true);
    Object.assign(app.services, { gateway });
    expect((await answer("accept")).status).toBe(200);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid", deposit_cents: 0 });
    await set(false);
    expect((await visitor.checkout(later)).body["checkout_url"]).not.toBeNull();
  });

  test("notifies both parties of the answer deadline, and the artist of commission and net", async () => {
    const { user, booking } = await makeRequest();
    const emails = await emailsFor(app, booking.id);
    const toArtist = emails.find(({ recipient }) => recipient === user.email);
    expect(toArtist?.text).toContain("Accept or decline by");
    expect(toArtist?.text).toMatch(/Commission.*\n?.*\$150/);
    expect(toArtist?.text).toMatch(/You receive.*\n?.*\$1,350/);
    const toPromoter = emails.find(({ template }) => template === "request_received");
    expect(toPromoter?.text).toContain("No deposit is required.");
    expect(toPromoter?.text).toContain("accepts or declines by");
  });

  test("leads to payments_not_set_up instead of an answer when no card provider is set up", () => {
    const quote = { fee_cents: 150_000, deposit_percent: 0, currency: "usd" };
    expect([checkoutTypeFor(quote, true), checkoutTypeFor(quote, false)]).toEqual([
      "no_deposit",
      "payments_not_set_up",
    ]);
  });

  test("cannot be accepted or paid after the provider is removed", async () => {
    const { booking, visitor, answer, page } = await makeRequest();
    const { gateway } = app.services;
    Object.assign(app.services, { gateway: null });
    try {
      expect((await visitor.checkout(booking)).body["reason"]).toBe("payments_not_set_up");
      const refused = await answer("accept");
      expect([refused.status, refused.body["message"]]).toEqual([
        409,
        expect.stringMatching(/^Payments are not set up/),
      ]);
      expect((await page()).status).toBe("initiated");
    } finally {
      Object.assign(app.services, { gateway });
    }
    expect((await answer("accept")).status).toBe(200);
  });

  test("is listed for the artist to answer, and refuses an answer from the promoter, another artist and an admin", async () => {
    const { owner, visitor, booking, page, answer } = await makeRequest();
    expect((await owner.json("/api/artist/bookings?show=needs_you")).body["items"]).toMatchObject([{ id: booking.id }]);
    const seen = await page();
    expect(seen.can.answer).toBe(true);
    expect(seen.deadlines.map(({ kind }) => kind)).toContain("answer_due");
    expect(seen.money.commission_cents).toBe(15_000);
    expect((await page(visitor)).can).toMatchObject({ answer: false, pay: null, cancel: true });
    expect((await answer("accept", {}, visitor)).status).toBe(401);
    const stranger = await people.person("artist");
    expect((await answer("accept", {}, stranger.at)).status).toBe(404);
    const admin = await people.person("admin");
    expect((await answer("accept", {}, admin.at)).status).toBe(403);
  });

  test("cannot be accepted before the account confirms what another browser sent in its name", async () => {
    const account = await people.person("promoter");
    const organization = JSON.stringify({ organizationName: "SECRET ORG GmbH" });
    await sql`insert into settings (scope, owner_id, value) values ('promoter', ${account.user.id}, ${organization}::jsonb)`.execute(
      app.database.db,
    );
    const { answer, booking, user } = await makeRequest({ clientEmail: account.user.email }, false);
    expect((await answer("accept")).status).toBe(409);
    const toArtist = (await emailsFor(app, booking.id)).filter(({ recipient }) => recipient === user.email);
    expect(toArtist.map(({ text }) => text).join()).not.toContain("SECRET");
    await account.at.json(`/api/bookings/${booking.id}/confirm-request`, { is_own: true });
    expect((await answer("accept")).status).toBe(200);
  });

  test("cannot be accepted at a price on request", async () => {
    const { user, at: owner } = await people.person("artist");
    const artist = await people.artist({ userId: user.id, baseRate: 0 });
    await app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit: false }, user.id));
    const visitor = browser(app);
    const { body: booking } = await visitor.requestBooking({ artistId: artist.slug });
    expect(booking).toMatchObject({ answer_due_at: null, answered_by_email: true });
    expect((await visitor.checkout(booking)).body["reason"]).toBe("on_request");
    expect((await owner.json(`/api/artist/bookings/${booking.id}/accept`, {})).status).toBe(409);
  });
});

describe("acceptRequest", () => {
  test("books the date with a deposit of 0 and leads to a signed contract and a paid balance", async () => {
    const { artist, visitor, booking, answer, page } = await makeRequest();
    expect((await answer("accept")).body).toMatchObject({ status: "deposit_paid" });
    expect(await reservations(app, artist.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
    await app.settle();
    const templates = (await emailsFor(app, booking.id)).map(({ template }) => template);
    expect(templates).toContain("booking_confirmation");
    expect(templates).not.toContain("deposit_received");
    expect((await page()).timeline.find(({ kind }) => kind === "accepted")?.by).toBe(artist.name);
    await sendContracts(app.services);
    await app.settle();
    const { promoter, artist_token } = await tokensOf(app, booking.id);
    const signing = signingCalls(app);
    for (const token of [promoter, artist_token]) expect((await signing.openAndSign(token)).status).toBe(200);
    await app.settle();
    await sendBalanceReminders(app.services);
    const balance = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    expect(balance.status, JSON.stringify(balance.body)).toBe(200);
    await press(app, balance.body["url"], "pay");
    expect((await page(visitor)).money.outstanding_cents).toBe(0);
    // Without a deposit the policy retains nothing 60 days before the event and half of the price 20 days before it.
    const preview = await visitor.json(`/api/bookings/${booking.id}/cancellation`);
    expect(preview.body).toMatchObject({ refund_cents: artist.base_rate, artist_keeps_cents: 0 });
    app.clock.advance(40 * 24 * hourMs);
    const late = await visitor.json(`/api/bookings/${booking.id}/cancellation`);
    expect(late.body).toMatchObject({ refund_cents: artist.base_rate / 2, artist_keeps_cents: artist.base_rate / 2 });
  });

  test("lets both parties end an unpaid booking by agreement without a division", async () => {
    const { artist, owner, visitor, booking, answer } = await makeRequest();
    expect((await answer("accept")).status).toBe(200);
    const address = `/api/bookings/${booking.id}`;
    const reason = "The hall is under water.";
    const proposed = await owner.json(`${address}/force-majeure`, {
      reason,
      refund_cents: null,
      expected_paid_cents: 0,
    });
    expect(proposed.status, JSON.stringify(proposed.body)).toBe(200);
    const { force_majeure: open } = (await visitor.json(address)).body as unknown as {
      force_majeure: { paid_cents: number; proposal: { id: string } };
    };
    expect(open.paid_cents).toBe(0);
    const sent = { proposal_id: open.proposal.id, accept: true, expected_refund_cents: 0 };
    expect((await visitor.json(`${address}/force-majeure/answer`, sent)).body).toMatchObject({ status: "canceled" });
    expect(await bookingRow(app, booking.id)).toMatchObject({ canceled_by: "both", cancel_code: "force_majeure" });
    expect(await reservations(app, artist.id)).toEqual([]);
    await app.settle();
    const emails = await emailsFor(app, booking.id);
    const texts = emails.filter(({ template }) => template === "force_majeure").map(({ text }) => text);
    expect(texts.join()).toContain("Nothing has been paid, so nothing is divided.");
  });

  test("lets the promoter cancel an unpaid booking at no cost", async () => {
    const { artist, visitor, booking, answer } = await makeRequest();
    await answer("accept");
    const preview = (await visitor.json(`/api/bookings/${booking.id}/cancellation`)).body;
    expect(preview).toMatchObject({ refund_cents: 0, artist_keeps_cents: 0, commission_cents: 0 });
    const canceled = await visitor.json(`/api/bookings/${booking.id}/cancel`, {
      code: "plans_changed",
      expected_refund_cents: 0,
    });
    expect(canceled.status).toBe(200);
    expect(await reservations(app, artist.id)).toEqual([]);
  });

  test("accepts one of three requests for a date, ends the others, and refuses while the checkout of another visitor is open", async () => {
    const { user, artist, set, answer } = await makeRequest();
    const second = browser(app);
    const { body: other } = await second.requestBooking({ artistId: artist.slug, clientEmail: "second@whitt.example" });
    await set(true);
    const third = browser(app);
    const { body: paying } = await third.requestBooking({ artistId: artist.slug, clientEmail: "third@whitt.example" });
    expect((await third.checkout(paying)).status).toBe(200);
    const blocked = await answer("accept");
    expect(blocked.status).toBe(409);
    expect(blocked.body["data"]).toMatchObject({ state: "held" });
    expect((await third.json(`/api/bookings/${paying.id}/release-own-hold`, {})).status).toBe(200);
    expect((await answer("accept")).status).toBe(200);
    const headers = await app.signIn(user);
    const taken = await app.request(`/api/artist/bookings/${other.id}/accept`, { headers, body: {} });
    expect(taken.status).toBe(409);
    expect(await taken.json()).toMatchObject({ data: { state: "taken" } });
    expect(await bookingRow(app, other.id)).toMatchObject({ status: "initiated" });
    expect((await answer("accept")).body["message"]).toMatch(/already accepted/);
    await app.settle();
    expect(await bookingRow(app, other.id)).toMatchObject({ status: "canceled", cancel_code: "date_lost" });
    const rival = (await emailsFor(app, other.id)).filter(({ template }) => template === "booking_canceled");
    expect(rival.map(({ recipient }) => recipient)).toEqual(["second@whitt.example"]);
    expect(rival[0]?.text).toMatch(/has\s+ended\.\s+The\s+date\s+is\s+no\s+longer\s+available\./);
    expect(rival[0]?.text).not.toContain("free again");
    expect(await bookingRow(app, paying.id)).toMatchObject({ status: "canceled", cancel_code: "date_lost" });
  });
});

describe("a request that is not accepted", () => {
  test("is canceled when declined, and the promoter receives the note", async () => {
    const { visitor, booking, answer, page } = await makeRequest();
    expect((await answer("decline", { note: "We rest that week." })).body).toMatchObject({ status: "canceled" });
    expect(await bookingRow(app, booking.id)).toMatchObject({
      canceled_by: "artist",
      cancel_code: "request_declined",
      cancel_note: "We rest that week.",
    });
    await app.settle();
    const { promoter_email: address } = await bookingRow(app, booking.id);
    const text = await emailText(app, booking.id, "booking_canceled", address);
    expect(text).toContain("We rest that week.");
    // The date was not booked.
    expect(text).toContain("declined your request for");
    expect(text).not.toContain("free again");
    expect((await page(visitor)).timeline.at(-1)).toMatchObject({
      kind: "canceled",
      text: "Declined: We rest that week.",
    });
    expect((await answer("accept")).status).toBe(409);
  });

  test("is canceled after 72 hours without an answer, and both parties are notified", async () => {
    const { user, booking, answer, page } = await makeRequest();
    app.clock.advance(72 * hourMs - 60_000);
    await expireUnpaid(app.services);
    // The artist's session from three days ago has expired.
    const later = browser(app, await app.signIn(user));
    expect((await page(later)).can.answer).toBe(true);
    app.clock.advance(60_000);
    // The deadline applies before the job runs.
    expect((await answer("accept", {}, later)).status).toBe(409);
    await expireUnpaid(app.services);
    await app.settle();
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "unanswered" });
    const ended = (await emailsFor(app, booking.id)).filter(({ template }) => template === "booking_canceled");
    expect(ended.map(({ recipient }) => recipient).toSorted()).toEqual(
      [user.email, String(booking["promoter_email"])].toSorted(),
    );
    for (const { recipient, text } of ended)
      expect(text.replaceAll(/\s+/g, " ")).toContain(
        `has ended. ${recipient === user.email ? "You" : "The artist"} did not answer in time.`,
      );
  });

  test("cannot be answered after the promoter withdrew it", async () => {
    const { visitor, booking, answer } = await makeRequest();
    await visitor.json(`/api/bookings/${booking.id}/cancel`, { code: "other", expected_refund_cents: 0 });
    expect((await answer("accept")).status).toBe(409);
    expect((await answer("decline")).status).toBe(409);
  });

  test("cannot be answered when it has a deposit", async () => {
    const { user, at: owner } = await people.person("artist");
    const artist = await people.artist({ userId: user.id });
    const { body: booking } = await browser(app).requestBooking({ artistId: artist.slug });
    for (const what of ["accept", "decline"])
      expect((await owner.json(`/api/artist/bookings/${booking.id}/${what}`, {})).status).toBe(409);
  });
});

test("acceptRequest does not verify the mailbox: emails to the promoter omit the text of an unverified visitor", async () => {
  const { booking, answer } = await makeRequest(
    { clientName: "Buy pills", eventLocation: "Spam Hall, Austin, Texas" },
    false,
  );
  await answer("accept");
  await app.settle();
  const toPromoter = (await emailsFor(app, booking.id)).filter(
    ({ recipient }) => recipient === booking["promoter_email"],
  );
  expect(toPromoter.map(({ template }) => template)).toContain("booking_confirmation");
  for (const { text } of toPromoter) expect(text).not.toMatch(/pills|Spam Hall/);
});
