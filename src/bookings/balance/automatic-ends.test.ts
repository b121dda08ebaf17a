import { afterAll, describe, expect, test } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { automaticCharges } from "#test/harness/automatic-charges.ts";
import { bookingRow, browser, dayAhead, emailsFor, follow, peopleOf, press, refunds } from "#test/harness/bookings.ts";
import { signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { documentsIn, issueDocuments } from "#test/harness/documents.ts";
import { openBalances } from "#test/harness/open-balances.ts";
import { chargeSavedCards, claimCharge, removeSavedCards, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { twoProcesses } from "#test/harness/two-processes.ts";
import type { TestApp } from "#test/test-app.ts";
import { endBooking } from "../cancellation/cancellation.ts";
import { sendContracts } from "../contract/sending.ts";
import { objectionStopsPayments } from "../rules/completion.rules.ts";
import { consentText } from "../rules/consent.rules.ts";
import { lockBooking } from "../store.ts";
import { sendBalanceReminders } from "./balance-reminders.ts";

let app: TestApp;
const apps = twoProcesses((first) => {
  app = first;
});
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { artist, person } = peopleOf(() => app);
const { signed, work, until, moveTo, morningBefore, charges, consents, cards } = automaticCharges(apps);
const { open: openLink, page, as } = openBalances(apps);
type Signed = Awaited<ReturnType<typeof signed>>;
type Browser = ReturnType<typeof browser>;

const artistOf = ({ player }: Signed) => as(player);

async function propose({ visitor, booking }: Signed, refund: number | null) {
  const { money } = await page(visitor, booking.id);
  const { status } = await visitor.json(`/api/bookings/${booking.id}/force-majeure`, {
    reason: "The hall is under water.",
    refund_cents: refund,
    expected_paid_cents: money.held_cents,
  });
  expect(status).toBe(200);
}
const emailsOf = async ({ booking }: Signed, template: string) =>
  (await emailsFor(app, booking.id)).filter((email) => email.template === template);
async function answer(made: Signed, choice: { accept: boolean; shown?: number }) {
  const at = await artistOf(made);
  const { force_majeure: open } = await page(at, made.booking.id);
  return at.json(`/api/bookings/${made.booking.id}/force-majeure/answer`, {
    proposal_id: open?.proposal?.id ?? made.booking.id,
    accept: choice.accept,
    expected_refund_cents: choice.shown ?? open?.proposal?.refund_cents ?? 0,
  });
}
const accept = (made: Signed, shown?: number) =>
  answer(made, { accept: true, ...(shown === undefined ? {} : { shown }) });
const refuse = (made: Signed) => answer(made, { accept: false });
async function beforeCharge() {
  const made = await signed();
  await work();
  await until(await morningBefore(made.booking.id, 29));
  expect(await charges(made.booking.id)).toEqual([]);
  return made;
}

/** Returns a booking whose charge is reserved and not yet sent to the provider. */
async function atDue() {
  const made = await signed();
  await work();
  moveTo(await morningBefore(made.booking.id, 28));
  await work([sendBalanceReminders]);
  return made;
}

/** Claims the reserved charge as another process that calls the provider. */
async function callElsewhere() {
  const now = app.clock.now();
  await app.database.transaction((tx) => claimCharge(tx, { now, seconds: 600, nextTry: () => now }));
  const payments = app.database.db.updateTable("payments").where("way", "=", "saved_card");
  return { end: () => payments.set({ lease_until: null }).execute() };
}

describe("an end by agreement and the automatic charge", () => {
  test("plans the charge again once the proposal is refused, and names it to the promoter only", async () => {
    const made = await beforeCharge();
    await propose(made, null);
    expect((await accept(made, 1)).status).toBe(409);
    expect((await page(made.visitor, made.booking.id)).automatic_payment).toBeNull();
    expect((await refuse(made)).status).toBe(200);
    expect((await page(made.visitor, made.booking.id)).automatic_payment).toMatchObject({ state: "planned" });
    await app.settle();
    const sent = await emailsOf(made, "force_majeure");
    expect(sent.filter(({ text }) => text.includes("will be charged to Visa"))).toMatchObject([
      { recipient: made.booking["promoter_email"] },
    ]);
    await until(await morningBefore(made.booking.id, 28));
    expect((await charges(made.booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
  });

  test("requests the balance instead of charging the card if a proposal is open on the due day", async () => {
    const made = await beforeCharge();
    await propose(made, null);
    await until(await morningBefore(made.booking.id, 28));
    expect((await refuse(made)).status).toBe(200);
    for (const days of [27, 25]) await until(await morningBefore(made.booking.id, days));
    expect(await charges(made.booking.id)).toEqual([]);
    const [requested, ...others] = await emailsOf(made, "balance_due");
    expect([requested?.text.replaceAll("\n", " "), others]).toEqual([
      expect.stringContaining("Your saved card is not charged: pay the balance here."),
      [],
    ]);
  });

  test("refuses to accept a division proposed before the card was charged", async () => {
    const made = await atDue();
    await propose(made, 10_000);
    await work();
    expect((await charges(made.booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect((await accept(made)).status).toBe(409);
    expect((await bookingRow(app, made.booking.id)).status).toBe("contract_signed");
  });

  test("ends the consent, charges nothing and removes the card when accepted before the charge is due", async () => {
    const made = await beforeCharge();
    await propose(made, null);
    expect((await accept(made)).status).toBe(200);
    await until(await morningBefore(made.booking.id, 28));
    await work([removeSavedCards]);
    expect(await charges(made.booking.id)).toEqual([]);
    expect((await cards(made.booking.id)).map(({ removed_at }) => removed_at !== null)).toEqual([true]);
  });

  test("charges nothing when accepted between the reservation of the charge and the provider call", async () => {
    const made = await atDue();
    await propose(made, null);
    expect((await accept(made)).status).toBe(200);
    await work();
    expect((await charges(made.booking.id)).map(({ checkout_state }) => checkout_state)).toEqual(["closed"]);
    expect((await refunds(app, made.booking.id)).map(({ amount }) => amount)).toEqual([
      (await bookingRow(app, made.booking.id)).deposit_cents,
    ]);
  });

  test("refuses the acceptance (409) while another process requests the charge", async () => {
    const made = await atDue();
    await propose(made, null);
    const call = await callElsewhere();
    expect((await accept(made)).status).toBe(409);
    await call.end();
    await work();
    expect((await accept(made)).status).toBe(200);
    await submitRefunds(app.services);
    await follow(app);
    const { money } = await page(made.visitor, made.booking.id);
    expect(money.parts.map(({ held_by, cents }) => [held_by, cents])).toEqual([["promoter", 150_000]]);
  });
});

test("an open objection to the signature stops every payment of the balance until the decision", async () => {
  const made = await signed();
  const { booking, visitor } = made;
  const at = await artistOf(made);
  const link = () => at.json(`/api/artist/bookings/${booking.id}/balance-link`, {});
  const checkout = () => visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
  const payLink = String((await link()).body["url"]);
  expect((await checkout()).status).toBe(200);
  const objection = { reason: "I never signed this paper." };
  const objected = await visitor.json(`/api/bookings/${booking.id}/object-to-attestation`, objection);
  expect(objected.status, JSON.stringify(objected.body)).toBe(200);
  const balances = app.database.db
    .selectFrom("payments")
    .select(["checkout_state", "description"])
    .where("booking_id", "=", booking.id);
  expect(await balances.where("kind", "=", "balance").execute()).toEqual([
    { checkout_state: "closed", description: expect.not.stringContaining("full refund") },
  ]);
  const stopped = { status: 409, body: { message: objectionStopsPayments } };
  expect(await checkout()).toMatchObject(stopped);
  expect(await openLink(payLink)).toMatchObject(stopped);
  expect(await link()).toMatchObject(stopped);
  expect((await page(visitor, booking.id)).can.pay).toBeNull();
  expect((await page(at, booking.id)).can.create_balance_link).toBe(false);
  for (const days of [29, 28, 21, 10]) await until(await morningBefore(booking.id, days));
  for (const viewer of [visitor, await artistOf(made)]) {
    const { balance, deadlines } = await page(viewer, booking.id);
    expect(balance).toMatchObject({ overdue: false, artist_decides: false });
    expect(deadlines.map(({ kind }) => kind)).toEqual(["show_starts"]);
  }
  expect(await charges(booking.id)).toEqual([]);
  expect((await emailsFor(app, booking.id)).filter(({ template }) => template.startsWith("balance"))).toEqual([]);
  const admin = await person("admin");
  const reason = "The paper bears the promoter's own signature.";
  const decided = await admin.at.json(`/api/admin/bookings/${booking.id}/decide-objection`, {
    decision: "upheld",
    reason,
  });
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  expect((await page(visitor, booking.id)).can.pay).toBe("balance");
  // The agreed day of the charge is over, so the balance is requested by email instead.
  await until(new Date(app.clock.now().getTime() + hourMs));
  await work();
  expect(await charges(booking.id)).toEqual([]);
  expect(await emailsOf(made, "balance_due")).toHaveLength(1);
  const { automatic_payment: charge, balance } = await page(visitor, booking.id);
  expect([charge, balance?.overdue]).toEqual([null, false]);
});

test("extendBalance does not charge the declined card again", async () => {
  const made = await signed({ later: "card_declined" });
  await work();
  await until(await morningBefore(made.booking.id, 28));
  expect((await charges(made.booking.id)).map(({ status }) => status)).toEqual(["failed"]);
  for (let day = 27; day >= 13; day--) await until(await morningBefore(made.booking.id, day));
  const at = await artistOf(made);
  const { event_date } = await bookingRow(app, made.booking.id);
  const dueDay = new Date(Date.parse(`${event_date}T12:00:00Z`) - 5 * dayMs).toISOString().slice(0, 10);
  const extended = await at.json(`/api/artist/bookings/${made.booking.id}/extend-balance`, { due_day: dueDay });
  expect(extended.status, JSON.stringify(extended.body)).toBe(200);
  expect((await page(made.visitor, made.booking.id)).automatic_payment).toBeNull();
  for (let day = 12; day >= 3; day--) await until(await morningBefore(made.booking.id, day));
  expect(await charges(made.booking.id)).toHaveLength(1);
});

async function free() {
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id });
  await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { requireDeposit: false }, user.id));
  return { act, at };
}

describe("a request without a deposit", () => {
  test("offers no automatic charge and refuses a consent to it, because no card is saved", async () => {
    const { act } = await free();
    const visitor = browser(app);
    const eventDate = dayAhead(app, 60);
    const checked = await visitor.check({ artistId: act.slug, eventDate, eventTime: "20:30" });
    expect(checked.body).toMatchObject({ checkout: "no_deposit", balance_consent: null });
    const dueDay = dayAhead(app, 32);
    const text = consentText({ amount: act.base_rate, currency: "usd", dueDay });
    const requested = await visitor.requestBooking({ artistId: act.slug, eventDate, balanceConsent: text });
    expect(requested.status).toBe(409);
    expect(
      await app.database.db.selectFrom("balance_consents").selectAll().where("due_day", "=", dueDay).execute(),
    ).toEqual([]);
  });
});

describe("receipts", () => {
  const receiptsOf = async (id: string) => {
    await issueDocuments(app.services);
    return (await documentsIn(app.database.db, id)).map(({ kind, gross, details }) => {
      const { lines } = details as { lines: { label: string }[] };
      return [kind, gross, lines[0]?.label.split(" ")[0]];
    });
  };

  test("are issued for the deposit and the balance of an automatic charge", async () => {
    const made = await beforeCharge();
    await until(await morningBefore(made.booking.id, 28));
    expect(await receiptsOf(made.booking.id)).toEqual([
      ["receipt", 37_500, "Deposit"],
      ["receipt", 112_500, "Balance"],
    ]);
  });

  test("are issued once, for the whole price as the balance, without a deposit", async () => {
    const { act, at } = await free();
    const visitor = browser(app);
    const { body: booking } = await visitor.requestBooking({ artistId: act.slug, eventDate: dayAhead(app, 70) });
    expect((await at.json(`/api/artist/bookings/${booking.id}/accept`, {})).status).toBe(200);
    await app.settle();
    await sendContracts(app.services);
    await app.settle();
    const { promoter, artist_token } = await tokensOf(app, booking.id);
    const signing = signingCalls(app);
    for (const token of [promoter, artist_token]) await signing.openAndSign(token);
    await app.settle();
    await work();
    expect(await charges(booking.id)).toEqual([]);
    const balance = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    await press(app, balance.body["url"], "pay");
    expect(await receiptsOf(booking.id)).toEqual([["receipt", act.base_rate, "Balance"]]);
  });
});

describe("canceling around a charge", () => {
  const cancel = async (visitor: Browser, id: string) => {
    const { body } = await visitor.json(`/api/bookings/${id}/cancellation`);
    const expected = { code: "plans_changed", note: "", expected_refund_cents: body["refund_cents"] };
    return visitor.json(`/api/bookings/${id}/cancel`, expected);
  };

  test("before the provider call charges nothing and removes the card", async () => {
    const { booking, visitor } = await atDue();
    expect((await cancel(visitor, booking.id)).status).toBe(200);
    await work([chargeSavedCards, removeSavedCards]);
    expect((await charges(booking.id)).map(({ checkout_state }) => checkout_state)).toEqual(["closed"]);
    expect((await cards(booking.id)).map(({ removed_at }) => removed_at !== null)).toEqual([true]);
    expect((await consents(booking.id)).map(({ withdrawn_by }) => withdrawn_by)).toEqual(["end"]);
  });

  test("during the provider call is refused (409) until the outcome of the charge is known", async () => {
    const { booking, visitor } = await atDue();
    const call = await callElsewhere();
    const refused = await cancel(visitor, booking.id);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/being charged/) as string } });
    await call.end();
    await work();
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
    expect((await cancel(visitor, booking.id)).status).toBe(200);
    await follow(app);
    expect((await bookingRow(app, booking.id)).status).toBe("canceled");
  });

  test("by the system between the call and its webhook refunds the whole balance", async () => {
    const { booking } = await atDue();
    await chargeSavedCards(app.services);
    await app.database.transaction(async (tx) => {
      const locked = await lockBooking(tx, booking.id);
      if (!locked) throw new Error("the booking is there");
      const end = { by: "system", code: "contract_declined", fault: "nobody", now: app.clock.now() } as const;
      await endBooking(tx, locked, end);
    });
    await follow(app);
    const row = await bookingRow(app, booking.id);
    expect(row).toMatchObject({ status: "canceled", balance_paid_at: null });
    const sums = (await refunds(app, booking.id)).map(({ amount }) => amount).toSorted((a, b) => a - b);
    expect(sums).toEqual([row.deposit_cents, row.balance_cents]);
  });
});

test("the emails and the success page name the planned charge to the promoter, and the artist's emails omit the card", async () => {
  const { booking, visitor, player } = await signed();
  const templates = ["booking_confirmation", "contract_attested", "deposit_received"];
  const emails = (await emailsFor(app, booking.id)).filter(({ template }) => templates.includes(template));
  const of = (recipient: string) => emails.filter((one) => one.recipient === recipient);
  const mine = of(String(booking["promoter_email"]));
  expect(mine.map(({ template }) => template).toSorted()).toEqual(templates);
  for (const { text } of mine) expect(text).toMatch(/Balance, charged to Visa ···4242 on /);
  for (const { text } of of(player.user.email)) expect(text).not.toContain("Visa");
  const { session } = await app.database.db
    .selectFrom("payments")
    .select("provider_ref as session")
    .where("booking_id", "=", String(booking.id))
    .executeTakeFirstOrThrow();
  const { body } = await visitor.json(`/api/bookings/by-session/${session}`);
  expect(body).toMatchObject({ found: true, automatic_payment: { state: "planned", card: "Visa ···4242" } });
});
