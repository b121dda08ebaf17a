import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { automaticCharges } from "#test/harness/automatic-charges.ts";
import {
  bookingRow,
  browser,
  dayAhead,
  emailsFor,
  emailText,
  follow,
  peopleOf,
  press,
  refunds,
} from "#test/harness/bookings.ts";
import { bankOf } from "#test/harness/disputes.ts";
import { linkOf, openBalances } from "#test/harness/open-balances.ts";
import { removeSavedCards } from "#test/harness/payment-work.ts";
import { twoProcesses } from "#test/harness/two-processes.ts";
import type { TestApp } from "#test/test-app.ts";
import { collectEvidence } from "../disputes/evidence.ts";
import { requireBooking } from "../store.ts";
import { sendBalanceReminders } from "./balance-reminders.ts";

let app: TestApp;
const apps = twoProcesses((first) => {
  app = first;
});

const { person } = peopleOf(() => app);
type Browser = ReturnType<typeof browser>;
const { requested, deposited, signed, work, until, morningBefore, charges, consents, cards } = automaticCharges(apps);
const { open: openLink, page } = openBalances(apps);

const templates = async (id: string) =>
  (await emailsFor(app, id)).map(({ template }) => template).filter((template) => template.startsWith("balance"));

describe("the consent", () => {
  test("is stored with its exact text, time, network address, browser, amount and due day", async () => {
    const { booking, text } = await requested();
    expect(text).toMatch(
      /^Charge the balance of \$[\d,.]+ automatically to the card that pays the deposit, on \w+day \d+ \w+ 202\d/,
    );
    const [consent] = await consents(booking.id);
    const row = await bookingRow(app, booking.id);
    expect(consent).toMatchObject({
      text,
      text_version: 1,
      amount_cents: row.balance_cents,
      currency: "usd",
      due_day: dayAhead(app, 32),
      user_agent: "Test Browser 1.0",
      withdrawn_at: null,
    });
    expect(consent?.address).not.toBe("");
    expect(consent?.given_at.getTime()).toBeLessThanOrEqual(app.clock.now().getTime());
  });

  test("is not stored without the checkbox", async () => {
    const { booking, visitor } = await deposited({ consent: false });
    expect(await consents(booking.id)).toEqual([]);
    expect(await cards(booking.id)).toEqual([]);
    expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
  });

  test.each(["Charge the balance of $1 automatically.", "yes", ""])("refuses any other text: %j", async (words) => {
    const { form, visitor } = await requested({ consent: false });
    const { status } = await visitor.requestBooking({ ...form, eventTime: "21:00", balanceConsent: words });
    expect(status).toBe(words === "" ? 201 : 409);
  });

  test("is withdrawn when the same request is sent without it, and can be given again", async () => {
    const { form, text, visitor, booking } = await requested();
    expect((await visitor.requestBooking(form)).body.id).toBe(booking.id);
    expect((await consents(booking.id)).map(({ withdrawn_by }) => withdrawn_by)).toEqual(["form"]);
    await visitor.requestBooking({ ...form, balanceConsent: text });
    const given = await consents(booking.id);
    expect([given.length, given.filter(({ withdrawn_at }) => withdrawn_at === null).length]).toEqual([2, 1]);
    await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
    expect(await cards(booking.id)).toHaveLength(1);
  });

  test("cannot be changed by another browser", async () => {
    const { form, booking } = await requested();
    await browser(app).requestBooking(form);
    expect((await consents(booking.id)).map(({ withdrawn_at }) => withdrawn_at)).toEqual([null]);
  });

  test("displays the card and the hour to the promoter and admins, and nothing to the artist", async () => {
    const { booking, visitor, player } = await deposited();
    expect((await page(visitor, booking.id)).automatic_payment).toMatchObject({
      state: "planned",
      card: "Visa ···4242",
      charge: { day: dayAhead(app, 32), time: "09:00" },
      can_withdraw: true,
    });
    const admin = await person("admin");
    expect((await page(admin.at, booking.id)).automatic_payment).toMatchObject({ can_withdraw: false });
    expect((await page(player.at, booking.id)).automatic_payment).toBeNull();
  });
});

