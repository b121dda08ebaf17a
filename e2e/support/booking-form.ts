import { expect, type Page } from "@playwright/test";

export type Request = { name: string; email: string; date: string; time?: string };

/** Fills in the form of the open page, after the prefill of a signed-in user. */
export async function fillRequest(page: Page, { name, email, date, time = "20:00" }: Request) {
  if (await page.locator("html[data-signed-in]").count())
    await expect(page.locator("[name=clientEmail]")).not.toHaveValue("");
  await page.locator("[name=clientName]").fill(name);
  await page.locator("[name=clientEmail]").fill(email);
  await page.locator("[name=clientPhone]").fill("+1 512 555 0142");
  await page.locator("[name=eventDate]").fill(date);
  await page.locator("[name=eventTime]").fill(time);
  await page.locator("[name=eventLocation]").fill("The Lantern Room, Austin");
  await page.locator("[name=eventType]").selectOption({ index: 1 });
  await page.locator("[name=guestCount]").fill("120");
  await page.locator("[name=duration]").fill("2 hours");
  await page.locator("[name=specialRequests]").fill("A quiet first half hour, please.");
}

/** Returns the form's submit button: in the panel, or on a phone in the bar. */
export const requestButton = (page: Page) => page.getByRole("button", { name: "Request booking" }).first();

/** Requests a date with an artist, and waits for the checkout. */
export async function openCheckout(page: Page, slug: string, request: Request): Promise<void> {
  await page.goto(`/book/${slug}`);
  await fillRequest(page, request);
  await requestButton(page).click();
  await expect(page).toHaveURL(/\/sandbox\//);
}
