import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addDays } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import { bookingRow, dayAhead, follow, refunds } from "#test/harness/bookings.ts";
import { linkOf, openBalances } from "#test/harness/open-balances.ts";
import { twoProcesses } from "#test/harness/two-processes.ts";
import type { TestApp } from "#test/test-app.ts";
import { objectionStopsPayments } from "../rules/completion.rules.ts";

let app: TestApp;
const apps = twoProcesses((first) => {
  app = first;
});

const { signed, later, noonBefore, emails, subjects, page, as } = openBalances(apps);

describe("the artist's decision about an unpaid balance", () => {
  const decisionOf = async (daysAhead = 60, given = {}) => {
    const made = await signed(daysAhead, given);
    await later(0);
    await noonBefore(made.booking, 11);
    await noonBefore(made.booking, 10);
    return made;
  };

  test("is refused (409) before the end of the reminders", async () => {
    const { booking, player } = await signed(60);
    await later(0);
    const early = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/extend-balance`, {
      due_day: dayAhead(app, 50),
    });
    expect([early.status, early.body["message"]]).toEqual([409, "The promoter still has time to pay the balance."]);
    expect((await (await as(player)).json(`/api/artist/bookings/${booking.id}/release-date`)).status).toBe(409);
    expect(
      (await (await as(player)).json(`/api/artist/bookings/${booking.id}/release-date`, { expected_refund_cents: 0 }))
        .status,
    ).toBe(409);
  });

  test("extends the due date with its own reminders, and is requested again after them", async () => {
    const { booking, player, visitor } = await decisionOf();
    const { balance } = await page(await as(player), booking.id);
    expect(balance?.extend).toEqual({ from: dayAhead(app, 0), to: addDays(booking.event_date, -1) });
    const day = dayAhead(app, 3);
    const late = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/extend-balance`, { due_day: booking.event_date });
    expect(late.status).toBe(400);
    const { status } = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/extend-balance`, { due_day: day });
    expect(status).toBe(200);
    await app.settle();
    const extended = (await emails(booking.id)).at(-1);
    expect(extended?.template).toBe("balance_extended");
    const key = new URL(linkOf(extended?.text ?? "")).searchParams.get("key");
    const link = await visitor.json("/api/bookings/pay-link", { bookingId: booking.id, kind: "balance", key });
    expect(link.body).toMatchObject({ state: "due", pay_by: day });
    const read = await page(visitor, booking.id);
    expect(read.balance).toMatchObject({ overdue: false, extended: true, artist_decides: false });
    expect(read.money.balance_due).toBe(day);
    const before = (await emails(booking.id)).length;
    await noonBefore(booking, 7);
    expect((await emails(booking.id)).slice(before).map(({ template }) => template)).toEqual(["balance_due"]);
    for (let days = 6; days >= 1; days--) await noonBefore(booking, days);
    expect((await emails(booking.id)).slice(before).map(({ template }) => template)).toEqual([
      "balance_due",
      "balance_overdue",
      "balance_overdue",
      "balance_overdue",
      "balance_decision",
    ]);
    expect((await page(await as(player), booking.id)).balance).toMatchObject({ artist_decides: true });
  });

  test("releases the date with the same refund as the promoter's cancellation, and ends no checkout for other amounts", async () => {
    const { booking, player, visitor } = await decisionOf(60, { paid: true });
    const checkout = { bookingId: booking.id, isDeposit: false };
    const opened = await visitor.json("/api/functions/create-checkout", checkout);
    const theirs = (await visitor.json(`/api/bookings/${booking.id}/cancellation`)).body;
    const mine = (await (await as(player)).json(`/api/artist/bookings/${booking.id}/release-date`)).body;
    expect(mine["refund_cents"]).toBe(theirs["refund_cents"]);
    const keeps = Number(mine["artist_keeps_cents"]) + Number(mine["commission_cents"]);
    expect(keeps).toBe(theirs["artist_keeps_cents"]);
    expect(keeps).toBeGreaterThan(0);
    const expected = Number(mine["refund_cents"]);
    const wrong = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/release-date`, {
      expected_refund_cents: expected + 1,
    });
    expect(wrong.status).toBe(409);
    const again = await visitor.json("/api/functions/create-checkout", checkout);
    expect([again.status, again.body["url"]]).toEqual([200, opened.body["url"]]);
    const { status } = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/release-date`, {
      expected_refund_cents: expected,
    });
    expect(status).toBe(200);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({
      status: "canceled",
      canceled_by: "artist",
      cancel_code: "balance_unpaid",
    });
    expect((await refunds(app, booking.id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(expected);
    const before = await subjects(booking.id);
    await later(dayMs);
    expect(await subjects(booking.id)).toEqual(before);
  });

  test("is refused (409) while an objection to the signature is open", async () => {
    const { booking, player } = await decisionOf(60, { paid: true });
    const at = await as(player);
    const release = `/api/artist/bookings/${booking.id}/release-date`;
    const { body } = await at.json(release);
    await sql`insert into contract_objections (contract_id, side, reason, made_at)
      select id, 'promoter', 'I never signed this.', ${app.clock.now()} from contracts where booking_id = ${booking.id}`.execute(
      app.database.db,
    );
    const stopped = { status: 409, body: { message: objectionStopsPayments } };
    expect(await at.json(release)).toMatchObject(stopped);
    expect(await at.json(release, { expected_refund_cents: body["refund_cents"] })).toMatchObject(stopped);
    const extension = { due_day: dayAhead(app, 3) };
    expect(await at.json(`/api/artist/bookings/${booking.id}/extend-balance`, extension)).toMatchObject(stopped);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
  });

  test("cannot be sent as the reason of an ordinary cancellation", async () => {
    const { booking, player } = await signed(60);
    const { status } = await (
      await as(player)
    ).json(`/api/bookings/${booking.id}/cancel`, {
      code: "balance_unpaid",
      expected_refund_cents: 0,
    });
    expect(status).toBe(400);
  });

  test("refuses the release (409) after the provider took the balance, before the booking is marked as paid", async () => {
    const { booking, player, visitor } = await decisionOf(60, { paid: true });
    const { body } = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    const page = new URL(String(body["url"])).pathname;
    await app.server.inject({ method: "POST", url: `${page}/pay` });
    await app.services.sandbox?.settle();
    await processEvents(app.services);
    expect((await bookingRow(app, booking.id)).balance_paid_at).toBeNull();
    const their = await as(player);
    const address = `/api/artist/bookings/${booking.id}/release-date`;
    expect((await their.json(address)).status).toBe(409);
    const refused = await their.json(address, { expected_refund_cents: 0 });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^A payment has just arrived/) },
    });
    await follow(app);
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
  });

  test("refuses the release (409) when the promoter has just paid, and the booking remains active", async () => {
    const { booking, player, visitor } = await decisionOf(60, { paid: true });
    const { body } = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: false });
    const page = new URL(String(body["url"])).pathname;
    await app.server.inject({ method: "POST", url: `${page}/pay` });
    const { status } = await (
      await as(player)
    ).json(`/api/artist/bookings/${booking.id}/release-date`, {
      expected_refund_cents: 0,
    });
    expect(status).toBe(409);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
    expect((await bookingRow(app, booking.id)).balance_paid_at).not.toBeNull();
  });
});
