import { expect, expectAccessible, signIn, test } from "../support/browser.ts";

test("prefills the booking form with the promoter's settings", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/settings");
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  const save = page.getByRole("button", { name: "Save Settings" });
  const bar = page.locator("[data-open]").filter({ has: save });
  await expect(bar).toHaveCount(0);
  await page.getByLabel("Organization Name (optional)").fill("Ellis Street Nights");
  await page.getByLabel("Contact Name (optional)").fill("Ada Wren");
  await page.getByLabel("Phone (optional)").fill("+1 512 555 0177");
  await expect(
    page.getByText("3 changes not saved: the organization, the contact name, the phone number."),
  ).toBeVisible();
  await expect(bar).toBeInViewport();
  await page.getByRole("link", { name: "Payments" }).click();
  await expect(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep editing" }).click();
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
  await expect(page.getByText("5 hours.")).toBeVisible();
});

test("displays a promoter's payments with two decimals and links", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto("/promoter/bookings");
  await page.getByRole("link", { name: "Payments" }).click();
  await expect(page).toHaveURL("/promoter/payments");
  const table = page.getByRole("table", { name: "Your payments" });
  await expect(table.getByText(/^\$[\d,]+\.\d\d/).first()).toBeVisible();
  await expectAccessible(page);
  await table.getByRole("link", { name: / SD-/ }).first().click();
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

test("hides days, kinds of event and the public page by the artist's settings", async ({ page, browser }) => {
  const visitor = await (await browser.newContext()).newPage();
  await signIn(page, "artist@demo.test");
  await page.goto("/artist/settings");
  await expect(page.getByLabel("Minimum Notice")).toHaveValue("7");
  await page.getByLabel("Availability Note (optional)").fill("No shows on Mondays.");
  await page.getByLabel("Travel Radius").fill("1001");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Enter a whole number from 0 to 1000.")).toBeVisible();
  await page.getByLabel("Travel Radius").fill("80");
  await page.getByRole("link", { name: "Preferences" }).click();
  await page.getByRole("switch", { name: "Accept Wedding Events" }).click();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Your settings have been updated successfully.")).toBeVisible();
  await page.goto("/artist/settings");
  await expect(page.getByLabel("Travel Radius")).toHaveValue("80");
  await visitor.goto("/book/electric-dreams");
  await expect(visitor.getByLabel("Event type").getByRole("option", { name: "Wedding" })).toHaveCount(0);
  await visitor.goto("/artist/electric-dreams");
  await expect(visitor.getByText("No shows on Mondays.")).toBeVisible();

  await page.goto("/artist/settings?tab=privacy");
  await page.getByRole("switch", { name: "Public Profile" }).click();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Your public page is hidden.")).toBeVisible();
  expect((await visitor.goto("/artist/electric-dreams"))?.status()).toBe(404);
  await expect(visitor.getByText("Artist not found")).toBeVisible();
  // Restores the artist for the other tests of this market.
  await page.getByRole("switch", { name: "Public Profile" }).click();
  await page.getByRole("link", { name: "Preferences" }).click();
  await page.getByRole("switch", { name: "Accept Wedding Events" }).click();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText(/changes not saved/)).toHaveCount(0);
  expect((await visitor.goto("/artist/electric-dreams"))?.status()).toBe(200);
});

test("applies the platform's settings and brand immediately, and tests its services", async ({ page, browser }) => {
  const visitor = await (await browser.newContext()).newPage();
  await signIn(page, "admin@demo.test");
  for (const tab of ["", "?tab=esign", "?tab=notifications", "?tab=brand", "?tab=integrations"]) {
    await page.goto(`/admin/settings${tab}`);
    await expect(page.getByRole("link", { name: "Integrations" })).toBeVisible();
    if (tab === "?tab=integrations")
      await expect(page.getByText("/api/webhooks/stripe", { exact: true })).toBeVisible();
  }
  await page.getByRole("button", { name: "Test /api/webhooks/stripe" }).click();
  await expect(page.getByText(/The signature was accepted/)).toBeVisible();
  await page.getByRole("button", { name: "Test /api/webhooks/esign" }).click();
  await expect(page.getByText(/An event was sent to this address and refused/)).toBeVisible();
  await page.getByRole("link", { name: "E-Sign" }).first().click();
  await page.getByRole("button", { name: "Test API Connection" }).click();
  await expect(page.getByText(/Built-in signing runs on this server/)).toBeVisible();
  await page.getByLabel("Provider").selectOption("docuseal");
  await page.getByLabel("API Key").fill("key-of-the-signing-service-3f9a");
  await page.getByRole("button", { name: "Save Key" }).click();
  await expect(page.getByText("DocuSeal: ends in 3f9a.")).toBeVisible();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove key" }).click();
  await expect(page.getByRole("button", { name: "Save Key" })).toBeVisible();
  await page.getByLabel("Provider").selectOption("embedded");

  const brandOf = () =>
    visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--brand").trim());
  const save = async (colour: string) => {
    await page.goto("/admin/settings?tab=brand");
    await page.getByLabel("Primary colour", { exact: true }).fill(colour);
    await page.getByRole("button", { name: "Save Settings" }).click();
    await expect(page.getByText("Your settings have been updated successfully.")).toBeVisible();
    await visitor.goto("/");
  };
  await save("#ffe600");
  expect(await brandOf()).toBe("#ffe600");
  await expectAccessible(visitor);
  await save("#6366f1");
  expect(await brandOf()).toBe("#6366f1");
});

test("displays an artist's earned and held amounts, gross and net", async ({ page }) => {
  await signIn(page, "artist@demo.test");
  await page.goto("/artist");
  await page.getByRole("link", { name: "Payouts & Earnings" }).click();
  await expect(page).toHaveURL("/artist/payouts");
  await expect(page.getByText("Total Earnings")).toBeVisible();
  const table = page.getByRole("table", { name: "Your transactions, latest event first" });
  await expect(table.getByText(/^\$[\d,]+\.\d\d$/).first()).toBeVisible();
  await expectAccessible(page);
});

test.describe("failed loading of settings", () => {
  test.use({ allowedComplaints: [/status of (500|429)/] });
  test("displays an error with Retry, never a form with defaults", async ({ page }) => {
    await signIn(page, "promoter@demo.test");
    await page.route("**/api/promoter/settings", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.goto("/promoter/settings");
    await expect(page.getByRole("heading", { name: "Settings could not be loaded" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Save Settings" })).toHaveCount(0);
    await page.unroute("**/api/promoter/settings");
    const proxyPage = { status: 429, contentType: "text/html", body: "<h1>429 Too Many Requests</h1>" };
    await page.route("**/api/promoter/settings", (route) => route.fulfill(proxyPage));
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("Too many requests were sent. Please wait a minute")).toBeVisible();
    await page.unroute("**/api/promoter/settings");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByLabel("Organization Name (optional)")).toBeVisible();
  });
});
