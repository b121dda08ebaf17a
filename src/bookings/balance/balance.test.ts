/** The balance is asked for by the clock, paid by whoever has the link, or decided about by the artist. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingRow, browser, dayAhead, follow, peopleOf, press, refunds } from "#test/harness/bookings.ts";
import { attestSignatures } from "#test/harness/contracts.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { processEvents } from "#payments/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { promoterSettings, savePromoterSettings } from "#settings/index.ts";
import type { BookingPage } from "../api.ts";
import { sendContract } from "../contract/sending.ts";
import { askForBalances } from "./asking.ts";

let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  // 21 November 2026, 6:00 in Austin.
  app = await testApp({ now: new Date("2026-11-21T12:00:00Z") });
  second = await testApp({ beside: app });
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const { artist, person, held } = peopleOf(() => app);
type Browser = ReturnType<typeof browser>;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A booking that both have signed, its browser, and the account of its artist. `paid`: through the provider, so that it can go back. */
async function signed(daysAhead: number, given: { paid?: boolean } = {}) {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id });
  const made = {
    artist: act,
    eventDate: dayAhead(app, daysAhead),
    eventTime: "20:00",
    now: app.clock.now(),
    createdAt: app.clock.now(),
  };
  if (!given.paid) return { ...(await held({ ...made, status: "contract_signed" })), player, act };
  const { booking, visitor } = await held(made);
  await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  await sendContract(app.services, booking.id);
  await attest(booking.id);
  return { booking, visitor, player, act };
}

/** An admin attests the signatures. */
async function attest(bookingId: string) {
  const admin = await person("admin");
  await attestSignatures(app, bookingId, admin.user.id);
  await app.settle();
}

/** Lets the clock run and both processes work at the same time, as often as they like. */
async function later(ms: number) {
  app.clock.advance(ms);
  await Promise.all([app, second, app, second].map(({ services }) => askForBalances(services)));
  await follow(app);
}

/** Moves the clock to a local time in Austin (UTC−6 in winter). */
const until = (day: string, time: string) =>
  later(new Date(`${day}T${time}:00-06:00`).getTime() - app.clock.now().getTime());

/** Moves the clock to noon, so many days before the event. */
const noonBefore = (booking: { starts_at: Date }, days: number) =>
  later(booking.starts_at.getTime() - days * dayMs - 8 * hourMs - app.clock.now().getTime());

const emails = async (bookingId: string) =>
  (
    await app.database.db
      .selectFrom("messages")
      .select(["template", "recipient", "subject", "text"])
      .where("ref_id", "=", bookingId)
      .where("template", "like", "balance%")
      .orderBy("created_at")
      .execute()
  ).filter(({ template }) => template !== "balance_received");
const subjects = async (bookingId: string) => (await emails(bookingId)).map(({ subject }) => subject);
const linkOf = (text: string) => /https?:\/\/\S+\/pay\/\S+/.exec(text)?.[0] ?? "";
const page = async (at: Browser, id: string) => (await at.json(`/api/bookings/${id}`)).body as unknown as BookingPage;

/** A fresh session of the artist: the one before has ended where the clock has run for days. */
const as = async ({ user }: { user: Parameters<TestApp["signIn"]>[0] }) => browser(app, await app.signIn(user));

