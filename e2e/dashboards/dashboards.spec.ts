import { bearerOf, bookingRequest } from "../support/api.ts";
import { dayFromNow, expect, loaded, signIn, test } from "../support/browser.ts";
import { daily } from "../support/tier.ts";

const areas = [
  {
    email: "admin@demo.test",
    title: "Admin Panel",
    home: "/admin",
    list: "/admin/bookings",
    others: ["/artist", "/promoter/bookings"],
  },
  {
    email: "artist@demo.test",
    title: "Artist Dashboard",
    home: "/artist",
    list: "/artist/bookings",
    others: ["/admin", "/promoter/bookings"],
  },
  {
    email: "promoter@demo.test",
    title: "Promoter Dashboard",
    home: "/promoter/bookings",
    list: "/promoter/bookings",
    others: ["/admin", "/artist"],
  },
];

test("redirects a visitor to the sign-in, and afterwards to the requested page", async ({ page }) => {
  await page.goto("/artist/bookings");
  await expect(page).toHaveURL(/\/auth/);
  const panel = page.getByRole("tabpanel", { name: "Sign In" });
  await panel.getByLabel("Email").fill("artist@demo.test");
  await panel.getByLabel("Password", { exact: true }).fill("demo-password");
  await panel.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/artist/bookings");
  await expect(page.getByRole("heading", { level: 1, name: "Bookings" })).toBeVisible();
});

test.describe("failed sign-in", () => {
  test.use({ allowedComplaints: [/status of 400/] });
  test("reports a wrong password, and retains the input", async ({ page }) => {
    await page.goto("/auth");
    const panel = page.getByRole("tabpanel", { name: "Sign In" });
    await panel.getByLabel("Email").fill("artist@demo.test");
    await panel.getByLabel("Password", { exact: true }).fill("not the password");
    await panel.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByText("Error", { exact: true })).toBeVisible();
    await expect(panel.getByLabel("Email")).toHaveValue("artist@demo.test");
    await expect(panel.getByRole("button", { name: "Sign In" })).toBeEnabled();
  });
});

for (const { email, title, home, list, others } of areas) {
  test(`${title}: opens the shell and the list after the sign-in, and refuses closed pages`, async ({ page }) => {
    await signIn(page, email);
    await page.goto("/dashboard");
    await expect(page).toHaveURL(home);
    const sidebar = page.locator("[data-sidebar]").first();
    await expect(sidebar).toContainText(title);

    const wide = await sidebar.evaluate((element) => element.getBoundingClientRect().width);
    await page.keyboard.press("Control+b");
    await expect
      .poll(() => sidebar.evaluate((element) => element.getBoundingClientRect().width))
      .toBeLessThan(wide / 2);
    await page.reload();
    await expect(page.locator("[data-sidebar]").first()).toBeVisible();
    await expect
      .poll(() =>
        page
          .locator("[data-sidebar]")
          .first()
          .evaluate((element) => element.getBoundingClientRect().width),
      )
      .toBeLessThan(wide / 2);
    await page.keyboard.press("Control+b");
    await expect
      .poll(() =>
        page
          .locator("[data-sidebar]")
          .first()
          .evaluate((element) => Math.round(element.getBoundingClientRect().width)),
      )
      .toBe(256);

    await page.goto(list);
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await page.goto(home);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    for (const other of others) {
      await page.goto(other);
      await expect(page).toHaveURL(home);
    }
  });

  test.describe(`${title}: server failure`, () => {
    test.use({ allowedComplaints: [/500|Failed to load resource/] });
    test(
      "displays an error with Retry, never an empty list",
      {
        tag: title.startsWith("Promoter") ? [] : [daily],
      },
      async ({ page }) => {
        await signIn(page, email);
        // The event stream is blocked, because an update would reload the list before the button does.
        await page.route("**/api/events*", (route) => route.abort());
        await page.route(`**/api${list}*`, (route) =>
          route.fulfill({
            status: 500,
            contentType: "application/json",
            body: JSON.stringify({ code: "internal", message: "Something went wrong.", requestId: "r-1" }),
          }),
        );
        await page.goto(list);
        await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
        await expect(page.getByText(/No bookings/)).toHaveCount(0);
        await page.unroute(`**/api${list}*`);
        await page.getByRole("button", { name: "Retry" }).click();
        await expect(page.getByRole("row").nth(1)).toBeVisible();
      },
    );
  });
}

test("pays the deposit of a request from the promoter's list, in a new tab", async ({ page, context }) => {
  await signIn(page, "promoter@demo.test");
  // Replaces the request that is paid here, because other tests of this market need one.
  const response = await page.request.post("/api/bookings", {
    headers: await bearerOf(page.request, "promoter@demo.test"),
    data: bookingRequest(dayFromNow(240)),
  });
  expect(response.status(), await response.text()).toBe(201);
  await page.goto("/promoter/bookings");
  const rows = page.locator("[data-row]");
  const pay = rows
    .getByRole("link", { name: /^Pay Deposit/ })
    .filter({ visible: true })
    .first();
  // The row's link is as large as the row and must not cover the button, on a phone either.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await pay.click({ trial: true });
  await page.setViewportSize({ width, height });
  await expect(pay).toBeVisible();
  const opened = context.waitForEvent("page");
  await pay.click();
  const tab = await opened;
  await tab.waitForURL(/\/sandbox\//);
  await tab.getByRole("button", { name: "Pay" }).click();
  await tab.waitForURL(/\/booking-success/);
  await expect(tab.getByText(/Deposit/).first()).toBeVisible();
});

test("opens a booking's panel over the list without moving its row", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const { email, list } of areas) {
    // An open page that renews its session now would be refused and log an error.
    await page.goto("about:blank");
    await signIn(page, email);
    await page.goto(`${list}?show=all`);
    await expect(page.locator("main tbody a").first()).toBeVisible();
    // What loads above the list moves its rows.
    await loaded(page);
    await page.keyboard.press("j");
    const row = page.locator("main tbody tr").first();
    const before = await row.boundingBox();
    await page.keyboard.press(" ");
    const panel = page.getByRole("complementary", { name: "The chosen booking" });
    await expect(panel.getByText("Venue", { exact: true })).toBeVisible();
    expect(await row.boundingBox(), list).toEqual(before);
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(row.getByRole("link").first()).toBeFocused();
  }
});