describe("withdrawConsent", () => {
  const withdraw = (at: Browser, id: string) => at.json(`/api/bookings/${id}/withdraw-automatic-payment`, {});

  test("ends the charge, removes the card at the provider and requests the balance by email", async () => {
    const { booking, visitor, player } = await signed();
    expect((await withdraw(player.at, booking.id)).status).toBe(404);
    expect((await withdraw(visitor, booking.id)).status).toBe(200);
    expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
    await work([removeSavedCards]);
    expect((await cards(booking.id)).map(({ removed_at }) => removed_at !== null)).toEqual([true]);
    expect((await withdraw(visitor, booking.id)).status).toBe(409);
    await work();
    await until(await morningBefore(booking.id, 28));
    expect(await charges(booking.id)).toEqual([]);
    expect(await templates(booking.id)).toEqual(["balance_due"]);
  });

  test("removes the card that a later deposit saves", async () => {
    const { booking, visitor } = await requested();
    const url = (await visitor.checkout(booking)).body["checkout_url"];
    expect((await withdraw(visitor, booking.id)).status).toBe(200);
    await press(app, url, "pay");
    await work([removeSavedCards]);
    expect((await cards(booking.id)).every(({ removed_at }) => removed_at !== null)).toBe(true);
    expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
  });

  test("stops a reserved charge before the provider call", async () => {
    const { booking, visitor } = await signed();
    await work();
    app.clock.advance((await morningBefore(booking.id, 28)).getTime() - app.clock.now().getTime());
    await work([sendBalanceReminders]);
    expect((await charges(booking.id)).map(({ checkout_state }) => checkout_state)).toEqual(["reserved"]);
    expect((await page(visitor, booking.id)).automatic_payment).toMatchObject({
      state: "charging",
      can_withdraw: false,
    });
    expect((await withdraw(visitor, booking.id)).status).toBe(200);
    await work();
    expect((await charges(booking.id)).map(({ checkout_state }) => checkout_state)).toEqual(["closed"]);
    expect((await bookingRow(app, booking.id)).balance_paid_at).toBeNull();
  });
});

