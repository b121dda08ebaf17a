import { describe, expect, test } from "vitest";
import { minuteMs, hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { promoterSettings, savePromoterSettings } from "#settings/index.ts";
import { browser, peopleOf, press } from "#test/harness/bookings.ts";
import { linkOf, openBalances } from "#test/harness/open-balances.ts";
import { twoProcesses } from "#test/harness/two-processes.ts";
import type { TestApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { sendContract } from "../contract/sending.ts";

let app: TestApp;
const apps = twoProcesses((first) => {
  app = first;
});

const { artist, person, held } = peopleOf(() => app);
const { signed, attest, later, until, noonBefore, emails, subjects, page, as, open } = openBalances(apps);

describe("sendBalanceReminders", () => {
  test("sends each reminder once, a week before, on the due day and three times after it, then requests the artist's decision", async () => {
    const { booking, visitor, player } = await signed(60);
    // The event is on 20 January 2027, and the balance is due on 23 December.
    expect(booking.event_date).toBe("2027-01-20");
    await later(0);
    expect(await subjects(booking.id)).toEqual([]);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ overdue: false, artist_decides: false });
    const steps = [
      ["2026-12-16", "The balance for Wednesday 20 January is due on 23 Dec"],
      ["2026-12-23", "The balance for Wednesday 20 January is due today"],
      ["2026-12-24", "The balance for Wednesday 20 January is overdue"],
      ["2026-12-26", "The balance for Wednesday 20 January is still overdue"],
      ["2026-12-30", "Final reminder: the balance for Wednesday 20 January"],
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
    const sent = await emails(booking.id);
    expect(sent.map(({ template }) => template).slice(5)).toEqual(["balance_overdue", "balance_decision"]);
    expect(sent.at(-1)?.recipient).toBe(player.user.email);
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

  test("requests the balance immediately below 28 days, reminds at a quarter and half of the remaining time, and requests the decision at three quarters", async () => {
    const { booking, visitor } = await signed(9);
    const from = app.clock.now().getTime();
    const left = booking.starts_at.getTime() - from;
    // Minutes before and after, because the clock runs during the test.
    const to = (moment: number, minutes: number) => later(moment + minutes * minuteMs - app.clock.now().getTime());
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

  test("sends one email after an outage, and requests the decision later", async () => {
    const { booking, visitor } = await signed(60);
    await later(0);
    await later(50 * dayMs);
    expect((await emails(booking.id)).map(({ template }) => template)).toEqual(["balance_overdue"]);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ artist_decides: false });
    await later(12 * hourMs);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ artist_decides: true });
  });

  test("states after an outage beyond the start of the show when the booking ends, and requests no decision", async () => {
    const { booking, visitor } = await signed(60);
    await later(0);
    await later(61 * dayMs);
    await later(20 * hourMs);
    const [sent, ...more] = await emails(booking.id);
    expect([sent?.template, more]).toEqual(["balance_overdue", []]);
    expect(sent?.text).toMatch(
      /If it is still unpaid on \w+ \d+ \w+ \d{4}, 23:00 \(US Central\), the\s+booking is canceled\. The cancellation terms then determine your refund\./,
    );
    expect(sent?.text).not.toMatch(/release/);
    expect((await page(visitor, booking.id)).balance).toMatchObject({ artist_decides: false });
    const late = await signed(3);
    await later(4 * dayMs);
    const [first] = await emails(late.booking.id);
    expect(first?.template).toBe("balance_due");
    expect(first?.text).toMatch(/\sis\s+due\s+now\./);
  });

  test("sends the payment request but no reminder to a promoter with payment emails off", async () => {
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
  test("opens the same checkout in any browser until the balance is paid, and no booking page", async () => {
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

  test("does not pay the deposit", async () => {
    const { booking } = await signed(20);
    await later(0);
    const link = linkOf((await emails(booking.id))[0]?.text ?? "");
    expect((await open(link.replace("/balance", "/deposit"))).status).toBe(404);
  });
});

describe("the artist's link", () => {
  test("can be made after the deposit, and refuses payment until both have signed", async () => {
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
    // The link does not give the artist's browser the promoter's booking key.
    expect(mine.jar.has("bookings")).toBe(false);
    const { timeline } = await page(visitor, booking.id);
    expect(timeline.find(({ kind }) => kind === "balance_link")).toMatchObject({ by: act.name });
    const signed = await (await as(player)).json(`/api/artist/bookings/${booking.id}/balance-link`, {});
    expect(signed.body).toMatchObject({ message: "It accepts a payment now, until the balance is paid." });
    await press(app, (await open(String(signed.body["url"]), browser(app))).body["url"], "pay");
    expect((await (await as(player)).json(`/api/artist/bookings/${booking.id}/balance-link`, {})).status).toBe(409);
  });
});
