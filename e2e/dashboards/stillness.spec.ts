/** The cumulative layout shift of each screen while it loads, on desktop and phone. Prints a table. */

import type { Locator, Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { dayFromNow, expect, hydrated, loaded, preparedPictures, signIn, test } from "../support/browser.ts";
import { firstOfList, screens } from "../support/screens.ts";
import { daily, sizesOfToday } from "../support/tier.ts";

/** Our limit for every screen. web.dev/cls calls a sum up to 0.1 "good". */
const max = 0.02;

declare global {
  interface Window {
    /** The sum of all shifts without a preceding input, and the shifted elements. */
    shifts: { sum: number; moved: string[] };
  }
}

/** Sums the shifts of a page from its first paint. */
const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node | null }[] };
    globalThis.window.shifts = { sum: 0, moved: [] };
    const nameOf = (node: Node | null | undefined) =>
      node instanceof Element ? `${node.tagName.toLowerCase()}.${String(node.className).split(" ")[0]}` : "";
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        globalThis.window.shifts.sum += entry.value;
        globalThis.window.shifts.moved.push(...entry.sources.map(({ node }) => nameOf(node)).filter(Boolean));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** Returns the URL of a screen, with the id of the first row of its list. */
async function addressOf(page: Page, address: string): Promise<string> {
  if (!address.endsWith(`/${firstOfList}`)) return address;
  await page.goto(address.replace(`/${firstOfList}`, ""));
  const link = page.locator("main [data-row] a").first();
  await link.waitFor({ state: "attached" });
  return (await link.getAttribute("href")) ?? address;
}

// Visitor pages are opened without a booking.
// A single pattern, because Playwright reads a list of two as a value with its options.
test.use({
  allowedComplaints: [new RegExp(`status of 404|${preparedPictures.source}`)],
});

for (const reader of ["visitor", "admin", "artist", "promoter"] as const)
  test(
    `loads the screens of the ${reader} without layout shifts`,
    { tag: reader === "visitor" ? [] : [daily] },
    async ({ page }) => {
      test.setTimeout(600_000);
      if (reader !== "visitor") await signIn(page, `${reader}@demo.test`);
      await watchShifts(page);
      const rows: string[] = [];
      const restless: string[] = [];
      for (const [screen] of screens[reader]) {
        const address = await addressOf(page, screen);
        const found: string[] = [];
        for (const size of sizesOfToday) {
          await page.setViewportSize(size);
          await page.goto("about:blank");
          await page.goto(address);
          await loaded(page);
          const { sum, moved } = await page.evaluate(() => globalThis.window.shifts);
          found.push(sum.toFixed(3));
          if (sum > max)
            restless.push(`${screen} at ${size.width}: ${sum.toFixed(3)} by ${[...new Set(moved)].join(", ")}`);
        }
        rows.push(`${screen.padEnd(52)} ${found.join("  ")}`);
      }
      process.stdout.write(
        `\n${"screen".padEnd(52)} ${sizesOfToday.map(({ width }) => `${width}`.padEnd(5)).join("  ")}\n`,
      );
      process.stdout.write(`${rows.join("\n")}\n`);
      expect(restless).toEqual([]);
    },
  );

test("keeps the light behind the posters in place while they arrive on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await watchShifts(page);
  await page.goto(paths.home);
  await hydrated(page);
  const wall = await page.locator("section:has(h1) [aria-hidden]:has(> div > .poster)").elementHandle();
  const parent = await wall?.evaluateHandle((element) => element.parentElement);
  await wall?.evaluate((element) => element.remove());
  await loaded(page);
  await parent?.evaluate((element, posters) => posters && element?.append(posters), wall);
  await loaded(page);
  expect(await page.evaluate(() => globalThis.window.shifts.sum)).toBeLessThanOrEqual(max);
});

/** Returns a function that finds the first night of Electric Dreams in a state. */
async function readNights(page: Page): Promise<(state: string) => string> {
  const availability = await page.request.get(
    `/api/artists/electric-dreams/availability?from=${dayFromNow(1)}&to=${dayFromNow(200)}`,
  );
  const { items } = (await availability.json()) as { items: { night: string; state: string }[] };
  return (state) => items.find((one) => one.state === state)?.night ?? "";
}

const topOf = (element: Locator) =>
  element.evaluate((one) => Math.round(one.getBoundingClientRect().top + globalThis.scrollY));

async function chooseDate(page: Page, date: string, message: RegExp): Promise<void> {
  await page.getByLabel("Event date").fill(date);
  await page.getByLabel("Event date").press("Tab");
  await expect(page.getByText(message).first()).toBeVisible();
}

test("keeps the fields of the booking form in place when its date turns out to be free", async ({ page }) => {
  const nightOf = await readNights(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(paths.book("electric-dreams"));
  const topAfter = async (date: string, message: RegExp) => {
    await chooseDate(page, date, message);
    return topOf(page.getByLabel("Event location"));
  };
  // Holds the response back, to measure while the date is checked.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/bookings/check", async (route) => {
    await released;
    await route.continue();
  });
  const checking = await topAfter(nightOf("free"), /We are checking whether/);
  release();
  await expect(page.getByText(/is free\./).first()).toBeVisible();
  const free = await topOf(page.getByLabel("Event location"));
  expect(Math.abs(free - checking)).toBeLessThanOrEqual(4);
  // Only the nearest free dates of the others need more space.
  const others = [
    await topAfter(nightOf("taken"), /is taken\./),
    await topAfter(dayFromNow(-3), /has passed\./),
    await topAfter(dayFromNow(800), /days ahead\./),
  ];
  for (const top of others) expect(top - free).toBeLessThanOrEqual(140);
});

test("keeps the price and the button beside the booking form in place when the first date is checked", async ({
  page,
}) => {
  const nightOf = await readNights(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const button = page.getByRole("button", { name: "Request booking" });
  const price = page.getByText("You pay in all");
  for (const [date, message] of [
    [nightOf("free"), /is free\./],
    [nightOf("taken"), /is taken\./],
    [dayFromNow(-3), /has passed\./],
    [dayFromNow(800), /days ahead\./],
  ] as const) {
    await page.goto(paths.book("electric-dreams"));
    await expect(button).toBeEnabled();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = { button: await topOf(button), price: await topOf(price) };
    await chooseDate(page, date, message);
    expect(Math.abs((await topOf(button)) - before.button), `button: ${message}`).toBeLessThanOrEqual(24);
    // Only the nearest free dates move the price.
    if (date === nightOf("free")) expect(Math.abs((await topOf(price)) - before.price), "price").toBeLessThanOrEqual(4);
    // The form's draft would fill in the date.
    await page.evaluate(() => sessionStorage.clear());
  }
});
