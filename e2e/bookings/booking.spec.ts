import type { Page } from "@playwright/test";
import { fillRequest } from "../support/booking-form.ts";
import { dayFromNow, expect, emailsTo, signIn, test } from "../support/browser.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("books an artist with a deposit, and displays the booking to promoter, artist and admin", async ({ page }) => {
  const email = `robin-${Date.now()}@example.test`;
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Book Amazing Artists" })).toBeVisible();
  await page.getByRole("searchbox").fill("electric dr");
  await page.getByRole("searchbox").press("Enter");
  await page
    .getByRole("link", { name: /Electric Dreams/ })
    .last()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Electric Dreams" })).toBeVisible();
  await page.getByRole("link", { name: "Book Me Now" }).first().click();
  await expect(page).toHaveURL(/\/book\/electric-dreams/);
  await fillRequest(page, { name: "Robin Vale", email, date: dayFromNow(60) });
  await page.getByText("Read the full contract").click();
  await expect(agreementOn(page)).toContainText("The promoter is Robin Vale");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /Submit|Request/ }).click();

  await expect(page).toHaveURL(/\/sandbox\//);
  await expect(page.getByText("$375").first()).toBeVisible();
  const contract = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Read the full contract" }).click();
  await expect(agreementOn(await contract)).toContainText("This agreement is for booking SD-");
  await (await contract).close();
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page).toHaveURL(/\/booking-success\?session_id=/);
  await expect(page.getByText("Electric Dreams").first()).toBeVisible();
  await expect(page.getByText("$375").first()).toBeVisible();
  expect(await (await page.request.get(page.url())).text()).toContain("Payment Successful!");

  await expect
    .poll(async () => (await emailsTo(page, email)).map(({ subject }) => subject).join("\n"))
    .toMatch(/deposit/i);

  await signIn(page, "artist@demo.test");
  await page.goto("/artist/bookings");
  await expect(page.getByText("Robin Vale").filter({ visible: true }).first()).toBeVisible();
  await signOut(page);
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/bookings");
  await expect(page.getByText("Robin Vale").filter({ visible: true }).first()).toBeVisible();
});

const agreementOn = (page: Page) => page.getByRole("article", { name: "Performance agreement" });

async function signOut(page: Page) {
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
}

test.describe("missing page", () => {
  test.use({ allowedComplaints: [/404/] });
  test("returns status 404", async ({ page }) => {
    const response = await page.goto("/nowhere/at/all");
    expect(response?.status()).toBe(404);
    await expect(page.getByText("Oops! Page not found")).toBeVisible();
    await expect(page.getByRole("link", { name: "Return to Home" })).toBeVisible();
    const unknown = await page.goto("/artist/nobody-by-this-name");
    expect(unknown?.status()).toBe(404);
    await expect(page.getByText("Artist not found").first()).toBeVisible();
  });
});
