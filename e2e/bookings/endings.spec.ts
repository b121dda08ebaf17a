/**
 * The endings of a booking before or without its event: prepared by API calls, ended on the screens, and checked on both
 * parties' pages and emails. Every part of the price is expected to the cent.
 */

import { type APIRequestContext, type Browser, type BrowserContext, type Page, request } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { findEmail, linkIn } from "../support/accounts.ts";
import { type ApiCall, bookingRequest, callsOf, payBalance, payDeposit, signContract } from "../support/api.ts";
import { dayFromNow, type Email, expect, expectAccessible, signIn, test } from "../support/browser.ts";
import { startQuietMarket } from "../support/quiet-market.ts";
import type { TestServer } from "../support/server.ts";

/** Electric Dreams, in cents. The commission is 10 % of what the artist retains. */
const price = { deposit: 37_500, balance: 112_500 };
const fee = price.deposit + price.balance;
const commissionOf = (retained: number) => retained / 10;

type Role = "promoter" | "artist" | "admin";

// The tests move the clock, so they have their own market.
let market: TestServer;
let api: APIRequestContext;
let call: Record<Role, ApiCall>;
let browsers: Record<Role, BrowserContext>;
test.beforeAll(async ({ browser }) => {
  market = await startQuietMarket();
  api = await request.newContext({ baseURL: market.url });
  await everybodySignsIn(browser);
});
test.afterAll(async () => {
  await api.dispose();
  await market.close();
});

/** Once for the file, and again after the clock was moved, because a session does not last for weeks. */
async function everybodySignsIn(browser: Browser): Promise<void> {
  call = {
    promoter: await callsOf(api, "promoter@demo.test"),
    artist: await callsOf(api, "artist@demo.test"),
    admin: await callsOf(api, "admin@demo.test"),
  };
  const open = async (role: Role) => {
    const context = await browser.newContext({ baseURL: market.url });
    const page = await context.newPage();
    await signIn(page, `${role}@demo.test`);
    await page.close();
    return context;
  };
  browsers = { promoter: await open("promoter"), artist: await open("artist"), admin: await open("admin") };
}

/** Makes a booking `days` ahead whose deposit is paid and whose contract is sent. */
async function book(days: number, eventTime = "20:00"): Promise<string> {
  const { id = "" } = await call.promoter("/api/bookings", bookingRequest(dayFromNow(days), { eventTime }));
  await payDeposit(api, call.promoter, id);
  return id;
}

async function arrive(role: Role, id: string): Promise<Page> {
  const page = await browsers[role].newPage();
  const area = { promoter: paths.promoterArea, artist: paths.artistArea, admin: paths.admin }[role];
  await page.goto(area.booking(id));
  return page;
}

const exact = (cents: number) =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" }).replaceAll(/[$.]/g, String.raw`\$&`);
/** The format in running text, without zero cents. */
const short = (cents: number) => exact(cents).replace(/\\\.00$/, "");

/** The final division of the price in cents: never charged, retained by the artist before the commission, refunded to the promoter. */
type Money = Readonly<{ unpaid: number; retained: number; back: number }>;
type Ending = Readonly<{ status: string; now: RegExp; timeline: RegExp; money: Money }>;

