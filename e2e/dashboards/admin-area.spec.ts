import { chooseAction, expect, expectAccessible, signIn, test } from "../support/browser.ts";

const screens = [
  { label: "Overview", at: "/admin", heading: "Overview" },
  { label: "Artists", at: "/admin/artists", heading: "Artists" },
  { label: "Bookings", at: "/admin/bookings", heading: "Bookings" },
  { label: "Contracts", at: "/admin/contracts", heading: "Contracts" },
  { label: "Payments", at: "/admin/payments", heading: "Payments Management" },
  { label: "Users", at: "/admin/users", heading: "User Management" },
  { label: "Settings", at: "/admin/settings", heading: "Settings" },
  { label: "Logs", at: "/admin/logs", heading: "Activity Logs" },
];

test("opens a screen for every entry of the sidebar", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin");
  const sidebar = page.getByRole("navigation", { name: "Admin Panel pages" });
  for (const { label, at, heading } of screens) {
    await sidebar.getByRole("link", { name: label }).click();
    await expect(page).toHaveURL(at);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
  }
});

test("stores tab, order and page of the bookings in the URL, and opens a booking by its number", async ({ page }) => {
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
  await page.getByRole("link", { name: /SD-/ }).first().click();
  await expect(page).toHaveURL(/\/admin\/bookings\/[0-9a-f-]{36}$/);
});

test("deactivates an artist, and undoes it by the message", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/artists?search=electric+dreams");
  const own = page.getByRole("switch", { name: "Electric Dreams can be found and booked" }).first();
  await own.click();
  await expect(own).toHaveAttribute("aria-checked", "false");
  await expect.poll(async () => (await page.request.get("/api/artists/electric-dreams")).status()).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(own).toHaveAttribute("aria-checked", "true");
  await expect.poll(async () => (await page.request.get("/api/artists/electric-dreams")).status()).toBe(200);
});

test("opens a payment's receipt with the ledger, and saves the list as a file", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/payments?status=succeeded");
  await chooseAction(page, /^Actions: SD-/, "Receipt and details");
  const dialog = page.getByRole("dialog", { name: "Receipt and details" });
  await expect(dialog.getByText("Payment captured")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
});

test("opens a log entry's metadata, and filters the list by search and type", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/logs");
  await page.locator("summary").first().click();
  await expect(page.getByRole("button", { name: "Copy as JSON" }).first()).toBeVisible();
  await page.getByLabel("Type").selectOption("payment");
  await expect(page).toHaveURL(/type=payment/);
  await page.getByLabel("Search").fill("no entry says this");
  await expect(page.getByText("No logs found")).toBeVisible();
});
