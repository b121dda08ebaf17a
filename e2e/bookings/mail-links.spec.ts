/**
 * The link of every email about a booking leads to a page that displays the booking's current state, for each template and
 * each state. Several templates share a link, so each destination is opened once per state.
 */

import type { APIRequestContext, Page } from "@playwright/test";
import type { TemplateName } from "../../src/notifications/index.ts";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { linkDestinations } from "../../test/data/link-destinations.ts";
import { linkIn, subjects } from "../support/accounts.ts";
import { bearerOf, bookingRequest, pressAtCheckout } from "../support/api.ts";
import { dayFromNow, emailsTo, expect, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

const states = [
  "initiated",
  "held",
  "declined",
  "deposit_paid",
  "contract_sent",
  "contract_signed",
  "completed",
  "canceled",
  "refunded",
] as const;
type State = (typeof states)[number];

const atCheckout = /is at the checkout\./;
const canceled =
  /This booking is canceled\.|This date is no longer available\.|This request (is canceled|was declined|has ended)\./;
const returned = /This (booking is canceled|date is no longer available)\..*(is refunded|is divided)/;
const ofPromoter: Record<State, RegExp> = {
  initiated: /Now: pay the deposit\./,
  held: /Your checkout is open\./,
  declined: /Your checkout is open\./,
  deposit_paid: /is yours\./,
  contract_sent: /The contract is waiting for signatures\./,
  contract_signed: /(Now|Next): pay the balance\.|The balance is overdue\.|Everything is paid and signed\./,
  completed: /The show is completed\./,
  canceled,
  refunded: returned,
};

/** The text of the section "Now" on the page of each destination and state. */
const statusTexts = {
  [paths.promoterArea.booking(":id")]: ofPromoter,
  [paths.guestBooking(":id")]: { ...ofPromoter, deposit_paid: /is yours\.|The contract is waiting for signatures\./ },
  [paths.artistArea.booking(":id")]: {
    initiated: /requests/,
    held: atCheckout,
    declined: atCheckout,
    deposit_paid: /is booked\./,
    contract_sent: /The contract is waiting for signatures\./,
    contract_signed: /The contract is signed\.|The balance is (overdue|unpaid)|Everything is paid and signed\./,
    completed: /The show is completed\./,
    canceled,
    refunded: returned,
  },
  [paths.admin.booking(":id")]: {
    initiated: /Waiting for the deposit\./,
    held: atCheckout,
    declined: atCheckout,
    deposit_paid: /Waiting for the contract\./,
    contract_sent: /Waiting for signatures\./,
    contract_signed: /Waiting for the balance\.|Everything is paid and signed\./,
    completed: /The show is completed\./,
    canceled,
    refunded: returned,
  },
} satisfies Record<string, Record<State, RegExp>>;

/** Destinations with a separate test here or elsewhere: the same page for every state. */
const others = [
  paths.pay(":id", "deposit"),
  paths.pay(":id", "balance"),
  paths.book(":slug"),
  paths.artist(":slug"),
  paths.admin.payments,
  paths.artistArea.payouts,
  paths.artistArea.calendar,
  // Tested in holds.spec.ts: the queue of a held date, and the promoter's holds.
  paths.artistArea.bookings,
  paths.promoterArea.holds,
  // Tested in src/web/dashboard/calendar-feeds: the promoter's calendar connections.
  paths.promoterArea.settings("calendar"),
  // Tested in src/web/artist/profile/profile-page.test.tsx: the form for the new price.
  paths.artistArea.profile,
  // The contract page displays its own state.
  paths.sign(":token"),
];

test("lists the destination of every template that is not about an account", () => {
  const known = new Set([...Object.keys(statusTexts), ...others]);
  const about = (Object.entries(linkDestinations) as [TemplateName, readonly string[]][]).filter(
    ([template, to]) => to.length > 0 && !Object.hasOwn(subjects, template),
  );
  expect(about.length).toBeGreaterThan(30);
  for (const [template, to] of about)
    expect(
      to.filter((pattern) => !known.has(pattern)),
      template,
    ).toEqual([]);
});

type Booking = {
  id: string;
  status: string;
  fee_cents: number;
  deposit_cents: number;
  promoter_email: string;
  artist: { slug: string };
  payments: { refunded_cents: number }[];
};
type Found = Partial<Record<State, Booking>>;

/** Returns a booking of the demo market in each existing status. */
async function bookingsOf(request: APIRequestContext, list: string, headers: Record<string, string>): Promise<Found> {
  const found: Found = {};
  let cursor: string | null = "";
  while (cursor !== null && Object.keys(found).length < 6) {
    const response = await request.get(
      `${list}${list.includes("?") ? "&" : "?"}limit=100${cursor ? `&cursor=${cursor}` : ""}`,
      { headers },
    );
    const page = (await response.json()) as { items: Booking[]; nextCursor: string | null };
    for (const booking of page.items) {
      const back = booking.payments.some((payment) => payment.refunded_cents > 0);
      const state = booking.status === "canceled" && back ? "refunded" : (booking.status as State);
      // A request of the market may be too old to be paid, so the tests make their own.
      if (state !== "initiated" && booking.fee_cents > 0) found[state] ??= booking;
    }
    cursor = page.nextCursor;
  }
  return found;
}

/** The day of the next request. Each test starts at another day to avoid another test's hold. */
let day = 0;
async function sendRequest(
  request: APIRequestContext,
  email: string,
  headers: Record<string, string> = {},
): Promise<Booking> {
  day += 2;
  const response = await request.post("/api/bookings", {
    headers,
    data: bookingRequest(dayFromNow(day), { clientName: "Mail Walker", clientEmail: email }),
  });
  expect(response.status(), await response.text()).toBe(201);
  return (await response.json()) as Booking;
}

async function hold(
  request: APIRequestContext,
  { id }: Booking,
  headers: Record<string, string> = {},
  press?: "pay" | "decline",
): Promise<void> {
  const response = await request.post("/api/functions/create-contract-and-checkout", {
    headers,
    data: { booking_id: id },
  });
  expect(response.status(), await response.text()).toBe(200);
  const { checkout_url: url } = (await response.json()) as { checkout_url: string };
  if (press) await pressAtCheckout(request, url, press);
}

const read = async (request: APIRequestContext, { id }: Booking) =>
  (await (await request.get(`/api/bookings/${id}`)).json()) as { money: { held_cents: number } };

/** Cancels as the guest. `refundCents` must match the refund. */
async function cancel(request: APIRequestContext, { id }: Booking, refundCents: number): Promise<void> {
  const data = { code: "plans_changed", expected_refund_cents: refundCents };
  // The payment may still be pending, so this retries.
  await expect
    .poll(async () => {
      const response = await request.post(`/api/bookings/${id}/cancel`, { data });
      return response.status() === 200 ? "canceled" : response.text();
    })
    .toBe("canceled");
}

/** Makes the states that the market does not retain: requested, held, and declined while held. */
async function ownRequests(request: APIRequestContext, email: string, headers: Record<string, string> = {}) {
  const [initiated, held, declined] = [
    await sendRequest(request, email, headers),
    await sendRequest(request, email, headers),
    await sendRequest(request, email, headers),
  ];
  await hold(request, held, headers);
  await hold(request, declined, headers, "decline");
  return { initiated, held, declined };
}

async function walk(
  page: Page,
  pattern: keyof typeof statusTexts,
  link: (booking: Booking) => string | Promise<string>,
  found: Found,
  walked: readonly State[] = states,
) {
  for (const state of walked) {
    const booking = found[state];
    expect(booking, `a booking that is ${state}`).toBeDefined();
    if (!booking) continue;
    await test.step(`${pattern} ${state}`, async () => {
      const response = await page.goto(await link(booking));
      expect(response?.status()).toBe(200);
      await expect(page.getByRole("region", { name: "Now" })).toContainText(statusTexts[pattern]?.[state] ?? /never/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/, \d+ \w+$/);
      await expect(page.getByText(/could not be loaded|not found/)).toHaveCount(0);
    });
  }
}

test("displays the current state for the links of owners, artists and admins", async ({ page, browser, request }) => {
  day = 290;
  const promoter = await bearerOf(request, "promoter@demo.test");
  const fresh = await ownRequests(request, "promoter@demo.test", promoter);
  const lists = { promoter: "/api/promoter/bookings", artist: "/api/artist/bookings", admin: "/api/admin/bookings" };
  const patterns = {
    promoter: [paths.promoterArea.booking(":id"), paths.promoterArea.booking],
    artist: [paths.artistArea.booking(":id"), paths.artistArea.booking],
    admin: [paths.admin.booking(":id"), paths.admin.booking],
  } as const;
  for (const role of ["promoter", "artist", "admin"] as const) {
    const reader = role === "promoter" ? page : await (await browser.newContext()).newPage();
    await signIn(reader, `${role}@demo.test`);
    const market = await bookingsOf(request, lists[role], await bearerOf(request, `${role}@demo.test`));
    const [pattern, link] = patterns[role];
    await walk(reader, pattern, ({ id }) => link(id), { ...market, ...fresh });
    if (reader !== page) await reader.context().close();
  }
});

test("displays the current state for the signed links of a guest", async ({ page, request }) => {
  day = 305;
  const mailbox = `walker-${Date.now()}@example.test`;
  const fresh = await ownRequests(page.request, mailbox);
  // The contract of a paid deposit follows immediately.
  const [paid, dropped, refunded] = [
    await sendRequest(page.request, mailbox),
    await sendRequest(page.request, mailbox),
    await sendRequest(page.request, mailbox),
  ];
  const signedLink = async ({ id, promoter_email: to }: Booking) => {
    expect((await request.post(`/api/bookings/${id}/send-link`, { data: {} })).status()).toBe(200);
    const find = async () => (await emailsTo(page, to)).find((email) => email.html.includes(`/booking/${id}?link=`));
    await expect.poll(find).toBeTruthy();
    const email = await find();
    if (!email) throw new Error("the email has gone");
    return linkIn(email);
  };
  /** Only a browser with a verified mailbox may cancel. */
  const verifyMailbox = async (booking: Booking) => {
    const link = new URL(await signedLink(booking)).searchParams.get("link");
    const opened = await page.request.post(`/api/bookings/${booking.id}/open`, { data: { link } });
    expect(opened.status(), await opened.text()).toBe(200);
  };
  await hold(page.request, paid, {}, "pay");
  await verifyMailbox(dropped);
  await cancel(page.request, dropped, 0);
  await hold(page.request, refunded, {}, "pay");
  await expect.poll(async () => (await read(page.request, refunded)).money.held_cents).toBe(refunded.deposit_cents);
  await verifyMailbox(refunded);
  await cancel(page.request, refunded, refunded.deposit_cents);
  await page.context().clearCookies();
  // Signed and played events take weeks, so those of the market's guests are used.
  const guests = `/api/admin/bookings?search=${encodeURIComponent("Grace Abernathy")}`;
  const { contract_signed, completed } = await bookingsOf(request, guests, await bearerOf(request, "admin@demo.test"));
  const found = {
    ...fresh,
    deposit_paid: paid,
    contract_sent: paid,
    contract_signed,
    completed,
    canceled: dropped,
    refunded,
  };
  await walk(page, paths.guestBooking(":id"), signedLink, found);
});

test("opens the checkout by a payment link while it is due, and otherwise displays the state", async ({
  page,
  request,
}) => {
  day = 320;
  const mailbox = `payer-${Date.now()}@example.test`;
  for (const state of ["initiated", "held", "declined"] as const)
    await test.step(`the emailed link of a deposit that is ${state}`, async () => {
      const booking = await sendRequest(page.request, mailbox);
      const find = async () => (await emailsTo(page, mailbox)).find((email) => email.html.includes(booking.id));
      await expect.poll(find).toBeTruthy();
      const email = await find();
      if (!email) throw new Error("the email has gone");
      if (state !== "initiated") await hold(page.request, booking, {}, state === "declined" ? "decline" : undefined);
      await page.goto(linkIn(email));
      await expect(page.getByRole("heading", { level: 1, name: /^The deposit for/ })).toBeVisible();
      await page.getByRole("button", { name: /^Pay \$/ }).click();
      await expect(page).toHaveURL(/\/sandbox\//);
      await expect(page.getByRole("button", { name: "Pay" })).toBeVisible();
    });
  await signIn(page, "promoter@demo.test");
  const market = await bookingsOf(request, "/api/promoter/bookings", await bearerOf(request, "promoter@demo.test"));
  for (const state of [
    "deposit_paid",
    "contract_sent",
    "contract_signed",
    "completed",
    "canceled",
    "refunded",
  ] as const)
    for (const kind of ["deposit", "balance"] as const) {
      if (state === "contract_signed" && kind === "balance") continue;
      await test.step(`the link of a ${kind} for a booking that is ${state}`, async () => {
        await page.goto(paths.pay(market[state]?.id ?? "", kind));
        await expect(page.getByRole("alert").first()).toContainText(
          /already paid|canceled|nothing to pay|cannot be paid|signed/,
        );
        await page.getByRole("link", { name: "Open the booking" }).click();
        await expect(page.getByRole("region", { name: "Now" })).toContainText(ofPromoter[state]);
      });
    }
});

test("opens the artist's form, the artist's calendars and the admin's payments", async ({ page }) => {
  await page.goto(paths.book("electric-dreams"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Electric Dreams");
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.calendar);
  await expect(page.getByRole("heading", { name: "Other calendars, shown here as busy" })).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, "admin@demo.test");
  await page.goto(paths.admin.payments);
  await expect(page.getByRole("heading", { level: 1, name: "Payments" })).toBeVisible();
});
