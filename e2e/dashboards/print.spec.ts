/** A printed booking and a printed page of a list: one sheet of A4 without what only a screen can use. */

import type { Page } from "@playwright/test";
import { paths } from "#platform/site-paths.rules.ts";
import { expect, signIn, test } from "../support/browser.ts";

/** Returns the sheets of A4 that the page prints on now. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

test("prints a booking and a page of contracts on one sheet each", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.goto(paths.admin.contracts);
  const table = page.getByRole("table", { name: /^Contracts/ });
  await expect(table).toBeVisible();
  await expect.poll(() => sheetsOf(page)).toBe(1);
  // A booking of the demo market. Other tests make bookings with more emails.
  await page.goto(`${paths.admin.bookings}?status=contract_sent&search=Copper+Canyon`);
  await page.locator("main [data-row] a").first().click();
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await expect.poll(() => sheetsOf(page)).toBe(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
});
