/**
 * Screenshots of every screen in e2e/out, wide and narrow, light and dark: with the demo market's data, in an empty market,
 * while responses are held back, and with server failures. Each part also gets one sheet of all screenshots.
 * SCREENSHOTS_SERVER names a running server, except for the empty market. ONLY filters the screens by URL.
 */

import { type Browser, type Page, test } from "@playwright/test";
import { openAccount, someone, password } from "../support/accounts.ts";
import { demoPassword, signIn } from "../support/browser.ts";
import { firstOfList, screens } from "../support/screens.ts";
import { startServer } from "../support/server.ts";
import { laySheets, openAlbum, photograph } from "./camera.ts";

const states = ["data", "empty", "loading", "failing"] as const;
type State = (typeof states)[number];
const readers = ["visitor", "admin", "artist", "promoter"] as const;
type Reader = (typeof readers)[number];

/** The API requests of a screen, except the one for the current user. */
const answers = /\/api\/(?!me$|events|dev\/)/;

async function enter(page: Page, reader: Reader, state: State): Promise<void> {
  if (reader === "visitor") return;
  if (state !== "empty") return signIn(page, `${reader}@demo.test`, demoPassword);
  const person = someone(`New ${reader}`);
  await openAccount(page, person, reader);
  await signIn(page, person.email, password);
}

async function setState(page: Page, state: State): Promise<void> {
  if (state === "loading") await page.route(answers, () => undefined);
  if (state === "failing")
    await page.route(answers, (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/json",
        body: JSON.stringify({ code: "internal", message: "Something went wrong.", requestId: "r-1" }),
      }),
    );
}

/** Opens a URL, with the id of the list's first row if required. Returns false if the list is empty. */
async function open(page: Page, address: string): Promise<boolean> {
  await page.goto(address.replace(`/${firstOfList}`, ""));
  if (!address.endsWith(`/${firstOfList}`)) return true;
  const row = page.locator("main tbody a, main li h2 a").first();
  await row.waitFor({ timeout: 5_000 }).catch(() => undefined);
  if ((await row.count()) === 0) return false;
  const to = await row.getAttribute("href");
  if (to) await page.goto(to);
  return to !== null;
}

async function take(browser: Browser, baseURL: string, reader: Reader, state: State): Promise<void> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  await enter(page, reader, state);
  const album = openAlbum(`${state}-${reader}`);
  const only = new RegExp(process.env["ONLY"] ?? "");
  for (const [address] of screens[reader]) {
    if (!only.test(address)) continue;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // The list before a row must load. Only the page behind it is held back.
    const isRow = address.endsWith(`/${firstOfList}`);
    if (!isRow) await setState(page, state);
    if (!(await open(page, address))) continue;
    if (isRow && state !== "data") {
      await setState(page, state);
      await page.reload();
    }
    await page.waitForTimeout(900);
    // The whole page only with data. Empty, loading and failed pages fit into the first screen.
    await photograph(page, album, address, { whole: state === "data", wait: state !== "loading" });
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await laySheets(page, album);
  await context.close();
}

for (const state of states)
  for (const reader of readers)
    test(`${reader} ${state}`, async ({ browser }) => {
      const running = state === "empty" ? undefined : process.env["SCREENSHOTS_SERVER"];
      const server = running ? undefined : await startServer(state === "empty" ? "empty" : "demo");
      try {
        await take(browser, server?.url ?? running ?? "", reader, state);
      } finally {
        await server?.close();
      }
    });
