import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { dayMs, minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, emailsFor, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { documentsIn, issueDocuments } from "#test/harness/documents.ts";
import { planRefund, refuseRefunds } from "#test/harness/payment-work.ts";
import { testApp } from "#test/test-app.ts";
import { notifyRefunded } from "../event-emails/payment-emails.ts";
import { makePayLink } from "../links/pay-links.ts";

const app = closeAfterFile(await testApp());

const { artist, held } = peopleOf(() => app);

async function keyOf(booking: { id: string }, kind: "deposit" | "balance") {
  const link = await app.database.transaction((tx) => makePayLink(tx, { booking, services: app.services }, kind));
  return new URL(link).searchParams.get("key") ?? "";
}

async function owed() {
  const { booking } = await held({ status: "contract_signed" });
  return { booking, key: await keyOf(booking, "balance") };
}

async function open(
  payer: ReturnType<typeof browser>,
  bookingId: string,
  form: Record<string, string>,
  kind: "deposit" | "balance" = "balance",
) {
  const response = await payer.call(`/pay/${bookingId}/${kind}`, new URLSearchParams(form).toString(), {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const ames = { payer_name: "Nora Ames", payer_email: "nora@ames.example", company: "Ames Ltd", tax_id: "GB 123" };

test("a payment link displays artist, date, amount and number without the venue, and can be read again", async () => {
  const { booking, key } = await owed();
  const payer = browser(app);
  for (let time = 0; time < 2; time++)
    expect((await payer.json("/api/bookings/pay-link", { bookingId: booking.id, kind: "balance", key })).body).toEqual({
      state: "due",
      message: null,
      number: booking.number,
      promoter_name: booking.promoter_name.split(" ")[0],
      artist: {
        slug: expect.any(String),
        name: expect.any(String),
        genre: expect.any(String),
        location: expect.any(String),
      },
      event_date: booking.event_date,
      event_time: expect.stringContaining(":"),
      event_type: booking.event_type,
      amount_cents: booking.balance_cents,
      fee_cents: booking.fee_cents,
      deposit_percent: booking.deposit_percent,
      balance_cents: booking.balance_cents,
      balance_due: expect.any(String),
      pay_by: expect.any(String),
      held_until: null,
      time_zone: booking.time_zone,
      currency: "usd",
    });
  const wrong = await payer.json("/api/bookings/pay-link", {
    bookingId: booking.id,
    kind: "balance",
    key: "x".repeat(32),
  });
  expect(wrong.status).toBe(404);
  expect((await payer.json("/api/bookings/pay-link", { bookingId: booking.id, kind: "deposit", key })).status).toBe(
    404,
  );
});

test("a payment link that can no longer be paid displays the booking and the reason", async () => {
  const link = async (made: Parameters<typeof held>[0], kind: "deposit" | "balance") => {
    const { booking } = await held(made);
    const key = await keyOf(booking, kind);
    return {
      booking,
      key,
      open: () => browser(app).json("/api/bookings/pay-link", { bookingId: booking.id, kind, key }),
    };
  };
  const paid = await link({ status: "deposit_paid" }, "deposit");
  expect((await paid.open()).body).toMatchObject({ state: "paid", number: paid.booking.number });
  const early = await link({ status: "contract_sent" }, "balance");
  expect((await early.open()).body).toMatchObject({ state: "not_due", message: expect.stringContaining("signed") });
  const canceled = await link({ status: "canceled" }, "deposit");
  expect((await canceled.open()).body).toMatchObject({ state: "ended", message: expect.stringContaining("canceled") });
  const fresh = await link({ status: "initiated" }, "deposit");
  expect((await fresh.open()).body).toMatchObject({ state: "due", amount_cents: fresh.booking.deposit_cents });
  // The link is no deadline: it works until the payment is made or no longer possible.
  app.clock.advance(15 * dayMs);
  expect((await fresh.open()).body).toMatchObject({ state: "due", message: null });
});

test("the payer gets a confirmation and a receipt in their name, and no other email contains their address", async () => {
  const { booking, key } = await owed();
  const payer = browser(app);
  const opened = await open(payer, booking.id, { key, ...ames });
  expect(opened).toMatchObject({ status: 200, body: { url: expect.stringContaining("/sandbox/checkout/") } });
  const back = await press(app, opened.body["url"], "pay");
  const session = new URL(back).searchParams.get("session_id") ?? "";
  const confirmed = (await payer.json(`/api/bookings/by-session/${session}`)).body;
  expect(confirmed).toMatchObject({
    found: false,
    payer: {
      payment: { kind: "balance", amount: booking.balance_cents, status: "succeeded" },
      booking: { number: booking.number, promoter_name: booking.promoter_name.split(" ")[0] },
      receipt_email: ames.payer_email,
    },
  });
  expect((await browser(app).json(`/api/bookings/by-session/${session}`)).body).toMatchObject({
    found: false,
    payer: null,
  });
  expect((await payer.call(`/api/bookings/${booking.id}`)).status).toBe(404);

  await issueDocuments(app.services);
  await issueDocuments(app.services);
  const receipt = (await documentsIn(app.database.db, booking.id)).find(({ gross }) => gross === booking.balance_cents);
  expect(receipt).toMatchObject({
    kind: "receipt",
    details: { buyer: { name: "Nora Ames", legalName: "Ames Ltd", taxId: "GB 123", email: "" } },
  });
  const emails = await emailsFor(app, booking.id);
  const own = emails.filter(({ recipient }) => recipient === ames.payer_email);
  expect(own.map(({ template }) => template)).toEqual(["payer_document"]);
  expect(own[0]?.text).toContain(receipt?.number);
  for (const { text } of emails.filter(({ recipient }) => recipient !== ames.payer_email))
    expect(text).not.toContain(ames.payer_email);
  const listed = (await (await app.request(`/api/dev/outbox?to=${ames.payer_email}`)).json()) as {
    attachments: { url: string }[];
  }[];
  const file = await app.request(listed[0]?.attachments[0]?.url ?? "");
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");

  const { payment_id: paymentId = "", booking_id: bookingId = "" } = receipt ?? {};
  await app.database.transaction((tx) =>
    notifyRefunded(tx, app.services, { bookingId, paymentId: paymentId ?? "", refundId: randomUUID(), amount: 500 }),
  );
  const refunded = (await emailsFor(app, booking.id)).find(({ template }) => template === "refund_sent");
  expect(refunded?.text.replaceAll(/\s+/g, " ")).toContain(
    "back to the card of the person who paid it by your payment link.",
  );

  const plan = { paymentId: paymentId ?? "", amount: 700, reason: "test", causeKey: "refused", now: app.clock.now() };
  await app.database.transaction((tx) => planRefund(tx, plan));
  await refuseRefunds(app);
  await app.settle();
  const failed = (await emailsFor(app, booking.id)).filter(({ template }) => template.includes("refund_failed"));
  const textTo = new Map(failed.map(({ recipient, text }) => [recipient, text.replaceAll(/\s+/g, " ")]));
  expect([...textTo.keys()].toSorted()).toEqual([booking.promoter_email, ames.payer_email].toSorted());
  expect(textTo.get(ames.payer_email)).toContain("Dear Nora Ames, We could not send the refund of $7");
  expect(textTo.get(ames.payer_email)).toContain("to the card it was paid with.");
  expect(textTo.get(ames.payer_email)).not.toContain(booking.promoter_email);
  expect(textTo.get(ames.payer_email)).not.toContain(booking.id);
  expect(textTo.get(booking.promoter_email)).toContain("to the card of the person who paid it by your payment link.");
  expect(textTo.get(booking.promoter_email)).not.toContain(ames.payer_email);
});

test("the link of the deposit email pays the deposit and opens nothing else, and the request's own link verifies the mailbox", async () => {
  const act = await artist();
  const sender = browser(app);
  const eventDate = dayAhead(app, 60);
  const checked = await sender.check({ artistId: act.slug, eventDate, eventTime: "20:30" });
  const balanceConsent = String(checked.body["balance_consent"]);
  const { body: sent } = await sender.requestBooking({ artistId: act.slug, eventDate, balanceConsent });
  await follow(app);
  const email = (await emailsFor(app, sent.id)).find(({ template }) => template === "request_received");
  const linkOf = (pattern: RegExp) => new URL(pattern.exec(email?.text ?? "")?.[0] ?? "");
  const key = linkOf(/https?:\/\/\S+\/pay\/\S+/).searchParams.get("key") ?? "";
  const link = linkOf(/https?:\/\/\S+\/booking\/\S+/).searchParams.get("link") ?? "";
  const unpaid = { bookingId: sent.id, kind: "deposit", key };
  expect((await browser(app).json("/api/bookings/pay-link", unpaid)).body).toMatchObject({ held_until: null });

  const payer = browser(app);
  const opened = await open(payer, sent.id, { key, ...ames }, "deposit");
  const payments = app.database.db.selectFrom("payments").where("booking_id", "=", sent.id);
  expect(await payments.select("save_card_notice").execute()).toEqual([{ save_card_notice: null }]);
  const held = await browser(app).json("/api/bookings/pay-link", unpaid);
  const minutes = (new Date(String(held.body["held_until"])).getTime() - app.clock.now().getTime()) / minuteMs;
  expect(Math.ceil(minutes)).toBe(30);
  expect((await open(browser(app), sent.id, { key }, "deposit")).body).toEqual(opened.body);
  // The form of a browser without scripts.
  const post = () =>
    browser(app).call(`/pay/${sent.id}/deposit`, `key=${key}`, {
      "content-type": "application/x-www-form-urlencoded",
    });
  const redirect = await post();
  expect([redirect.status, redirect.headers.get("location")]).toEqual([303, opened.body["url"]]);
  const back = await press(app, opened.body["url"], "pay");
  const session = new URL(back).searchParams.get("session_id") ?? "";
  expect((await payer.json(`/api/bookings/by-session/${session}`)).body).toMatchObject({
    found: false,
    payer: { payment: { kind: "deposit", status: "succeeded" } },
  });
  const late = await post();
  expect([late.status, await late.text()]).toEqual([
    409,
    expect.stringContaining(`/pay/${sent.id}/deposit?problem=conflict`),
  ]);
  expect((await payer.call(`/api/bookings/${sent.id}`)).status).toBe(404);
  expect((await payer.call(`/api/bookings/${sent.id}/cancellation`)).status).toBe(404);
  expect((await open(payer, sent.id, { key })).status).toBe(404);
  expect((await bookingRow(app, sent.id)).email_proven_at).toBeNull();

  const owner = browser(app);
  expect((await owner.json(`/api/bookings/${sent.id}/open`, { link })).status).toBe(200);
  expect((await owner.json(`/api/bookings/${sent.id}`)).body).toMatchObject({ mailbox_unverified: false });
  expect((await sender.json(`/api/bookings/${sent.id}`)).body).toMatchObject({ mailbox_unverified: true });
});

test("the receipt names the payer of the last opened checkout", async () => {
  const { booking, key } = await owed();
  const opened = await open(browser(app), booking.id, { key, ...ames });
  expect(opened.status).toBe(200);
  const again = await open(browser(app), booking.id, { key });
  await press(app, again.body["url"], "pay");
  await follow(app);
  await issueDocuments(app.services);
  const receipt = (await documentsIn(app.database.db, booking.id)).find(({ gross }) => gross === booking.balance_cents);
  expect(receipt).toMatchObject({ details: { buyer: { name: booking.promoter_name } } });
});

test("returns a payer who cancels on the provider's page to the payment page, without the key", async () => {
  const { booking, key } = await owed();
  const { body } = await open(browser(app), booking.id, { key });
  const back = new URL(await press(app, body["url"], "cancel"));
  expect(back.pathname + back.search).toBe(`/pay/${booking.id}/balance?problem=canceled`);
});

test.each([
  [{ payer_name: "Nora Ames" }, "payer_email"],
  [{ payer_email: "nora@ames.example" }, "payer_name"],
  [{ payer_name: "Nora Ames", payer_email: "nora" }, "payer_email"],
  [{ ...ames, company: "Ames\nLtd" }, "company"],
  [{ ...ames, payer_name: "\u202eN\u200b" }, "payer_name"],
  [{ ...ames, tax_id: "1".repeat(41) }, "tax_id"],
])("startCheckout refuses invalid receipt details by field: %o", async (form, field) => {
  const { booking, key } = await owed();
  const { status, body } = await open(browser(app), booking.id, { key, ...form });
  expect(status).toBe(400);
  expect(body).toMatchObject({ data: { fields: [{ field }] } });
});
