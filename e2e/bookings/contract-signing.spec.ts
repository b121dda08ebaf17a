/** From the paid deposit to both signatures: by the emailed links, in either order, on desktop and phone, by keyboard only. */

import type { Locator, Page } from "@playwright/test";
import { linkIn } from "../support/accounts.ts";
import { openCheckout } from "../support/booking-form.ts";
import {
  dayFromNow,
  type Email,
  emailsTo,
  expect,
  expectAccessible,
  hydrated,
  signIn,
  test,
} from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { daily } from "../support/tier.ts";

test.use({ allowedComplaints: [/status of 410/] });

const performer = "artist@demo.test";

/** Waits for the newest email to an address about this day with this subject. */
async function emailAbout(page: Page, to: string, date: string, subject: RegExp): Promise<Email> {
  const day = new Date(`${date}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  const find = async () =>
    (await emailsTo(page, to)).find((one) => subject.test(one.subject) && one.text.includes(day));
  await expect.poll(find, { message: `an email ${String(subject)} to ${to}` }).toBeTruthy();
  const found = await find();
  if (!found) throw new Error(`no email to ${to}`);
  return found;
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach this element");
}

async function signByKeyboard(page: Page, link: string, name: string): Promise<void> {
  const rendered = await page.request.get(link);
  expect(rendered.headers()["cache-control"]).toBe("no-store");
  expect(await rendered.text()).toContain("This text and the PDF are the same document");
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1, name: /^Your contract with / })).toBeVisible();
  await hydrated(page);
  await expectAccessible(page);
  const field = page.getByLabel("Your full name");
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(name);
  const button = page.getByRole("button", { name: "Sign contract" });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Agree to sign electronically.")).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("checkbox")).toBeFocused();
  await page.keyboard.press("Space");
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^(You have signed|Signed by both)/)).toBeVisible();
  await expectAccessible(page);
  expect(await layoutFaults(page)).toEqual([]);
}

const journeys = [
  { first: "artist", width: 1280, date: dayFromNow(131) },
  { first: "promoter", width: 390, date: dayFromNow(138) },
] as const;

for (const { first, width, date } of journeys)
  test(
    `signs the contract with the ${first} first at ${width} px, then the other party`,
    {
      tag: first === "artist" ? [daily] : [],
    },
    async ({ page, browser }) => {
      const mailbox = `signer-${first}-${Date.now()}@example.test`;
      await page.setViewportSize({ width, height: 844 });
      await openCheckout(page, "electric-dreams", { name: "Robin Vale", email: mailbox, date });
      await page.getByRole("button", { name: "Pay" }).click();
      await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();

      const sent = {
        promoter: linkIn(await emailAbout(page, mailbox, date, /^Your contract for Electric Dreams is ready/)),
        artist: linkIn(await emailAbout(page, performer, date, /^Sign: /)),
      };
      // A browser without cookies: the artist only has the emailed link.
      const other = await (await browser.newContext({ viewport: { width, height: 844 } })).newPage();
      const pages = { promoter: page, artist: other };
      const names = { promoter: "Robin Vale", artist: "Electra Dreamer" };
      const second = first === "artist" ? "promoter" : "artist";

      await signByKeyboard(pages[first], sent[first], names[first]);
      await expect(pages[first].getByText("You have signed")).toBeVisible();
      const turn = await emailAbout(page, second === "artist" ? performer : mailbox, date, /has signed: your turn$/);
      await signByKeyboard(pages[second], linkIn(turn), names[second]);
      await expect(pages[second].getByText("Signed by both of you")).toBeVisible();

      await pages[first].goto(sent[first]);
      await expect(pages[first].getByRole("heading", { level: 1, name: "This link has been used" })).toBeVisible();
      await expectAccessible(pages[first]);

      await page.goto(linkIn(await emailAbout(page, mailbox, date, /^Signed: /)));
      await expect(page.getByRole("region", { name: "Now" })).toContainText(/(Now|Next): pay the balance\./);
      await expect(page.getByRole("button", { name: "View signed contract" })).toBeVisible();
      await signIn(other, performer);
      await other.goto(linkIn(await emailAbout(page, performer, date, /^Signed: /)));
      await expect(other.getByRole("region", { name: "Now" })).toContainText("The contract is signed.");
      await expect(other.getByText("Contract Signed").first()).toBeVisible();
      await other.context().close();
    },
  );

/** Sums the layout shifts of every page opened in this browser from now on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { shifts: number };
    seen.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts);
}

test("signs on a phone from a guest's booking page, without a second email", async ({ page }) => {
  const date = dayFromNow(145);
  const mailbox = `reader-${Date.now()}@example.test`;
  await page.setViewportSize({ width: 390, height: 844 });
  await openCheckout(page, "electric-dreams", { name: "Robin Vale", email: mailbox, date });
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  await emailAbout(page, mailbox, date, /^Your contract for Electric Dreams is ready/);
  const shifts = await watchShifts(page);
  const ownPage = (await emailsTo(page, mailbox)).map(({ text }) => /https?:\S+\/booking\/\S+link=\S+/.exec(text)?.[0]);
  await page.goto(ownPage.find((link) => link !== undefined) ?? "");
  await page.getByRole("link", { name: "Sign Contract" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your contract with Electric Dreams" })).toBeVisible();

  // Reloaded, as from a bookmark: nothing visible shifts.
  await page.reload();
  const sheet = page.getByRole("article", { name: /^Contract, \d pages$/ });
  await expect(sheet).toContainText("The promoter is Robin Vale");
  await expect(sheet.getByText("Page 2 of")).toBeAttached();
  await expectAccessible(page);
  const clauses = await sheet.getByRole("heading", { level: 3 }).count();
  await expect(page.getByText(new RegExp(`^[01] of ${clauses} clauses`))).toBeVisible();
  // Skips the clauses that have been read.
  const next = page.getByRole("link", { name: /^Next clause: / });
  const toSignature = page.getByRole("link", { name: "Go to the signature" });
  await expect(async () => {
    if (await next.isVisible()) await next.click({ timeout: 1_000 });
    await expect(toSignature).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.getByText(/^[2-9] of \d+ clauses/)).toBeVisible();
  expect(await shifts()).toBeLessThanOrEqual(0.02);

  await toSignature.click();
  await page.getByRole("radio", { name: "Draw" }).check();
  const pad = await page.getByRole("img", { name: "Nothing is drawn yet" }).boundingBox();
  if (!pad) throw new Error("there is no pad");
  await page.mouse.move(pad.x + 40, pad.y + 60);
  await page.mouse.down();
  await page.mouse.move(pad.x + 140, pad.y + 110, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole("img", { name: "Your drawn signature: Robin Vale" })).toBeVisible();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Sign contract" }).click();
  await expect(page.getByRole("heading", { name: "You have signed" })).toBeFocused();
  await expect(page.getByRole("img", { name: "Signature of Robin Vale" })).toBeAttached();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open the booking" }).click();
  await expect(page.getByRole("region", { name: "Now" })).toContainText(/signature/i);
});
