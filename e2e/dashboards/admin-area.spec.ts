/** The admin walks through every list: what it shows, how it is narrowed, and what each row leads to. */
import { expect, expectAccessible, signIn, test } from "../support/browser.ts";

const screens = [
  { at: "/admin", heading: "Overview" },
  { at: "/admin/artists", heading: "Artists" },
  { at: "/admin/artists/new", heading: "New artist" },
  { at: "/admin/bookings", heading: "Bookings" },
  { at: "/admin/contracts", heading: "Contracts" },
  { at: "/admin/payments", heading: "Payments Management" },
  { at: "/admin/users", heading: "User Management" },
  { at: "/admin/settings", heading: "Settings" },
  { at: "/admin/logs", heading: "Activity Logs" },
];

test("every screen of the sidebar is there, and accessible in both schemes", async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page, "admin@demo.test");
  await page.goto("/admin");
  const sidebar = page.getByRole("navigation", { name: "Admin Panel pages" });
  for (const label of ["Overview", "Artists", "Bookings", "Contracts", "Payments", "Users", "Settings", "Logs"])
    await expect(sidebar.getByRole("link", { name: label })).toBeVisible();
  for (const { at, heading } of screens) {
    await page.goto(at);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectAccessible(page);
  }
});

test("bookings: a tab, an order and a page stand in the address, and a number opens the booking", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/bookings");
  await page
    .getByRole("navigation", { name: "Status" })
    .getByRole("link", { name: /^Completed/ })
    .click();
  await expect(page).toHaveURL(/status=completed/);
  await page.getByRole("columnheader", { name: "Event" }).getByRole("link").click();
  await expect(page).toHaveURL(/sort=event/);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.goBack();
  await expect(page.getByText(/^1 to 25 of/)).toBeVisible();
  await page.getByRole("link", { name: /^SD-/ }).first().click();
  await expect(page).toHaveURL(/\/admin\/bookings\/[0-9a-f-]{36}$/);
});

test("artists: one is made inactive and the message takes it back", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/artists?search=electric+dreams");
  const own = page.getByRole("switch", { name: "Electric Dreams can be found and booked" }).first();
  await own.click();
  await expect(own).toHaveAttribute("aria-checked", "false");
  expect((await page.request.get("/api/artists/electric-dreams")).status()).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(own).toHaveAttribute("aria-checked", "true");
  await expect.poll(async () => (await page.request.get("/api/artists/electric-dreams")).status()).toBe(200);
});

test("payments: a receipt opens with the ledger, and the list is saved as a file", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/payments?status=succeeded");
  await page
    .getByRole("button", { name: /^Receipt and details/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "Receipt and details" });
  await expect(dialog.getByText("Payment captured")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
});

test("logs: an entry opens to its metadata, and a search and a type narrow the list", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/logs");
  await page.locator("summary").first().click();
  await expect(page.getByRole("button", { name: "Copy as JSON" }).first()).toBeVisible();
  await page.getByLabel("Type").selectOption("payment");
  await expect(page).toHaveURL(/type=payment/);
  await page.getByLabel("Search").fill("no entry says this");
  await expect(page.getByText("No logs found")).toBeVisible();
});
