/**
 * Pictures of every screen in e2e/out, wide and narrow, light and dark: with the demo market's data, in an empty market, while the answers
 * are held back, and when the server fails. Beside the pictures each part gets one sheet of all of them.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, type Page, test } from "@playwright/test";
import { openAccount, someone, password } from "../support/accounts.ts";
import { demoPassword, signIn } from "../support/browser.ts";
import { firstOfList, screens } from "../support/screens.ts";
import { startServer } from "../support/server.ts";

const states = ["data", "empty", "loading", "failing"] as const;
type State = (typeof states)[number];
const readers = ["visitor", "admin", "artist", "promoter"] as const;
type Reader = (typeof readers)[number];
const widths = [1280, 390] as const;
const schemes = ["light", "dark"] as const;
const out = path.resolve(import.meta.dirname, "../out");

/** What a screen asks of the server by itself, but for who the reader is. */
const answers = /\/api\/(?!me$|events|dev\/)/;

async function enter(page: Page, reader: Reader, state: State): Promise<void> {
  if (reader === "visitor") return;
  if (state !== "empty") return signIn(page, `${reader}@demo.test`, demoPassword);
  const person = someone(`New ${reader}`);
  await openAccount(page, person, reader);
  await signIn(page, person.email, password);
}

/** Holds the answers back, or has them fail, as the state says. */
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

const nameOf = (address: string) => address.replaceAll(/[^\w-]+/g, "_").replaceAll(/^_|_$/g, "") || "home";

/** Waits until nothing is loading any more; what is still loading after some seconds is photographed so. */
const loaded = (page: Page) =>
  page
    .waitForFunction(() => !document.querySelector("[aria-busy='true'], [role='status'][aria-label='Loading']"), null, {
      timeout: 6_000,
    })
    .catch(() => undefined);

/** The address, with the id of the first row of the list where one is asked for; nothing where the list is empty. */
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
  for (const width of widths)
    for (const colorScheme of schemes) {
      const context = await browser.newContext({
        baseURL,
        colorScheme,
        viewport: { width, height: width < 500 ? 844 : 900 },
      });
      const page = await context.newPage();
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
      await enter(page, reader, state);
      const folder = path.join(out, `${state}-${reader}-${width}-${colorScheme}`);
      mkdirSync(folder, { recursive: true });
      const taken: { name: string; picture: string }[] = [];
      for (const [address] of screens[reader]) {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        // The list that leads to a row has to answer; only the page behind it is held back.
        const isRow = address.endsWith(`/${firstOfList}`);
        if (!isRow) await setState(page, state);
        if (!(await open(page, address))) continue;
        if (isRow && state !== "data") {
          await setState(page, state);
          await page.reload();
        }
        await page.waitForTimeout(900);
        if (state !== "loading") await loaded(page);
        // The whole page with data; what is empty, loading or failing shows within the first screen.
        const picture = await page.screenshot({
          path: path.join(folder, `${nameOf(address)}.png`),
          fullPage: state === "data",
        });
        taken.push({ name: address, picture: picture.toString("base64") });
      }
      await sheet(page, taken, `${folder}.png`);
      await context.close();
    }
}

/** All pictures of a part on one sheet, so that a look at it is quick; very long ones are cut off at the foot. */
async function sheet(page: Page, taken: readonly { name: string; picture: string }[], file: string): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1_800, height: 900 });
  const figures = taken.map(
    ({ name, picture }) =>
      `<figure><img src="data:image/png;base64,${picture}"><figcaption>${name}</figcaption></figure>`,
  );
  await page.setContent(
    `<style>body{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;font:14px sans-serif;background:#fff;color:#000;align-items:start}figure{margin:0}img{width:100%;max-height:1200px;object-fit:cover;object-position:top;outline:1px solid #999}</style>${figures.join("")}`,
  );
  await page.screenshot({ path: file, fullPage: true });
}

for (const state of states)
  for (const reader of readers)
    test(`${reader} ${state}`, async ({ browser }) => {
      const server = await startServer(state === "empty" ? { SEED: "none" } : {});
      try {
        await take(browser, server.url, reader, state);
      } finally {
        await server.close();
      }
    });
