/** Every word that the specification shows is on its screen. */
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "../support/browser.ts";
import { type Reader, type Screen, screens } from "../support/spec-wording.ts";

// The browser itself reports pages that are not there.
test.use({ allowedComplaints: [/status of 404/] });

/** What of a screen is missing at this moment. */
async function missing(page: Page, screen: Screen): Promise<string[]> {
  const { words, placeholders = [], fields = [], choices = {} } = screen;
  const seen = await page.evaluate(() => {
    const all = (selector: string) => Array.from(document.querySelectorAll<HTMLElement>(selector));
    const named = (one: HTMLElement) =>
      one.getAttribute("aria-label") ?? (one.id ? document.querySelector(`label[for="${one.id}"]`)?.textContent : "");
    return {
      // The document may have just begun to arrive.
      text: (document.body?.innerText ?? "").replaceAll(/\s+/g, " "),
      placeholders: all("[placeholder]").map((one) => one.getAttribute("placeholder")),
      fields: all("[name]").map((one) => one.getAttribute("name")),
      choices: all("select").map((one) => ({
        name: named(one)?.trim(),
        words: Array.from(one.querySelectorAll("option"), (option) => option.textContent.trim()),
      })),
    };
  });
  const offered = (name: string) => seen.choices.filter((one) => one.name === name).flatMap((one) => one.words);
  return [
    ...words.filter((word) => !seen.text.includes(word)),
    ...placeholders.filter((word) => !seen.placeholders.includes(word)).map((word) => `placeholder ${word}`),
    ...fields.filter((name) => !seen.fields.includes(name)).map((name) => `field ${name}`),
    ...Object.entries(choices).flatMap(([name, all]) =>
      all.filter((word) => !offered(name).includes(word)).map((word) => `choice ${name}: ${word}`),
    ),
  ];
}

async function walk(page: Page, reader: Reader): Promise<void> {
  for (const screen of screens.filter((one) => one.reader === reader)) {
    const answer = await page.goto(screen.at, { waitUntil: "commit" });
    expect(answer?.status(), screen.at).toBe(screen.status ?? 200);
    await expect.poll(() => missing(page, screen), { message: `missing at ${screen.at}` }).toEqual([]);
  }
}

test("a visitor reads every word of the public pages", async ({ page }) => {
  await walk(page, "visitor");
  await page.goto("/");
  await expect(page.getByRole("link", { name: /^View Profile/ })).toHaveCount(4);
  await expect(page.getByRole("link", { name: "Dashboard" })).toBeHidden();
});

for (const reader of ["promoter", "artist", "admin"] as const) {
  test(`the ${reader} reads every word of their area`, async ({ page }) => {
    await signIn(page, `${reader}@demo.test`);
    await walk(page, reader);
  });
}
