/** Where the focus goes by keyboard when a dialog, a menu, a bar or a button with the focus goes away. */

import type { Locator, Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { expect, expectAccessible, signIn, test } from "../support/browser.ts";
import { startServer } from "../support/server.ts";

/** Presses Enter or Space on an element that has the focus. */
async function press(element: Locator, key = "Enter"): Promise<void> {
  await element.focus();
  await expect(element).toBeFocused();
  await element.press(key);
}

async function openFromMenu(page: Page, menu: Locator, item: RegExp): Promise<void> {
  await press(menu);
  await press(page.getByRole("menuitem", { name: item }).first());
  await expect(page.getByRole("dialog").locator(":focus")).toBeVisible();
}

test("returns to the menu of a user's row from the dialogs of its items", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/users?search=promoter@demo.test");
  const menu = page.getByRole("row", { name: /promoter@demo\.test/ }).getByRole("button", { name: /^Actions: / });
  for (const item of [/^Change role to admin/, /^Suspend/]) {
    await openFromMenu(page, menu, item);
    await page.keyboard.press("Escape");
    await expect(menu).toBeFocused();
  }
});

test("returns to a chosen row from the bar of a list", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto("/admin/bookings");
  const row = page.getByRole("checkbox", { name: "Select this row" }).filter({ visible: true }).nth(1);
  await press(row, "Space");
  await press(page.getByRole("button", { name: "Clear selection" }));
  await expect(row).toBeFocused();
});

test("returns to the changed field from both buttons of the save bar", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/settings");
  const field = page.getByLabel("Contact Name (optional)");
  // The script that watches the focus loads after the page.
  await expect(async () => {
    await field.fill("Jordan");
    await press(page.getByRole("button", { name: "Undo" }));
    await expect(field).toBeFocused({ timeout: 1000 });
  }).toPass();
  await field.fill("Jordan Ellis-Smith");
  await press(page.getByRole("button", { name: "Save Settings" }));
  await expect(page.getByText("Your settings have been updated successfully.")).toBeVisible();
  await expect(field).toBeFocused();
});

test("returns to the rate from the button with the likely amount", async ({ page }) => {
  await signIn(page, "artist@demo.test");
  await page.goto("/artist/profile");
  const rate = page.getByLabel(/^Base Rate/);
  await rate.fill("1800");
  await press(page.getByRole("button", { name: /^Use \$/ }));
  await expect(rate).toBeFocused();
});

test("returns to the sample from the closed player, and to the heading of the next page", async ({ page }) => {
  await page.goto(paths.artist("electric-dreams"));
  const play = page.getByRole("button", { name: /^Play .* by Electric Dreams$/ }).first();
  const name = (await play.getAttribute("aria-label")) ?? "";
  await press(play);
  await press(page.getByRole("button", { name: "Close player" }));
  await expect(page.getByRole("button", { name }).first()).toBeFocused();
  await press(
    page
      .getByRole("main")
      .getByRole("link", { name: /^(Book|Check)/ })
      .first(),
  );
  await expect(page).toHaveURL(/\/book\//);
  await expect(page.locator("body")).not.toBeFocused();
});

test("shows the progress of the demo's clock, refuses a second move, and returns to its button", async ({
  browser,
}) => {
  const server = await startServer("empty");
  const page = await browser.newPage();
  try {
    await page.goto(`${server.url}/dev/outbox`);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(`${server.url}/dev/clock`, async (route) => {
      await held;
      await route.continue();
    });
    const button = page.getByRole("button", { name: "1 day" });
    const status = page.locator("form").getByRole("status");
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(status).toContainText("Moving the clock ahead by 1 day.");
    await expect(page.getByRole("progressbar")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(status).toHaveText("The clock is already being moved. Wait until it has finished.");
    await expectAccessible(page);
    release();
    await expect(status).toHaveText("The clock was moved ahead by 1 day.");
    await expect(button).toBeFocused();
    await page.goto(`${server.url}/dev/outbox?clock=moving`);
    await expect(page.getByRole("alert")).toBeFocused();
  } finally {
    await page.close();
    await server.close();
  }
});
