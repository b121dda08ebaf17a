import type { Browser, Page } from "@playwright/test";
import { fillRequest, openCheckout, requestButton } from "../support/booking-form.ts";
import { dayFromNow, expect, expectAccessible, emailsTo, test } from "../support/browser.ts";

const slug = "electric-dreams";
const mailbox = (name: string) => `${name}-${Date.now()}@example.test`;

async function another(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  return context.newPage();
}

async function leave(page: Page) {
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(new RegExp(`/book/${slug}`));
}

test("charges nothing on a declined card, retains date and page, and accepts the next card", async ({ page }) => {
  const email = mailbox("dana");
  await openCheckout(page, slug, { name: "Dana Marsh", email, date: dayFromNow(75) });
  const address = page.url();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText(/declined/i).first()).toBeVisible();
  expect(page.url().startsWith(address.split("?")[0] ?? "")).toBe(true);
  await expect.poll(async () => (await emailsTo(page, email)).map((email) => email.subject).join()).toMatch(/declined/);
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
});

test("offers to continue an abandoned checkout on the same page", async ({ page }) => {
  await openCheckout(page, slug, { name: "Ines Holt", email: mailbox("ines"), date: dayFromNow(82) });
  const address = page.url();
  await leave(page);
  await expect(page.getByRole("heading", { name: /^You are holding/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page).toHaveURL(address);
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
});

test("displays the paid booking on the way back to the form", async ({ page }) => {
  await openCheckout(page, slug, { name: "Pia Lund", email: mailbox("pia"), date: dayFromNow(110) });
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: "Open the booking" })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^You have booked /).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the booking" })).toBeVisible();
});

test("opens the existing checkout for the same form, not a second request", async ({ page }) => {
  const request = { name: "Omar Field", email: mailbox("omar"), date: dayFromNow(117) };
  await openCheckout(page, slug, request);
  const address = page.url();
  await page.goto(`/book/${slug}`);
  await fillRequest(page, request);
  await expect(page.getByRole("heading", { name: /^You are holding/ })).toBeVisible();
  await expect(requestButton(page)).toHaveCount(0);
  const again = await page.evaluate(
    async ({ slug: artistId, date, name, email }) => {
      const body = {
        artistId,
        clientName: name,
        clientEmail: email,
        clientPhone: "+1 512 555 0142",
        eventDate: date,
        eventTime: "20:00",
        eventLocation: "The Lantern Room, Austin",
        eventType: "Wedding",
        guestCount: 120,
        duration: "2 hours",
        specialRequests: "A quiet first half hour, please.",
      };
      const response = await fetch("/api/bookings", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { id: string }).id;
    },
    { slug, ...request },
  );
  const check = await page.request.post("/api/bookings/check", { data: { artistId: slug } });
  expect(again).toBe(((await check.json()) as { own_hold: { booking_id: string } }).own_hold.booking_id);
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page).toHaveURL(address);
});

test("books a released date for another promoter", async ({ page, browser, baseURL }) => {
  const date = dayFromNow(89);
  await openCheckout(page, slug, { name: "Lena Park", email: mailbox("lena"), date });
  await leave(page);
  await page.getByRole("button", { name: "Release hold" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release hold" }).click();
  await expect(page.getByRole("region", { name: "Your open checkout" })).toHaveCount(0);
  const other = await another(browser, baseURL);
  await openCheckout(other, slug, { name: "Sam Reed", email: mailbox("sam"), date });
  await other.getByRole("button", { name: "Pay" }).click();
  await expect(other.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  await other.context().close();
  await page.goto(`/book/${slug}?date=${date}`);
  await expect(page.getByText(/is taken\./).first()).toBeVisible();
});

test("makes one payment from two tabs of one booking", async ({ page }) => {
  const email = mailbox("tabs");
  await openCheckout(page, slug, { name: "Noor Vale", email, date: dayFromNow(96) });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await expect(second.getByRole("button", { name: "Pay" })).toBeVisible();
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  await second.getByRole("button", { name: "Pay" }).click();
  await expect(second.getByRole("button", { name: "Pay" })).toHaveCount(0);
  const paid = async () =>
    (await emailsTo(page, email)).filter((email) => email.subject.startsWith("We received your deposit"));
  await expect.poll(async () => (await paid()).length).toBe(1);
  expect((await emailsTo(page, email)).filter((email) => /refund|way back/.test(email.subject))).toEqual([]);
});

test("displays the nearest free dates to the second promoter", async ({ page, browser, baseURL }) => {
  const date = dayFromNow(103);
  const first = await another(browser, baseURL);
  await openCheckout(first, slug, { name: "Ada Quinn", email: mailbox("ada"), date });
  await page.goto(`/book/${slug}`);
  await fillRequest(page, { name: "Bo Lind", email: mailbox("bo"), date });
  await expect(page.getByText(/Another promoter is at the checkout/).first()).toBeVisible();
  await expect(page.getByText("Nearest free dates")).toBeVisible();
  await expect(requestButton(page)).toBeDisabled();
  await expect(page.getByRole("button", { name: "Release hold" })).toHaveCount(0);
  await page.getByRole("button", { name: /the day after/ }).click();
  await expect(page.getByText(/is free\./).first()).toBeVisible();
  await first.context().close();
});
