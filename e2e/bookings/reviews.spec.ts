import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "../support/browser.ts";

async function signedIn(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email);
  return page;
}

const field = (page: Page) => page.getByRole("combobox", { name: /Search screens/ });
const section = (page: Page) =>
  page.locator("section", { has: page.getByRole("heading", { level: 2, name: "Reviews" }) });

/** Returns id and number of the demo promoter's completed event without a review. */
async function waitingShow(page: Page): Promise<{ id: string; number: string }> {
  const opened = page.waitForRequest((request) => request.url().includes("/api/promoter/bookings"));
  await page.goto("/promoter/bookings");
  const { authorization = "" } = await (await opened).allHeaders();
  const headers = { authorization };
  const past = await page.request.get("/api/promoter/bookings?show=past&search=Electric", { headers });
  const { items } = (await past.json()) as { items: { id: string; number: string; status: string }[] };
  for (const { id, number } of items.filter(({ status }) => status === "completed")) {
    const reviews = await page.request.get(`/api/bookings/${id}/reviews`, { headers });
    if (((await reviews.json()) as { can_write: boolean }).can_write) return { id, number };
  }
  throw new Error("no show of the demo promoter waits for a review");
}

test("finds an event by its number, and publishes its blind review with the reply", async ({ page, browser }) => {
  await signIn(page, "promoter@demo.test");
  const { id, number } = await waitingShow(page);
  await page.keyboard.press("Control+k");
  await field(page).fill(number.slice(3).toLowerCase());
  await expect(page.getByRole("option", { selected: true })).toContainText(number);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/promoter/bookings/${id}`);

  const text = `They came early and stayed late. ${Date.now()}`;
  await expect(section(page)).toContainText("Electric Dreams has already reviewed you. Send yours to read both.");
  await expectAccessible(page);
  await section(page).getByRole("radio", { name: "4 stars" }).check({ force: true });
  await section(page).getByLabel("Your review").fill(text);
  await section(page).getByRole("button", { name: "Send review" }).click();
  await expect(section(page).getByRole("article")).toHaveCount(2);

  const artist = await signedIn(browser, "artist@demo.test");
  await artist.goto(`/artist/bookings/${id}`);
  await section(artist).getByRole("button", { name: "Reply" }).click();
  await section(artist).getByLabel("Your reply").fill("Thank you, the room was wonderful.");
  await section(artist).getByRole("button", { name: "Send reply" }).click();
  await expect(section(page)).toContainText("Thank you, the room was wonderful.");

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto("/artist/electric-dreams");
  const review = visitor.getByRole("article").filter({ hasText: text });
  await expect(review).toContainText("Electric Dreams replied");
  await expect(visitor.getByRole("list", { name: "Reviews by stars" })).toBeVisible();
  await expectAccessible(visitor);
});