describe("the charge", () => {
  test("is announced a week before, is made on the due day instead of a payment request, and notifies both parties", async () => {
    const { booking, visitor, player } = await signed();
    await work();
    await until(await morningBefore(booking.id, 35));
    expect(await templates(booking.id)).toEqual(["balance_charge_planned"]);
    const planned = await emailText(app, booking.id, "balance_charge_planned");
    expect(planned).toContain("will be charged to Visa ···4242 on");
    await until(new Date((await morningBefore(booking.id, 28)).getTime() - 60_000));
    expect(await charges(booking.id)).toEqual([]);
    await until(await morningBefore(booking.id, 28));
    expect((await charges(booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect((await templates(booking.id)).toSorted()).toEqual([
      "balance_charge_planned",
      "balance_received",
      "balance_received",
    ]);
    const shown = await page(visitor, booking.id);
    expect(shown).toMatchObject({ balance_paid: true, automatic_payment: null });
    expect(shown.timeline.map(({ text: line }) => line)).toContain("Automatic charge of the balance requested");
    const [consent] = await consents(booking.id);
    const { provider_payment: providerPayment } = await app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("booking_id", "=", booking.id)
      .where("kind", "=", "balance")
      .executeTakeFirstOrThrow();
    const { texts } = await collectEvidence(app.database.db, await requireBooking(app.database.db, booking.id), {
      providerPayment: providerPayment ?? "",
      note: "",
      now: app.clock.now(),
    });
    for (const given of [consent?.text, `from ${consent?.address}`, "Test Browser 1.0"])
      expect(texts["uncategorized_text"]).toContain(given);
    const their = browser(app, await app.signIn(player.user));
    expect((await page(their, booking.id)).timeline.map(({ text: line }) => line)).not.toContain(
      "Automatic charge of the balance requested",
    );
    await work([removeSavedCards]);
    expect((await cards(booking.id)).map(({ removed_at }) => removed_at !== null)).toEqual([true]);
    await until(await morningBefore(booking.id, 14));
    expect(await charges(booking.id)).toHaveLength(1);
    expect(await templates(booking.id)).toHaveLength(3);
  });

  test("is made immediately after the signatures for an event in 20 days", async () => {
    const { booking } = await signed({ daysAhead: 20 });
    await work();
    expect((await charges(booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect(await templates(booking.id)).toEqual(["balance_received", "balance_received"]);
  });

  test("is made after an outage on the due day", async () => {
    const { booking } = await signed();
    await work();
    await until(await morningBefore(booking.id, 26));
    expect((await charges(booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect(await templates(booking.id)).not.toContain("balance_overdue");
  });

  test.each([
    ["card_declined", "Your bank declined the charge."],
    ["authentication_required", "Your bank requires you to confirm this payment yourself"],
    ["expired_card", "The card has expired."],
  ])("that fails with %s sends the reason and a payment link, and the reminders continue", async (later, why) => {
    const { booking, visitor } = await signed({ later });
    await work();
    await until(await morningBefore(booking.id, 28));
    expect(await templates(booking.id)).toEqual(["balance_charge_failed"]);
    const text = await emailText(app, booking.id, "balance_charge_failed");
    expect(text).toContain(why);
    expect(await page(visitor, booking.id)).toMatchObject({
      automatic_payment: null,
      balance: { charge_declined: true },
    });
    await until(await morningBefore(booking.id, 27));
    expect(await templates(booking.id)).toEqual(["balance_charge_failed", "balance_overdue"]);
    expect(await charges(booking.id)).toHaveLength(1);
    await press(app, (await openLink(linkOf(text ?? ""))).body.url, "pay");
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
  });

  test("waits while the promoter's checkout is open, and is not made after they paid there", async () => {
    const { booking, visitor } = await signed();
    await work();
    app.clock.advance((await morningBefore(booking.id, 28)).getTime() - app.clock.now().getTime() - 60_000);
    const { body } = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    await until(await morningBefore(booking.id, 28));
    expect(await charges(booking.id)).toEqual([]);
    await press(app, body["url"], "pay");
    app.clock.advance(hourMs);
    await work();
    expect(await charges(booking.id)).toEqual([]);
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
  });

  test("waits while the promoter's checkout is open, and is made after it expired", async () => {
    const { booking, visitor } = await signed();
    await work();
    app.clock.advance((await morningBefore(booking.id, 28)).getTime() - app.clock.now().getTime() - 60_000);
    await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    await until(await morningBefore(booking.id, 28));
    app.clock.advance(hourMs);
    await follow(app);
    await work();
    expect((await charges(booking.id)).map(({ status }) => status)).toEqual(["succeeded"]);
  });

  test("is closed by the promoter's own checkout before the provider call, and nothing is paid twice", async () => {
    const { booking, visitor } = await signed();
    await work();
    app.clock.advance((await morningBefore(booking.id, 28)).getTime() - app.clock.now().getTime());
    await work([sendBalanceReminders]);
    const { status, body } = await visitor.json("/api/functions/create-checkout", {
      bookingId: booking.id,
      isDeposit: false,
    });
    expect(status).toBe(200);
    await work();
    await press(app, body["url"], "pay");
    expect((await charges(booking.id)).map(({ status: state }) => state)).toEqual(["failed"]);
    expect(await refunds(app, booking.id)).toEqual([]);
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
  });

  test("is not made while a payment of the booking is disputed, and the balance is requested", async () => {
    const { booking, visitor } = await signed();
    const deposit = await app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("booking_id", "=", booking.id)
      .executeTakeFirstOrThrow();
    const now = app.clock.now();
    const payload = JSON.stringify({ id: "evt_1", objectId: "dp_1", paymentRef: deposit.provider_payment });
    await app.database.db
      .insertInto("provider_events")
      .values({
        id: `evt_${booking.id}`,
        provider: "sandbox",
        type: "charge.dispute.created",
        object_id: `dp_${booking.id}`,
        payload: payload as never,
        received_at: now,
        next_try_at: now,
        dead_at: now,
      })
      .execute();
    expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
    await work();
    await until(await morningBefore(booking.id, 28));
    expect(await charges(booking.id)).toEqual([]);
    expect(await templates(booking.id)).toEqual(["balance_due"]);
  });

  test.each(["lose", "win"])(
    "is not made after the payer disputed the deposit (%s), which ends the consent",
    async (end) => {
      const { booking, visitor } = await signed();
      const { payment, dispute } = bankOf(app, booking.id);
      await payment("inquiry");
      expect((await consents(booking.id)).map(({ withdrawn_by }) => withdrawn_by)).toEqual([null]);
      // The inquiry becomes a dispute, which is decided later.
      await dispute("lose");
      expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
      expect((await consents(booking.id)).map(({ withdrawn_by }) => withdrawn_by)).toEqual(["end"]);
      await dispute(end);
      await work([removeSavedCards]);
      expect((await cards(booking.id)).map(({ removed_at }) => removed_at !== null)).toEqual([true]);
      await until(await morningBefore(booking.id, 28));
      expect(await charges(booking.id)).toEqual([]);
      expect(await templates(booking.id)).toEqual(["balance_due"]);
    },
  );

  test("is not planned after a lost dispute whose event is not handled yet", async () => {
    const { booking, visitor } = await signed();
    const { payment, dispute } = bankOf(app, booking.id);
    await payment("inquiry");
    await app.database.db
      .updateTable("disputes")
      .set({ status: "lost", closed_at: app.clock.now() })
      .where("booking_id", "=", booking.id)
      .execute();
    expect((await page(visitor, booking.id)).automatic_payment).toBeNull();
    await app.database.db
      .updateTable("disputes")
      .set({ status: "warning_needs_response", closed_at: null })
      .where("booking_id", "=", booking.id)
      .execute();
    await dispute("win");
    expect((await page(visitor, booking.id)).automatic_payment).not.toBeNull();
  });
});
