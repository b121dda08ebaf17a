/** Shared by all e2e tests: a page that fails on console errors, signing in, and accessibility checks. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page, test as base } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { dayMs } from "../../src/platform/time/durations.rules.ts";
import { startServer } from "./server.ts";

/** The sandboxed frame of an email runs no script, also not the one that each page gets below. */
const blockedInEmail = /^Blocked script execution in .*\/dev\/outbox\/.*\/email/;

/**
 * A test whose page fails on console errors, failed scripts and requests to other hosts, except `allowedComplaints` such as
 * expected 4xx responses. Each worker has its own demo market, so a shared change (a brand color, a hidden artist) does not
 * affect concurrent tests.
 */
export const test = base.extend<{ allowedComplaints: RegExp[]; contextsClosed: boolean }, { serverUrl: string }>({
  serverUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern that the fixture needs no other.
    async ({}, use) => {
      const server = await startServer();
      await use(server.url);
      await server.close();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  baseURL: async ({ serverUrl }, use) => use(serverUrl),
  // A context left open by a test would stay connected to the market during the next test.
  contextsClosed: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      await use(true);
      for (const context of browser.contexts()) if (!before.has(context)) await context.close();
    },
    { auto: true },
  ],
  allowedComplaints: [[], { option: true }],
  page: async ({ page, allowedComplaints, baseURL }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.addInitScript(() =>
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`Content-Security-Policy: ${effectiveDirective} ${blockedURI} ${sourceFile}`),
      ),
    );
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(baseURL ?? "") && !/^(data|blob):/.test(url))
        complaints.push(`request to another host: ${url}`);
    });
    await use(page);
    const allowed = [blockedInEmail, ...allowedComplaints];
    expect(complaints.filter((text) => !allowed.some((one) => one.test(text)))).toEqual([]);
  },
});

export { expect };

/** Complaints about a picture of the newest email in the outbox: if the prepared market sent it, it has the address of that market's server. */
export const preparedPictures = /^(?!Failed to load).*http:\/\/localhost:\d+\/art\/[\w-]+\/(?:poster|share)/;

/** Opens the menu of the first visible matching row, and chooses an action by name. */
export async function chooseAction(page: Page, row: string | RegExp, action: string | RegExp): Promise<void> {
  const name = typeof row === "string" ? `Actions: ${row}` : row;
  await page.getByRole("button", { name }).filter({ visible: true }).first().click();
  await page.getByRole("menuitem", { name: action }).click();
}

export const demoPassword = "demo-password";

/** Signs in by the form's own call, and reloads the open page. The tests of accounts and areas fill in the form itself. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  // An open page would still send requests with the replaced session.
  const url = page.url();
  await page.goto("about:blank");
  const response = await page.request.post("/auth/v1/token?grant_type=password", {
    headers: { "x-token-mode": "cookie" },
    data: { email, password },
  });
  expect(response.status(), await response.text()).toBe(200);
  if (url !== "about:blank") await page.goto(url);
}

/**
 * Fails on any axe violation of WCAG 2.2 AA and its best practices in the first color scheme. Only colors depend on the
 * scheme, so the second one is checked for contrast only. TEST_DEEP=1 checks everything in both.
 */
export async function expectAccessible(
  page: Page,
  schemes: readonly ("light" | "dark")[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    const onlyContrast = colorScheme !== schemes[0] && process.env["TEST_DEEP"] !== "1";
    const isDialogOpen = (await page.locator("[aria-modal=true]").count()) > 0;
    const all = { runOnly: tags, rules: isDialogOpen ? withoutRulesOfPages : {} };
    const violations = await accessibilityViolations(page, onlyContrast ? contrast : all);
    const found = violations.map((violation) => `${colorScheme} ${violation}`);
    expect(found, `not accessible: ${page.url()}`).toEqual([]);
  }
}

// The minified file has half the size of the package's export.
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Not checked while a dialog is open, because screen readers see only the dialog, whose header axe reads as a landmark of the page. */
const rulesOfPages = [
  "landmark-no-duplicate-banner",
  "landmark-one-main",
  "landmark-unique",
  "page-has-heading-one",
  "region",
];
const withoutRulesOfPages = Object.fromEntries(rulesOfPages.map((rule) => [rule, { enabled: false }]));
const contrast: RunOptions = { runOnly: { type: "rule", values: ["color-contrast"] } };

/** Returns the axe violations of the page. Only they leave the browser, because the full result has megabytes. */
async function accessibilityViolations(page: Page, options: RunOptions): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  if (!isLoaded) await page.evaluate(`${axeScript}; undefined`);
  return page.evaluate(
    async (given) => {
      const { run } = (globalThis as unknown as { axe: { run(of: Document, how: RunOptions): Promise<AxeResults> } })
        .axe;
      const { violations } = await run(document, given);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { ...options, resultTypes: ["violations"] } satisfies RunOptions,
  );
}

/** Waits until finite animations have ended, such as an opening dialog. Endless ones are ignored. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((one) => one.finished));
  });

/** Waits until React has hydrated the page. Changing its text earlier breaks the hydration. */
export const hydrated = (page: Page) =>
  page.waitForFunction(() =>
    ["h1", "footer"].every((name) => {
      const element = document.querySelector(name);
      return element === null || Object.keys(element).some((key) => key.startsWith("__reactFiber"));
    }),
  );

/** Waits until the screen has loaded its data and fonts. */
export async function loaded(page: Page): Promise<void> {
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.locator("[aria-busy=true], .skeleton")).toHaveCount(0);
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  // Two frames, after which the latest shifts are painted and reported.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))),
  );
}

/** Returns a date `days` from today (UTC), YYYY-MM-DD. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

export type Email = { to: string; channel: string; subject: string; text: string; html: string; at: string };

/** Returns the emails of an address in the outbox, newest first. */
export async function emailsTo(page: Page, to: string): Promise<Email[]> {
  const response = await page.request.get(`/api/dev/outbox?to=${encodeURIComponent(to)}`);
  expect(response.status()).toBe(200);
  return (await response.json()) as Email[];
}
