/** Settings of the three roles: each saves, reloads, and sees another part of the product behave otherwise. */
import { expect, expectAccessible, signIn, test } from "./support/browser.ts";

test("a promoter's settings fill in the booking form", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/settings");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  const save = page.getByRole("button", { name: "Save Settings" });
  await expect(save).toBeDisabled();
  await page.getByLabel("Organization Name (optional)").fill("Ellis Street Nights");
  await page.getByLabel("Contact Name (optional)").fill("Ada Wren");
  await page.getByLabel("Phone (optional)").fill("+1 512 555 0177");
  await expect(
    page.getByText("3 changes not saved: the organization, the contact name, the phone number."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Preferences" }).click();
  await expect(page).toHaveURL("/promoter/settings?tab=preferences");
  await page.getByLabel("Default Event Duration").fill("5");
  await expect(page.getByText(/4 changes not saved/)).toBeVisible();
  await save.click();
  await expect(page.getByText("Your settings have been updated successfully.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Default Event Duration")).toHaveValue("5");
  await expectAccessible(page);
  await page.goto("/promoter/settings?tab=notifications");
  await expect(page.getByRole("switch", { name: "Urgent updates by SMS" })).not.toBeChecked();
  await expectAccessible(page);
  await page.goto("/promoter/settings");
  await expect(page.getByLabel("Contact Name (optional)")).toHaveValue("Ada Wren");
  await expectAccessible(page);

  await page.goto("/book/electric-dreams");
  await expect(page.getByLabel("Full name")).toHaveValue("Ada Wren, Ellis Street Nights");
  await expect(page.getByLabel("Phone")).toHaveValue("+1 512 555 0177");
  await expect(page.getByLabel("Duration (optional)")).toHaveValue("5 hours");
  await expect(page.getByText("Read as 5 hours.")).toBeVisible();
});

test("a promoter's payments have two decimals and lead on", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/bookings");
  await page.getByRole("link", { name: "Payments" }).click();
  await expect(page).toHaveURL("/promoter/payments");
  const table = page.getByRole("table", { name: "Your payments, newest first" });
  await expect(table.getByText(/^\$[\d,]+\.\d\d/).first()).toBeVisible();
  await expectAccessible(page);
  await table.getByRole("link", { name: /^SD-/ }).first().click();
  await expect(page).toHaveURL(/\/promoter\/bookings\/[\da-f-]{36}$/);
  await page.goBack();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /\$[\d,]+\.\d\d/ })
      .first(),
  ).toBeVisible();
  await expectAccessible(page, ["light"]);
});

test.describe("settings that cannot be read", () => {
  // The browser itself complains about the failed request.
  test.use({ allowedComplaints: [/status of 500/] });
  test("say so and offer Retry, never a form with defaults", async ({ page }) => {
    await signIn(page, "promoter@demo.test");
    await page.route("**/api/promoter/settings", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.goto("/promoter/settings");
    await expect(page.getByText("Your settings could not be loaded")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save Settings" })).toHaveCount(0);
    await page.unroute("**/api/promoter/settings");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByLabel("Organization Name (optional)")).toBeVisible();
  });
});
