import type { Browser, Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { findEmail, linkIn } from "../support/accounts.ts";
import { fillRequest, requestButton } from "../support/booking-form.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";

const slug = "electric-dreams";

async function artistIn(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const page = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage();
  await signIn(page, "artist@demo.test");
  return page;
}

async function requireDeposit(page: Page, on: boolean) {
  await page.goto(paths.artistArea.settings("preferences"));
  const deposit = page.getByRole("switch", { name: "Require Deposit" });
  await expect(deposit).toBeVisible();
  if ((await deposit.isChecked()) === on) return;
  await deposit.focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Your settings have been updated successfully.")).toBeVisible();
}

async function sendRequest(page: Page, request: { email: string; date: string }): Promise<string> {
  await page.goto(paths.book(slug));
  await expect(page.getByText("Once your request is accepted, we send the contract within 24 hours.")).toBeVisible();
  await fillRequest(page, { name: "Nora Quill", ...request });
  await expect(page.getByText("No deposit: the artist answers within 72 hours.").first()).toBeVisible();
  await requestButton(page).click();
  await expect(page.getByRole("heading", { name: "Thank you, your request is sent" })).toBeVisible();
  return (await page.getByRole("link", { name: "Open the booking" }).getAttribute("href")) ?? "";
}

test("accepts one request without a deposit and declines another, and updates the promoter's page", async ({
  page,
  browser,
  baseURL,
}) => {
  const artist = await artistIn(browser, baseURL);
  await requireDeposit(artist, false);
  try {
    await expectAccessible(artist);
    await page.goto(paths.artist(slug));
    await expect(page.getByText("No deposit: the artist answers within 72 hours")).toBeVisible();
    const email = `nora-${Date.now()}@example.test`;
    const guest = await sendRequest(page, { email, date: dayFromNow(190) });
    await expectAccessible(page);
    await page.goto(guest);
    await expect(page.getByText(/accepts or declines/).first()).toBeVisible();
    await expectAccessible(page);

    // The overview lists only the five that end first, and other tests of this market may have made as many.
    await artist.goto(`${paths.artistArea.bookings}?show=needs_you&search=Nora`);
    await artist
      .getByRole("link", { name: /^Answer/ })
      .first()
      .click();
    await expect(artist.getByText(/Accept this booking\?/)).toBeVisible();
    const size = artist.viewportSize() ?? { width: 1280, height: 720 };
    await artist.setViewportSize({ width: 390, height: 844 });
    const answerBy = artist.getByRole("listitem").filter({ hasText: "The answer" }).locator("> span").first();
    await expect(answerBy).toHaveText(/^by .*, your time$/);
    expect(await answerBy.evaluate((when) => when.scrollWidth <= when.clientWidth)).toBe(true);
    await artist.setViewportSize(size);
    await expectAccessible(artist);
    await artist.getByRole("button", { name: "Accept" }).focus();
    await artist.keyboard.press("Enter");
    const dialog = artist.getByRole("dialog", { name: "Accept this request" });
    await expect(dialog.getByText("Commission", { exact: true })).toBeVisible();
    await dialog.getByRole("button", { name: "Accept" }).click();
    await expect(dialog).toBeHidden();
    await expect(artist.getByText(/is booked/).first()).toBeVisible();
    // The guest's page polls when it becomes visible, otherwise every twenty seconds (guest-booking-page.test.tsx).
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(page.getByText(/is yours|contract is waiting/).first()).toBeVisible();
    await page.goto(linkIn(await findEmail(page, email, /^Booked: Electric Dreams/)));
    await expect(page.getByText(/is yours|contract is waiting/).first()).toBeVisible();

    const date = dayFromNow(197);
    await sendRequest(page, { email, date });
    const day = new Date(`${date}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
    await artist.goto(linkIn(await findEmail(artist, "artist@demo.test", new RegExp(`^New request: .* ${day}$`))));
    await artist.getByRole("button", { name: "Decline" }).click();
    const decline = artist.getByRole("dialog", { name: "Decline this request" });
    await decline.getByLabel("Note to the promoter (optional)").fill("We rest that week.");
    await expectAccessible(artist);
    await decline.getByRole("button", { name: "Decline" }).click();
    await expect(artist.getByText("This request was declined.")).toBeVisible();
    await page.goto(linkIn(await findEmail(page, email, /^Canceled: Electric Dreams/)));
    await expect(page.getByText("This request was declined.")).toBeVisible();
    await expect(page.getByText(/We rest that week/)).toBeVisible();
  } finally {
    await requireDeposit(artist, true);
    await artist.context().close();
  }
});