/** Follows a link for the balance in a browser that knows nothing, up to the provider's page. */
async function open(link: string, at: Browser = browser(app)) {
  const { pathname, searchParams } = new URL(link);
  const answer = await at.call(pathname, `key=${searchParams.get("key")}`, {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
  return { status: answer.status, body: (await answer.json()) as { url?: string; message?: string } };
}

describe("asking for the balance", () => {
  test("a week before, on the day, and three times after it, each once; then the artist decides", async () => {
    const { booking, visitor, player } = await signed(60);
    // 20 January 2027; the balance is due on 23 December.
    expect(booking.event_date).toBe("2027-01-20");
    await later(0);
    expect(await subjects(booking.id)).toEqual([]);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ overdue: false, artist_decides: false });
    const steps = [
      ["2026-12-16", "The balance for Wednesday 20 January is due on 23 Dec"],
      ["2026-12-23", "The balance for Wednesday 20 January is due today"],
      ["2026-12-24", "The balance for Wednesday 20 January is overdue"],
      ["2026-12-26", "The balance for Wednesday 20 January is still overdue"],
      ["2026-12-30", "Last call: the balance for Wednesday 20 January"],
    ] as const;
    for (const [index, [day, subject]] of steps.entries()) {
      await until(day, "08:59");
      expect(await subjects(booking.id)).toHaveLength(index);
      await until(day, "09:00");
      const all = await subjects(booking.id);
      expect(all).toHaveLength(index + 1);
      expect(all.at(-1)).toMatch(new RegExp(`^${subject}`, "i"));
    }
    expect((await page(visitor, booking.id)).balance).toMatchObject({ overdue: true, artist_decides: false });
    await until("2027-01-06", "09:00");
    const told = await emails(booking.id);
    expect(told.map(({ template }) => template).slice(5)).toEqual(["balance_overdue", "balance_decision"]);
    expect(told.at(-1)?.recipient).toBe(player.user.email);
    const read = await page(await as(player), booking.id);
    expect(read.balance).toMatchObject({ overdue: true, artist_decides: true });
    expect(read.can.decide_balance).toBe(true);
    expect((await page(visitor, booking.id)).can.decide_balance).toBe(false);
    const { items } = (await (await as(player)).json("/api/artist/bookings")).body as unknown as {
      items: { id: string; can: BookingPage["can"] }[];
    };
    expect(items.map(({ id, can }) => [id, can.decide_balance])).toEqual([[booking.id, true]]);
    expect(read.timeline.filter(({ kind }) => kind === "balance_asked")).toHaveLength(6);
    await later(2 * dayMs);
    expect(await subjects(booking.id)).toHaveLength(7);
  });

  test("below 28 days at once, then at a quarter and a half of what is left; at three quarters the artist decides", async () => {
    const { booking, visitor } = await signed(9);
    const from = app.clock.now().getTime();
    const left = booking.starts_at.getTime() - from;
    // Minutes before and after, because the clock goes on while the test runs.
    const to = (moment: number, minutes: number) => later(moment + minutes * 60_000 - app.clock.now().getTime());
    await later(0);
    expect(await subjects(booking.id)).toHaveLength(1);
    expect((await page(visitor, booking.id)).deadlines[0]).toMatchObject({ kind: "balance_due" });
    for (const [quarter, template] of [
      [1, "balance_overdue"],
      [2, "balance_overdue"],
      [3, "balance_decision"],
    ] as const) {
      const moment = from + (left * quarter) / 4;
      await to(moment, -10);
      expect((await emails(booking.id)).length).toBe(quarter);
      await to(moment, 10);
      expect((await emails(booking.id)).at(-1)?.template).toBe(template);
    }
  });

  test("an outage is made up for by one email, and the decision keeps its distance", async () => {
    const { booking, visitor } = await signed(60);
    await later(0);
    await later(50 * dayMs);
    expect((await emails(booking.id)).map(({ template }) => template)).toEqual(["balance_overdue"]);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ artist_decides: false });
    await later(12 * hourMs);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ artist_decides: true });
  });

  test("a promoter who wants no emails about payments is asked all the same, but not reminded", async () => {
    const promoter = await person("promoter");
    const { booking } = await signed(60);
    await app.database.db
      .updateTable("bookings")
      .set({ promoter_user_id: promoter.user.id })
      .where("id", "=", booking.id)
      .execute();
    await app.database.transaction(async (tx) => {
      const settings = await promoterSettings(tx, promoter.user.id);
      const values = { ...settings, emailPaymentNotifications: false };
      await savePromoterSettings(tx, promoter.user.id, { values, version: 0, by: null });
    });
    await later(0);
    await noonBefore(booking, 35);
    await noonBefore(booking, 28);
    expect((await emails(booking.id)).map(({ template }) => template)).toEqual(["balance_due"]);
  });
});