/** Fails unless the page displays how the booking ended, and who has each cent of its price. */
async function expectEnding(page: Page, side: "promoter" | "artist", ending: Ending): Promise<void> {
  const { unpaid, retained, back } = ending.money;
  expect(unpaid + retained + back).toBe(fee);
  const commission = commissionOf(retained);
  const parts: [number, string][] = [
    ...(side === "promoter"
      ? ([[retained, "Released to the artist"]] as [number, string][])
      : ([
          [retained - commission, "(Owed|Paid) to you"],
          [commission, "Commission of Stagedoor"],
        ] as [number, string][])),
    [back, "(Being refunded|Refunded)"],
    [unpaid, "Balance, never paid, and no longer due"],
  ];
  const shown = parts
    .filter(([cents]) => cents > 0)
    .map(([cents, name]) => new RegExp(`^${name}.*${short(cents)}(\\.00)?(?!\\d)`));
  const now = page.getByRole("region", { name: "Now" });
  await expect(now).toContainText(ending.now);
  await expect(page.getByText(ending.status, { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Where the money is" }).getByRole("listitem")).toHaveText(shown);
  await expect(page.getByRole("listitem").filter({ hasText: ending.timeline }).first()).toBeVisible();
}

/** Returns the text of an email to a party about the day of one booking, on one line. */
async function emailAbout(side: "promoter" | "artist", days: number, subject: RegExp): Promise<string> {
  const day = new Date(`${dayFromNow(days)}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  const find = async () =>
    ((await (await api.get(`/api/dev/outbox?to=${side}@demo.test`)).json()) as Email[]).find(
      (one) => subject.test(one.subject) && new RegExp(`\\b${day}\\b`).test(`${one.subject} ${one.text}`),
    );
  await expect.poll(find, { message: `an email ${String(subject)} of ${day} to the ${side}` }).toBeTruthy();
  const found = await find();
  if (!found) throw new Error("the email has gone");
  return found.text.replaceAll(/\s+/g, " ");
}

/** Fails unless both pages and both cancellation emails match. `reason`: what the emails quote. */
async function expectCanceled(
  pages: Readonly<Record<"promoter" | "artist", Page>>,
  { days, reason, ...ending }: Omit<Ending, "status"> & { days: number; reason: string },
): Promise<void> {
  const { retained, back } = ending.money;
  for (const side of ["promoter", "artist"] as const) {
    await expectEnding(pages[side], side, { ...ending, status: "Canceled" });
    const text = await emailAbout(side, days, /^Canceled: /);
    expect(text).toContain(reason);
    const sum = side === "promoter" ? back : retained - commissionOf(retained);
    const expected =
      side === "promoter"
        ? `We refund ${short(sum)} to the card it was paid with`
        : `By the cancellation terms you keep ${short(sum)} after the commission`;
    if (sum > 0) expect(text).toMatch(new RegExp(expected));
    else expect(text).not.toMatch(side === "promoter" ? /We refund/ : /you keep/);
    await pages[side].close();
  }
}

const bothPages = async (id: string) => ({
  promoter: await arrive("promoter", id),
  artist: await arrive("artist", id),
});

const returned = /This booking is canceled\..* refunded in full/;
const notRefunded = /This booking is canceled\..* the payment is not refunded/;
const divided = /This booking is canceled\..* divided by the cancellation terms/;

test("refunds the deposit when the promoter cancels within the cooling-off period, and displays the note to the artist", async () => {
  const id = await book(48);
  const pages = await bothPages(id);
  await pages.promoter.getByRole("button", { name: "Cancel Booking" }).click();
  const dialog = pages.promoter.getByRole("dialog", { name: "Cancel this booking?" });
  await dialog.getByLabel("Reason").selectOption("The date has moved");
  await dialog.getByLabel(/What the artist should know/).fill("The wedding is in autumn now.");
  await dialog.getByRole("button", { name: "Cancel Booking, get $375" }).click();
  await expectCanceled(pages, {
    days: 48,
    money: { unpaid: price.balance, retained: 0, back: price.deposit },
    now: returned,
    timeline: /Canceled: (You stated that the|The) event moves to another date\..*The wedding is in autumn now\./,
    reason: "The wedding is in autumn now.",
  });
});

test("leaves the deposit to the artist when the promoter cancels days before the event", async () => {
  const id = await book(9);
  const pages = await bothPages(id);
  await pages.promoter.getByRole("button", { name: "Cancel Booking" }).click();
  await pages.promoter.getByRole("dialog").getByRole("button", { name: "Cancel Booking" }).click();
  await expectCanceled(pages, {
    days: 9,
    money: { unpaid: price.balance, retained: price.deposit, back: 0 },
    now: notRefunded,
    timeline: /Canceled: The event will not take place\./,
    reason: "The event will not take place.",
  });
});

test("refunds everything when the artist cancels", async () => {
  const id = await book(52);
  const pages = await bothPages(id);
  await pages.artist.getByRole("button", { name: "Cancel Booking" }).click();
  const dialog = pages.artist.getByRole("dialog", { name: "Cancel this booking?" });
  await dialog.getByLabel(/What the promoter should know/).fill("Our drummer is ill.");
  await dialog.getByRole("button", { name: "Cancel Booking, refund $375" }).click();
  await expectCanceled(pages, {
    days: 52,
    money: { unpaid: price.balance, retained: 0, back: price.deposit },
    now: returned,
    timeline: /Canceled: (The artist cannot perform|You stated that you cannot perform)\..*Our drummer is ill\./,
    reason: "Our drummer is ill.",
  });
});

for (const [side, days, retained, promised] of [
  ["artist", 59, 0, "the promoter receives a full refund"],
  ["promoter", 8, price.deposit, "You receive no refund"],
] as const)
  test(`ends the booking by the terms when the ${side} declines the contract, and displays the reason to the other party`, async () => {
    const id = await book(days);
    // Until the artist has signed, a promoter who declines is refunded in full.
    if (side === "promoter") await signContract(call, id, "artist");
    const pages = await bothPages(id);
    const signer = await arrive(side, id);
    await signer.getByRole("link", { name: "Sign Contract" }).first().click();
    await signer.getByText("Something is wrong? Decline instead").click();
    await expect(signer.getByRole("form", { name: "Decline" })).toContainText(promised);
    await signer.getByLabel("What should change?").fill("The stage is named wrongly.");
    await signer.getByRole("button", { name: "Decline contract" }).click();
    await expect(signer.getByRole("heading", { name: "You declined the contract" })).toBeVisible();
    await expectAccessible(signer, ["light"]);
    await signer.close();
    await expectCanceled(pages, {
      days,
      money: { unpaid: price.balance, retained, back: price.deposit - retained },
      now: retained > 0 ? notRefunded : returned,
      timeline: /Canceled: The contract was declined\..*The stage is named wrongly\./,
      reason: "The stage is named wrongly.",
    });
  });

test.describe("eleven days later", () => {
  /** Days ahead of four bookings: unsigned by the promoter, without a balance, with a past event, and paid. */
  const days = { unsigned: 66, unpaid: 13, show: 10, paid: 31 };
  let ids: Record<keyof typeof days, string>;
  test.beforeAll(async ({ browser }) => {
    ids = {
      unsigned: await book(days.unsigned),
      unpaid: await book(days.unpaid),
      // Eleven days from any hour of today are after its start and before the deadline for a report.
      show: await book(days.show, "17:00"),
      paid: await book(days.paid),
    };
    await signContract(call, ids.unsigned, "artist");
    for (const id of [ids.unpaid, ids.show, ids.paid]) await signContract(call, id, "promoter", "artist");
    for (const id of [ids.show, ids.paid]) await payBalance(api, call.promoter, id);
    const moved = await api.post("/api/dev/clock", { data: { advance: "P11D" }, timeout: 0 });
    expect(moved.status(), await moved.text()).toBe(200);
    await everybodySignsIn(browser);
  });

  test("ends the booking when the promoter did not sign, and leaves the deposit to the artist", async () => {
    await expectCanceled(await bothPages(ids.unsigned), {
      days: days.unsigned,
      money: { unpaid: price.balance, retained: price.deposit, back: 0 },
      now: notRefunded,
      timeline: /Canceled: The contract was not signed in time\./,
      reason: "The contract was not signed in time.",
    });
  });

  test("releases a date with an unpaid balance for the artist, who retains the deposit", async () => {
    const pages = await bothPages(ids.unpaid);
    await expect(pages.promoter.getByRole("region", { name: "Now" })).toContainText("The balance is overdue.");
    const now = pages.artist.getByRole("region", { name: "Now" });
    await expect(now).toContainText("The balance is unpaid: you decide.");
    await now.getByRole("button", { name: "Release the date" }).click();
    const dialog = pages.artist.getByRole("dialog", { name: "Release the date" });
    await expect(dialog).toContainText(/You keep\s*\$337\.50/);
    await expect(dialog).toContainText(/Commission\s*\$37\.50/);
    await expect(dialog).toContainText(/Refund to the payer\s*\$0(?!\d)/);
    await expectAccessible(pages.artist, ["light"]);
    await dialog.getByRole("button", { name: "Release the date" }).click();
    await expectCanceled(pages, {
      days: days.unpaid,
      money: { unpaid: price.balance, retained: price.deposit, back: 0 },
      now: notRefunded,
      timeline: /Canceled: The balance was not paid\./,
      reason: "The balance was not paid.",
    });
  });

  test("refunds half of the balance when the promoter cancels a paid event three weeks before it", async () => {
    const pages = await bothPages(ids.paid);
    await pages.promoter.getByRole("button", { name: "Cancel Booking" }).click();
    await pages.promoter.getByRole("button", { name: "Cancel Booking, get $562.50" }).click();
    await expectCanceled(pages, {
      days: days.paid,
      money: { unpaid: 0, retained: 93_750, back: 56_250 },
      now: divided,
      timeline: /Canceled: The event will not take place\./,
      reason: "The event will not take place.",
    });
  });

  test("divides the held money by an admin after a reported no-show", async () => {
    const pages = await bothPages(ids.show);
    await pages.promoter.getByRole("button", { name: "Report a no-show" }).click();
    const report = pages.promoter.getByRole("dialog", { name: "Report a no-show" });
    await report.getByLabel("What happened?").fill("They left after the second song.");
    await report.getByRole("button", { name: "Report", exact: true }).click();
    await expect(pages.artist.getByRole("region", { name: "Now" })).toContainText(
      "Jordan Ellis reports that you did not appear.",
    );
    expect(await emailAbout("artist", days.show, /: a no-show was reported$/)).toContain("the second song");
    await pages.artist.getByRole("button", { name: "State your side" }).click();
    const statement = pages.artist.getByRole("dialog", { name: "State your side" });
    await statement.getByLabel("What happened?").fill("The power failed after the second song.");
    await expectAccessible(pages.artist, ["light"]);
    await statement.getByRole("button", { name: "Submit statement" }).click();
    const stated = /The artist stated their side.*The power failed/;
    await expect(pages.promoter.getByRole("listitem").filter({ hasText: stated })).toBeVisible();
    await expect(pages.artist.getByRole("button", { name: "State your side" })).toHaveCount(0);
    const admin = await arrive("admin", ids.show);
    await admin.getByRole("button", { name: "Decide", exact: true }).click();
    const dialog = admin.getByRole("dialog", { name: "Decide about the no-show" });
    await expect(dialog).toContainText("states: The power failed after the second song.");
    await dialog.getByLabel(/^Release to the artist, of \$1,500/).fill("600.10");
    await dialog.getByLabel("The reason (both parties can read it)").fill("Two of five songs were played.");
    await dialog.getByRole("button", { name: "Decide" }).click();
    await expect(admin.getByRole("region", { name: "Now" })).toContainText("The reported no-show is decided.");
    for (const side of ["promoter", "artist"] as const) {
      await expectEnding(pages[side], side, {
        status: "Completed",
        money: { unpaid: 0, retained: 60_010, back: 89_990 },
        now: side === "promoter" ? /is decided\..* refunded to the card/ : /is decided\..* The rest is yours\./,
        timeline: /The report was decided.*Two of five songs were played\./,
      });
      const text = await emailAbout(side, days.show, /: the reported no-show is decided$/);
      expect(text).toMatch(
        /^.*\$600\.10 is released to .*, and \$899\.90 is refunded to the (promoter|card it was paid with)\./,
      );
    }
    for (const page of [pages.promoter, pages.artist, admin]) await page.close();
  });
});

test("emails links to the payouts page when a payment account changes and ends", async () => {
  const page = await browsers.artist.newPage();
  for (const [press, subject, shown] of [
    ["Change bank account", "The bank account of your payouts was changed", "For your security, payouts wait until"],
    ["Reject for good", "Your payment account has ended", "The payment provider rejected your last account."],
  ] as const) {
    await page.goto(paths.artistArea.payouts);
    await page.getByRole("button", { name: "Manage Account" }).click();
    await page.getByRole("button", { name: press }).click();
    await page.goto(linkIn(await findEmail(page, "artist@demo.test", subject)));
    await expect(page).toHaveURL(paths.artistArea.payouts);
    await expect(page.getByText(shown)).toBeVisible();
  }
  await page.close();
});
