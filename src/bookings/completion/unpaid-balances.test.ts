import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import {
  bookingRow,
  browser,
  dayAhead,
  emailsFor,
  emailText,
  follow,
  peopleOf,
  press,
} from "#test/harness/bookings.ts";
import { earliestAfter } from "#test/harness/clock/clock.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { sendBalanceReminders } from "../balance/balance-reminders.ts";
import { notifyContractSigned } from "../contract/contract-emails.ts";
import { completionTimes, unpaidBalanceTimes } from "../due.views.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { notifyStatusChanged } from "../event-emails/booking-emails.ts";
import { completeShows } from "../jobs.ts";
import { makePayLink } from "../links/pay-links.ts";
import { findSchedule } from "../stores/balance.store.ts";
import { endUnpaidBalances, requestUnpaidBalances } from "./unpaid-balances.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
const gateway = app.services.gateway;
afterEach(() => Object.assign(app.services, { gateway }));

const { artist, held, person } = peopleOf(() => app);
const withoutPayments = () => Object.assign(app.services, { gateway: null });

const balanceOf = async (account: string) => {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount), 0) as sum from ledger_entries where account = ${account}`.execute(app.database.db);
  return 0 - Number(rows[0]?.sum);
};

/** Returns a signed booking of a show in three days with an open balance. `scheduleBegun`: its balance schedule has begun. */
async function signed({ scheduleBegun = true, balance }: { scheduleBegun?: boolean; balance?: number } = {}) {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id });
  const made = { artist: act, status: "contract_signed" as const, eventDate: dayAhead(app, 3), now: app.clock.now() };
  const { booking, visitor } = await held({ ...made, balancePaid: false });
  if (balance !== undefined) {
    const fee = booking.deposit_cents + balance;
    await app.database.db
      .updateTable("bookings")
      .set({ balance_cents: balance, fee_cents: fee })
      .where("id", "=", booking.id)
      .execute();
  }
  if (scheduleBegun) await sendBalanceReminders(app.services);
  return { booking, visitor, act, player };
}

async function afterDays(days: number) {
  app.clock.advance(days * dayMs);
  await sendBalanceReminders(app.services);
  await completeShows(app.services);
  await requestUnpaidBalances(app.services);
  await requestUnpaidBalances(app.services);
  await endUnpaidBalances(app.services);
  await endUnpaidBalances(app.services);
}

const alarms = async (bookingId: string) =>
  (
    await app.database.db
      .selectFrom("messages")
      .select("text")
      .where("ref_id", "=", bookingId)
      .where("template", "=", "money_alarm")
      .execute()
  ).map(({ text }) => text);
const waiting = async () => {
  const response = await app.request("/api/admin/money-cases", {
    headers: await app.signIn((await person("admin")).user),
  });
  const { items } = (await response.json()) as { items: { kind: string }[] };
  return items.filter(({ kind }) => kind === "unpayable_balance").length;
};

test("a balance unpaid for 30 days is requested again a week before it ends the booking, and the artist's part of the deposit is released", async () => {
  const { booking, act, player } = await signed();
  const ends = booking.ends_at.getTime() + 30 * dayMs;
  const last = await earliestAfter(app, unpaidBalanceTimes, app.clock.now());
  expect(last).toEqual(new Date(ends - 7 * dayMs));
  const requests = async () => (await emailsFor(app, booking.id)).filter(({ template }) => template === "balance_ends");
  await afterDays(25);
  expect(await requests()).toEqual([]);
  await afterDays(7);
  const until = formatInstant(new Date(ends), booking.time_zone);
  const sent = await requests();
  expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set([booking.promoter_email, player.user.email]));
  expect(sent).toHaveLength(2);
  for (const { recipient, text } of sent) {
    const [link, term] =
      recipient === player.user.email
        ? [`/artist/bookings/${booking.id}`, `It can be paid until ${until}`]
        : [`/pay/${booking.id}/balance`, `Pay it by ${until}`];
    expect(text).toContain(link);
    expect(text.replaceAll(/\s+/g, " ")).toContain(term);
  }
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
  await afterDays(3);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "balance_unpaid" });
  expect(await balanceOf(`artist_payable:${act.id}`)).toBe(33_750);
  expect(await balanceOf(`held:${booking.id}`)).toBe(0);
});

test("a balance that was just paid does not end the booking before its event is applied", async () => {
  const { booking, act } = await signed();
  await app.database.transaction((tx) =>
    makePayment(tx, { bookingId: booking.id, kind: "balance", amount: booking.balance_cents, at: app.clock.now() }),
  );
  await afterDays(40);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
  expect(await balanceOf(`artist_payable:${act.id}`)).toBe(0);
});

test("a balance paid after the show is confirmed by emails that do not place the show ahead", async () => {
  const { booking, visitor, player } = await signed();
  await afterDays(5);
  const order = { bookingId: booking.id, isDeposit: false };
  const { body } = await visitor.json("/api/functions/create-checkout", order);
  await press(app, body["url"], "pay");
  await follow(app);
  const textTo = (recipient: string) => emailText(app, booking.id, "balance_received", recipient);
  expect(await textTo(booking.promoter_email)).not.toContain("See you");
  expect(await textTo(player.user.email)).toContain("You are paid once the show is confirmed.");
});

test("without a card provider the booking remains, and admins are notified once", async () => {
  await person("admin");
  withoutPayments();
  const { booking, act, visitor, player } = await signed();
  const page = async (at: ReturnType<typeof browser>) =>
    (await at.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  expect(await page(visitor)).toMatchObject({ balance_unpayable: "payments_not_set_up", can: { pay: null } });
  expect((await page(visitor)).money.parts.map(({ next }) => next)).toEqual(["balance_unpayable", "balance_then_show"]);
  expect((await page(visitor)).deadlines.map(({ kind }) => kind)).toEqual(["show_starts"]);
  const before = await waiting();
  await afterDays(40);
  const row = await bookingRow(app, booking.id);
  expect(row).toMatchObject({ status: "contract_signed", balance_unpayable_at: expect.any(Date) });
  expect(await balanceOf(`artist_payable:${act.id}`)).toBe(0);
  const [alarm, ...again] = [...new Set(await alarms(booking.id))];
  expect(alarm).toMatch(/cannot be paid on this site: payments are not set up/);
  expect(alarm).toMatch(/everything that was paid is refunded to the promoter/);
  expect(again).toEqual([]);
  expect(await waiting()).toBe(before + 1);
  // With payments set up again the promoter can pay, and the time before is no breach.
  Object.assign(app.services, { gateway });
  await afterDays(40);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed", version: row.version });
  expect((await page(browser(app, await app.signIn(player.user)))).balance_unpayable).toBeNull();
  expect((await page(visitor)).can.pay).toBe("balance");
  expect((await page(visitor)).money.parts.map(({ next, until }) => [next, until])).toEqual([
    ["balance_stays_open", null],
    ["balance_stays_open", null],
  ]);
});

test("a balance that is first requested late, because payments were set up late, has its 30 days, and so have its links", async () => {
  withoutPayments();
  const { booking, visitor } = await signed();
  const link = await app.database.transaction((tx) => makePayLink(tx, { booking, services: app.services }, "balance"));
  const key = new URL(link).searchParams.get("key") ?? "";
  const payer = browser(app);
  const linkState = async () =>
    (await payer.json("/api/bookings/pay-link", { bookingId: booking.id, kind: "balance", key })).body["state"];
  await afterDays(20);
  Object.assign(app.services, { gateway });
  await sendBalanceReminders(app.services);
  const schedule = await findSchedule(app.database.db, booking.id);
  const ends = schedule && new Date(schedule.started_at.getTime() + 30 * dayMs).toISOString();
  const { money } = (await visitor.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  expect(money.parts.map(({ next, until }) => [next, until])).toEqual([
    ["balance_or_end", ends],
    ["balance_or_end", ends],
  ]);
  await afterDays(20);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed", balance_unpayable_at: null });
  // The show was 37 days ago.
  expect(await linkState()).toBe("due");
  const opened = await payer.call(`/pay/${booking.id}/balance`, new URLSearchParams({ key }).toString(), {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
  expect(opened.status).toBe(200);
  await press(app, ((await opened.json()) as { url: string }).url, "cancel");
  await afterDays(31);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "balance_unpaid" });
  expect(await linkState()).toBe("ended");
});

test("a balance below the least card payment is never requested, and the booking is completed", async () => {
  const { booking, act, visitor } = await signed({ balance: 30 });
  const page = async () => (await visitor.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
  await afterDays(4);
  expect(await page()).toMatchObject({
    status: "contract_signed",
    balance_unpayable: "too_small",
    balance: null,
    can: { complete: true },
  });
  expect((await page()).money.parts.map(({ next }) => next)).toEqual(["balance_unpayable", "confirmation"]);
  expect(await earliestAfter(app, completionTimes, app.clock.now())).toEqual(
    new Date(booking.ends_at.getTime() + 2 * dayMs),
  );
  await afterDays(3);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "completed", balance_unpayable_at: null });
  expect(await balanceOf(`artist_payable:${act.id}`)).toBe(33_750);
  expect(await balanceOf(`held:${booking.id}`)).toBe(0);
  await afterDays(40);
  const steps = app.database.db.selectFrom("balance_steps").select("step").where("booking_id", "=", booking.id);
  expect(await steps.execute()).toEqual([]);
  expect(await alarms(booking.id)).toEqual([]);
});

test.each([
  ["payments are not set up", { balance: 112_500, off: true }, /Balance, cannot be paid on the site yet: \$1,125/],
  ["it is too small for a card", { balance: 30, off: false }, /Balance, paid directly: \$0\.30/],
  ["it can be paid", { balance: 112_500, off: false }, /Balance, due \d/],
])("the emails of a booking name a due day only for a payable balance: %s", async (_, { balance, off }, line) => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id });
  const made = { artist: act, status: "deposit_paid" as const, eventDate: dayAhead(app, 60), now: app.clock.now() };
  const { booking } = await held({ ...made, balancePaid: false });
  const { id: bookingId } = booking;
  await app.database.db
    .updateTable("bookings")
    .set({ balance_cents: balance, fee_cents: booking.deposit_cents + balance })
    .where("id", "=", bookingId)
    .execute();
  if (off) withoutPayments();
  await app.database.transaction(async (tx) => {
    const change = { bookingId, from: "initiated" as const, to: "deposit_paid" as const, by: "provider" as const };
    await notifyStatusChanged(tx, app.services, { ...change, cause: "deposit_paid" });
    await notifyContractSigned(tx, await emailContextOf(tx, app.services, bookingId));
  });
  const messages = app.database.db.selectFrom("messages").select(["template", "text"]).where("ref_id", "=", bookingId);
  const texts = await messages
    .where("template", "in", ["booking_confirmation", "deposit_received", "contract_signed"])
    .execute();
  expect(new Set(texts.map(({ template }) => template)).size).toBe(3);
  for (const { text } of texts) expect(text).toMatch(line);
});

test("sendBalanceReminders does not count a balance below the least card payment as work", async () => {
  await signed({ balance: 30 });
  const wake = vi.fn();
  const services = { ...app.services, wake };
  await sendBalanceReminders(services);
  expect(wake).not.toHaveBeenCalled();
  await signed({ scheduleBegun: false });
  await sendBalanceReminders(services);
  expect(wake).toHaveBeenCalledOnce();
});

test("without a card provider the artist cannot release the date for an unpaid balance", async () => {
  const { booking, player } = await signed();
  await app.database.db
    .updateTable("balance_schedules")
    .set({ last_step: "decision" })
    .where("booking_id", "=", booking.id)
    .execute();
  const owner = player.at;
  const release = () => owner.json(`/api/artist/bookings/${booking.id}/release-date`);
  expect((await release()).status).toBe(200);
  withoutPayments();
  const refused = await release();
  expect([refused.status, refused.body["message"]]).toEqual([409, expect.stringMatching(/^Payments are not set up/)]);
  const { body } = await owner.json(`/api/bookings/${booking.id}`);
  expect(body).toMatchObject({ can: { decide_balance: false } });
});

test("a balance whose payment is being recorded does not end the booking", async () => {
  const { booking, visitor } = await signed();
  app.clock.advance(40 * dayMs);
  const order = { bookingId: booking.id, isDeposit: false };
  expect((await visitor.json("/api/functions/create-checkout", order)).status).toBe(200);
  await overlapping(
    app,
    (tx) =>
      tx
        .updateTable("payments")
        .set({ checkout_state: "paid" })
        .where("booking_id", "=", booking.id)
        .where("kind", "=", "balance")
        .execute(),
    () => endUnpaidBalances(app.services),
  );
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
});