describe("the link of an email", () => {
  test("pays in any browser, as often as it takes, and opens nothing of the booking", async () => {
    const { booking, visitor } = await signed(20);
    await later(0);
    const link = linkOf((await emails(booking.id))[0]?.text ?? "");
    const stranger = browser(app);
    const first = await open(link, stranger);
    expect(first.status).toBe(200);
    expect(stranger.jar.has("bookings")).toBe(false);
    expect((await stranger.json(`/api/bookings/${booking.id}`)).status).toBe(404);
    expect((await open(link)).body.url).toBe(first.body.url);
    await press(app, first.body.url, "pay");
    expect((await page(visitor, booking.id)).balance_paid).toBe(true);
    expect((await page(visitor, booking.id)).balance).toBeNull();
    expect(await open(link)).toMatchObject({ status: 409, body: { message: "The balance is already paid." } });
    const before = await subjects(booking.id);
    await later(10 * dayMs);
    expect(await subjects(booking.id)).toEqual(before);
  });

  test("pays no deposit", async () => {
    const { booking } = await signed(20);
    await later(0);
    const link = linkOf((await emails(booking.id))[0]?.text ?? "");
    expect((await open(link.replace("/balance", "/deposit"))).status).toBe(404);
  });
});

describe("the artist's link", () => {
  test("is prepared at deposit paid, takes money once both have signed, and says so until then", async () => {
    const player = await person("artist");
    const act = await artist({ userId: player.user.id });
    const { booking, visitor } = await held({ artist: act, status: "deposit_paid", now: app.clock.now() });
    const { status, body } = await (await as(player)).json(`/api/artist/bookings/${booking.id}/balance-link`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ message: expect.stringContaining("signed") as string });
    const url = String(body["url"]);
    expect(await open(url)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("once the contract is signed") as string },
    });
    await sendContract(app.services, booking.id);
    await attest(booking.id);
    const mine = browser(app, await app.signIn(player.user));
    expect((await open(url, mine)).status).toBe(200);
    // The artist's browser has not become the promoter's.
    expect(mine.jar.has("bookings")).toBe(false);
    const { timeline } = await page(visitor, booking.id);
    expect(timeline.find(({ kind }) => kind === "balance_link")).toMatchObject({ by: act.name });
    expect((await (await as(player)).json(`/api/artist/bookings/${booking.id}/balance-link`, {})).status).toBe(409);
  });
});

describe("the artist decides", () => {
  const decisionOf = async (daysAhead = 60, given = {}) => {
    const made = await signed(daysAhead, given);
    await later(0);
    await noonBefore(made.booking, 11);
    await noonBefore(made.booking, 10);
    return made;
  };

  test("not before the ladder has come to its end", async () => {
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

  test("more time: a new due date, its own reminders, and after them the decision again", async () => {
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
    expect((await emails(booking.id)).at(-1)?.template).toBe("balance_extended");
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

  test("the release ends the booking exactly as the promoter's cancellation would", async () => {
    const { booking, player, visitor } = await decisionOf(60, { paid: true });
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

  test("an artist cannot give this reason as an ordinary cancellation", async () => {
    const { booking, player } = await signed(60);
    const { status } = await (
      await as(player)
    ).json(`/api/bookings/${booking.id}/cancel`, {
      code: "balance_unpaid",
      expected_refund_cents: 0,
    });
    expect(status).toBe(400);
  });

  test("a balance that was taken a moment ago is not released, although the booking is not yet paid by it", async () => {
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

  test("a payment that is faster than the release wins", async () => {
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
