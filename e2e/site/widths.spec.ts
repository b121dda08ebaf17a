/**
 * Every page at every width, with the longest names: no horizontal scroll, no overlapping texts, and no axe violation in
 * either color scheme. The pages of the three areas are also checked for the specification's words, because they are open
 * here.
 */

import type { Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { bookingRequest } from "../support/api.ts";
import { dayFromNow, expect, expectAccessible, hydrated, preparedPictures, signIn, test } from "../support/browser.ts";
import { doubleText, layoutFaults, lengthenResponses, lengthenText, longName, longVenue } from "../support/layout.ts";
import { missingWording } from "../support/missing-wording.ts";
import { firstOfList, screens } from "../support/screens.ts";
import { measuredScreens } from "../support/spec-wording-areas.ts";
import { areas, isMeasuredToday, isThorough, sizesOfToday } from "../support/tier.ts";

test.use({ allowedComplaints: [new RegExp(`status of 404|${preparedPictures.source}`)] });
// Several loads and some hundred measurements per test. These tests take longest, so both workers share them.
test.describe.configure({ mode: "parallel" });

// The narrowest width of each layout has the least space. The daily run also measures the usual widths in between.
const widths = isThorough ? [320, 390, 768, 820, 1024, 1280, 1920] : [320, 768, 1024];
/** Widths with doubled text: a phone, and in the daily run a desktop. */
const doubledAt = isThorough ? [390, 1280] : [390];

async function measure(page: Page, address: string): Promise<string[]> {
  const found: string[] = [];
  const at = async (width: number, doubled: boolean) => {
    await page.setViewportSize({ width, height: 900 });
    // One frame for media queries in scripts.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const fault of await layoutFaults(page))
      found.push(`${address} ${width}${doubled ? " at 200 %" : ""}: ${fault}`);
  };
  for (const width of widths) await at(width, false);
  await doubleText(page, true);
  for (const width of doubledAt) await at(width, true);
  await doubleText(page, false);
  // The next screen opens at the usual size, where lists are tables.
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

async function expectAccessibleToday(page: Page): Promise<void> {
  for (const size of sizesOfToday) {
    await page.setViewportSize(size);
    await expectAccessible(page);
  }
}

const newScreen = "main h1:not([data-before])";
const markScreen = (page: Page) =>
  page.evaluate(() => document.querySelector("main h1")?.setAttribute("data-before", ""));

/**
 * Navigates within a dashboard by history, because reloading and recompiling its scripts takes longer than a measurement.
 * Waits until the screen is drawn: another screen has another heading, and a tab of the same screen is marked as current.
 * Otherwise loads the page.
 */
async function turnTo(page: Page, address: string): Promise<void> {
  const pathOf = (url: string) => new URL(url, "http://localhost").pathname;
  const isOtherScreen = pathOf(address) !== pathOf(page.url());
  const tab = page.locator(`main nav:has([aria-current]) a[href="${address}"]`).first();
  if (page.url() === "about:blank" || (!isOtherScreen && (await tab.count()) === 0)) {
    await page.goto(address);
    return expect(page.locator("main h1")).toBeVisible();
  }
  await markScreen(page);
  await page.evaluate((to) => {
    // Numbered like the router's entries, because forms with unsaved changes require a number.
    const { idx = 0 } = (history.state ?? {}) as { idx?: number };
    const state = { idx: idx + 1, key: String(idx + 1) };
    history.pushState(state, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state }));
  }, address);
  await (isOtherScreen
    ? expect(page.locator(newScreen)).toBeVisible()
    : expect(tab).toHaveAttribute("aria-current", "page"));
}

test("displays long names on public pages at every width", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const found: string[] = [];
  for (const [address, screen] of screens.visitor) {
    await page.goto(address);
    await expect(page.locator("h1").first()).toBeVisible();
    if (screen) await hydrated(page);
    // The demo's outbox is excluded, because a real market has none.
    if (screen) await expectAccessibleToday(page);
    await lengthenText(page);
    found.push(...(await measure(page, address)));
  }
  expect(found).toEqual([]);
});

test("displays a long name and venue on the booking page at every width", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const response = await page.request.post("/api/bookings", {
    data: bookingRequest(dayFromNow(200), {
      clientName: longName,
      clientEmail: "widths@example.test",
      eventLocation: longVenue,
    }),
  });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await page.goto(paths.guestBooking(id));
  await expect(page.getByText(longVenue).first()).toBeVisible();
  expect(await measure(page, "/booking/{id}")).toEqual([]);
});

for (const reader of areas)
  test(`displays the specification's words and long names on the ${reader}'s pages at every width`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await signIn(page, `${reader}@demo.test`);
    await lengthenResponses(page);
    const found: string[] = [];
    const opened: readonly string[] = screens[reader].map(([address]) => address);
    expect(measuredScreens.filter((one) => one.reader === reader && !opened.includes(one.at))).toEqual([]);
    for (const [address] of screens[reader]) {
      await turnTo(page, address.replace(`/${firstOfList}`, ""));
      if (address.endsWith(`/${firstOfList}`)) {
        await markScreen(page);
        await page.locator("main tbody a").first().click();
        await expect(page.locator(newScreen)).toBeVisible();
      }
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      const specified = measuredScreens.find((one) => one.reader === reader && one.at === address);
      if (specified)
        await expect.poll(() => missingWording(page, specified), { message: `missing at ${address}` }).toEqual([]);
      if (!isMeasuredToday(reader)) continue;
      await expectAccessibleToday(page);
      found.push(...(await measure(page, address)));
    }
    expect(found).toEqual([]);
  });

test("finds an image without a text, and a contrast error of dark pages", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  await page.evaluate(() => {
    const main = document.querySelector("main");
    main?.insertAdjacentHTML("beforeend", '<p id="grey" style="color: light-dark(#000, #333)">hard to read</p>');
    main?.insertAdjacentHTML("beforeend", '<img id="silent" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">');
  });
  await expect(expectAccessible(page, ["light"])).rejects.toThrow(/light image-alt: #silent/);
  await page.evaluate(() => document.querySelector("#silent")?.remove());
  await expectAccessible(page, ["light"]);
  await expect(expectAccessible(page)).rejects.toThrow(/dark color-contrast: #grey/);
});

test("finds a page with horizontal scroll, and a date under a badge", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  expect(await layoutFaults(page)).toEqual([]);
  await page.evaluate(() => {
    const main = document.querySelector("main");
    main?.insertAdjacentHTML("beforeend", '<p id="wide" style="width: 3000px; max-width: none">wide</p>');
    main?.insertAdjacentHTML(
      "beforeend",
      '<div style="position: relative"><p>Sat 13 Feb</p><b class="badge" style="position: absolute; top: 0; left: 0">Signed</b></div>',
    );
  });
  const faults = await layoutFaults(page);
  expect(faults).toHaveLength(2);
  expect(faults[0]).toMatch(/^scrolls sideways by \d+ px: p/);
  expect(faults[1]).toBe('"Sat 13 Feb" lies over "Signed"');
});
