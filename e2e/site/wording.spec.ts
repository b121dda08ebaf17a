import type { Page } from "@playwright/test";
import { expect, signIn, test } from "../support/browser.ts";
import { missingWording } from "../support/missing-wording.ts";
import { type Reader, screens } from "../support/spec-wording.ts";

test.use({ allowedComplaints: [/status of 404/] });
test.describe.configure({ mode: "parallel" });

async function walk(page: Page, reader: Reader): Promise<void> {
  for (const screen of screens.filter((one) => one.reader === reader)) {
    const response = await page.goto(screen.at, { waitUntil: "commit" });
    expect(response?.status(), screen.at).toBe(screen.status ?? 200);
    await expect.poll(() => missingWording(page, screen), { message: `missing at ${screen.at}` }).toEqual([]);
    // Scripts of the dashboards (vite.config.ts) are not loaded by a public page.
    const shared = reader === "visitor" ? await sharedScripts(page) : [];
    expect(shared, screen.at).not.toContainEqual(expect.stringMatching(/widgets/));
  }
}

/** Returns the groups of vite.config.ts whose shared scripts the page has loaded. */
const sharedScripts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => /\/(framework|widgets)-[\w-]{8}\.js$/.exec(name)?.[1] ?? [])
      .toSorted(),
  );

test("displays every word of the public pages", async ({ page }) => {
  await walk(page, "visitor");
  await page.goto("/");
  await expect(page.getByRole("link", { name: /^View Profile/ })).toHaveCount(4);
  await expect(page.getByRole("link", { name: "Dashboard" })).toBeHidden();
  expect(await sharedScripts(page)).toEqual(["framework"]);
});

for (const reader of ["promoter", "artist", "admin"] as const) {
  test(`displays every word of the ${reader}'s area`, async ({ page }) => {
    await signIn(page, `${reader}@demo.test`);
    await walk(page, reader);
    expect(await sharedScripts(page)).toEqual(["framework", "widgets"]);
  });
}
