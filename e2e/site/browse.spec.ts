import type { Page, Route } from "@playwright/test";
import { dayFromNow, expect, test } from "../support/browser.ts";

/** The page's own requests, and those of "Show 24 more". */
const listRequests = /\/_\.data|\/api\/artists\?/;
const posters = (page: Page) => page.locator("section").first().locator(".poster");
/** Waits for the script of the list. Before that its links open separate pages. */
const listReady = (page: Page) => expect(page.getByRole("checkbox", { name: /^Compare / }).first()).toBeVisible();
const cards = (page: Page) => page.locator("#browse h3");

test.describe("failed loading of the list", () => {
  test.use({ allowedComplaints: [/Failed to load resource/] });

  const failures: [string, (route: Route) => Promise<void>][] = [
    ["the connection is lost", (route) => route.abort()],
    ["the server answers 503", (route) => route.fulfill({ status: 503, body: "Busy" })],
  ];
  for (const [what, fail] of failures) {
    test(`${what}: retains the page, displays the error, and loads the request on Retry`, async ({ page }) => {
      await page.goto("/");
      await expect(cards(page)).toHaveCount(24);
      await listReady(page);
      await page.getByRole("link", { name: "Show 24 more" }).click();
      await expect(cards(page)).toHaveCount(48);
      await page.route(listRequests, fail);

      await page.getByRole("link", { name: "Show 24 more" }).click();
      const retry = page.getByRole("link", { name: "Retry" });
      await expect(retry).toBeVisible();
      await expect(page.getByRole("alert")).toContainText("could not be reached");
      await expect(cards(page)).toHaveCount(48);
      await page.unroute(listRequests);
      await retry.click();
      await expect(cards(page)).toHaveCount(72);

      await page.route(listRequests, fail);
      await page.getByRole("searchbox").fill("electric dreams");
      await expect(page.getByRole("heading", { name: "The artists could not be loaded" })).toBeVisible();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Book Amazing Artists");
      await expect(posters(page)).toHaveCount(6);
      await expect(page.getByRole("searchbox")).toHaveValue("electric dreams");
      await page.unroute(listRequests);
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(cards(page)).toHaveText(["Electric Dreams"]);
      await expect(page.getByRole("searchbox")).toHaveValue("electric dreams");
    });
  }
});

test("retains the posters during a search", async ({ page }) => {
  await page.goto("/");
  const hung = await posters(page)
    .locator("img")
    .evaluateAll((all) => all.map((one) => one.getAttribute("src")));
  expect(hung).toHaveLength(6);
  await page.getByRole("searchbox").fill("zzzzqq");
  await expect(page.getByText("No artists found matching your search.")).toBeVisible();
  const now = await posters(page)
    .locator("img")
    .evaluateAll((all) => all.map((one) => one.getAttribute("src")));
  expect(now).toEqual(hung);
});

test("requires a date for a search by town or event type", async ({ page }) => {
  const advice = page.getByText("Add a date to see who is free in Austin.");
  await page.goto("/");
  await expect(advice).toHaveCount(0);
  await page.getByLabel("Town").fill("Austin");
  await page.getByRole("button", { name: "Find Artists" }).click();
  await expect(advice).toBeInViewport();
  await page.getByLabel("Date", { exact: true }).fill(dayFromNow(87));
  await page.getByRole("button", { name: "Find Artists" }).click();
  const heading = page.getByRole("heading", { level: 2, name: /^\d+ acts? (is|are) free and comes? to Austin$/ });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(page.getByText(/\d+ more are free but live farther away\./)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Featured Artists" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^Request anyway: / }).first()).toBeVisible();
  await expect(page.getByLabel("Sort")).toHaveValue("nearest");
  await expect(page.getByText("Free, comes to Austin").first()).toBeVisible();
  await expect(advice).toHaveCount(0);
  // A date chosen in the bar's calendar updates the result in place.
  await page.getByLabel("Date", { exact: true }).click();
  const others = page.getByRole("grid").last().getByRole("gridcell", { selected: false });
  await others.getByRole("button").first().click();
  await expect(page).not.toHaveURL(new RegExp(`night=${dayFromNow(87)}`));
  await expect(heading).toBeVisible();
});

test("passes the date and the town of a search on to the profile and the booking form", async ({ page }) => {
  const date = dayFromNow(87);
  await page.goto(`/?night=${date}&town=Austin`);
  await listReady(page);
  const name = (await cards(page).first().innerText()).trim();
  await cards(page).first().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("button", { name: /, free, chosen$/ })).toHaveCount(1);
  await page.getByRole("link", { name: "Book Me Now" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/book/[^?]+\\?date=${date}&town=Austin$`));
  await expect(page.getByLabel("Event location")).toHaveValue("Austin");
  await expect(page.getByText(/ is free\./).first()).toBeVisible();
});

test("restores the loaded pages of the list after the Back button", async ({ page }) => {
  await page.goto("/?sort=newest");
  await listReady(page);
  await page.getByRole("link", { name: "Show 24 more" }).click();
  await expect(cards(page)).toHaveCount(48);
  const last = (await cards(page).last().innerText()).trim();
  await cards(page).last().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name: last })).toBeVisible();
  await page.goBack();
  await expect(cards(page)).toHaveCount(48);
  await expect(cards(page).last()).toBeInViewport();
});

test.describe("URL with an invalid cursor", () => {
  test.use({ allowedComplaints: [/status of 400/] });
  test("links back to the first artists", async ({ page }) => {
    await page.goto("/?genre=jazz&cursor=garbage");
    await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
    await expect(posters(page)).toHaveCount(6);
    await page.getByRole("link", { name: "Back to the first artists" }).click();
    await expect(cards(page).first()).toBeVisible();
    await expect(page).toHaveURL(/\/\?genre=jazz#browse$/);
  });
});
