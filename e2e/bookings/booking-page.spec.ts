import type { Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { dayIn } from "../../src/platform/time/calendar.rules.ts";
import { bookingRequest, callsOf, payDeposit, signContract } from "../support/api.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";
import { daily } from "../support/tier.ts";

test.use({ allowedComplaints: [/status of 404/] });

const readers = [
  ["promoter", paths.promoterArea.bookings],
  ["artist", paths.artistArea.bookings],
  ["admin", paths.admin.bookings],
] as const;

for (const [role, list] of readers)
  test(
    `opens a booking from the ${role}'s list by keyboard, and saves it for a calendar`,
    {
      tag: role === "promoter" ? [] : [daily],
    },
    async ({ page }) => {
      await signIn(page, `${role}@demo.test`);
      await page.goto(list);
      const link = page.getByRole("row").getByRole("link", { name: /SD-/ }).first();
      const [number = ""] = /SD-\w+/.exec((await link.textContent()) ?? "") ?? [];
      await link.focus();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(new RegExp(`${list}/[0-9a-f-]{36}$`));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/, \d+ \w+$/);
      await expect(page.getByText(number)).toBeVisible();
      for (const title of ["Money", "Timeline", "The night", "People", "Contract"])
        await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: /calendar$/ }).click();
      expect((await saved).suggestedFilename()).toBe(`${number}.ics`);
      await page.getByRole("link", { name: "Bookings", exact: true }).first().click();
      await expect(page).toHaveURL(list);
      await page.getByRole("main").getByRole("heading", { level: 2 }).getByRole("link").first().click();
      await expect(page).toHaveURL(new RegExp(`${list}/[0-9a-f-]{36}$`));
    },
  );

test("shows the title of a past booking above its status on a phone", async ({ page }) => {
  await signIn(page, "admin@demo.test");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${paths.admin.bookings}?status=completed`);
  await page.getByRole("main").getByRole("heading", { level: 2 }).getByRole("link").first().click();
  const title = await page.getByRole("heading", { level: 1, name: /, \d+ \w+$/ }).boundingBox();
  const status = await page.locator("header").getByText("Completed").boundingBox();
  expect(title?.y).toBeLessThan(status?.y ?? 0);
});

/** Scrolls to the top first, because a button half under the header counts as too small. The rows of a month decide how far it is scrolled. */
async function expectTopAccessible(page: Page): Promise<void> {
  await page.evaluate(() => globalThis.scrollTo(0, 0));
  await expectAccessible(page);
}

test("navigates the months by keyboard, blocks dates by dragging, and opens an event from its day", async ({
  page,
}) => {
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.bookings);
  await page.getByRole("link", { name: "Month", exact: true }).click();
  await expect(page).toHaveURL(`${paths.artistArea.bookings}?view=month`);
  const days = page.getByRole("grid").getByRole("link");
  await expect(days.first()).toBeVisible();
  await expectAccessible(page);
  await days.first().press("PageDown");
  await expect(page).toHaveURL(/month=\d{4}-\d{2}/);
  await page.getByRole("link", { name: "Today" }).click();
  const today = dayIn("America/Chicago", new Date());
  await expect(page).toHaveURL(`${paths.artistArea.calendar}&month=${today.slice(0, 7)}`);
  const [from, to] = [dayFromNow(200), dayFromNow(260)];
  const response = await page.request.get(`/api/artists/electric-dreams/availability?from=${from}&to=${to}`);
  const { items } = (await response.json()) as { items: { night: string; state: string }[] };
  const isFree = (at: number) => items[at]?.state === "free" && items[at]?.night.slice(8) !== "01";
  const at = items.findIndex((_, first) => isFree(first) && isFree(first + 1) && isFree(first + 2));
  const nights = items.slice(at, at + 3).map(({ night }) => night);
  await page.goto(`${paths.artistArea.calendar}&month=${nights[2]?.slice(0, 7)}`);
  const cell = (night = "") => page.locator(`td[data-date="${night}"]`);
  await cell(nights[0]).hover();
  await page.mouse.down();
  await cell(nights[1]).hover();
  await cell(nights[2]).hover();
  await page.mouse.up();
  await expect(page.locator('td[aria-selected="true"]')).toHaveCount(3);
  await expectTopAccessible(page);
  await page.keyboard.press("b");
  await page.getByRole("dialog").getByRole("button", { name: "Block nights" }).click();
  await expect(cell(nights[1])).toHaveAttribute("data-state", "blocked");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cell(nights[1])).not.toHaveAttribute("data-state", "blocked");
  await page.getByRole("link", { name: "Week", exact: true }).click();
  await expect(
    page.getByRole("region", { name: "Calendar", exact: true }).getByRole("heading", { level: 3 }),
  ).toHaveCount(7);
  await expectTopAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.getByRole("link", { name: "Month", exact: true }).click();
  await page.getByRole("link", { name: "Today", exact: true }).click();
  await expect(days.first()).toBeHidden();
  await expectAccessible(page);
  const list = page.getByRole("region", { name: /, as a list$/ });
  await list.getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`${paths.artistArea.bookings}/[0-9a-f-]{36}$`));
});

test("returns not found for another user's booking", async ({ page }) => {
  await signIn(page, "promoter@demo.test");
  await page.goto(paths.promoterArea.booking("00000000-0000-4000-8000-000000000000"));
  await expect(page.getByRole("heading", { level: 1, name: "Booking not found" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "All bookings" }).click();
  await expect(page).toHaveURL(paths.promoterArea.bookings);
});

test("updates both sides when a checkout opens and ends, and releases the date after a confirmation", async ({
  page,
  browser,
  request,
}) => {
  const call = await callsOf(request, "promoter@demo.test");
  const { id = "" } = await call("/api/bookings", bookingRequest(dayFromNow(266)));
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.booking(id));
  const ofArtist = page.getByRole("region", { name: "Now" });
  await expect(ofArtist).toContainText("Jordan Ellis requests");
  const promoter = await (await browser.newContext()).newPage();
  await signIn(promoter, "promoter@demo.test");
  await promoter.goto(paths.promoterArea.booking(id));
  const ofPromoter = promoter.getByRole("region", { name: "Now" });
  await expect(ofPromoter).toContainText("Now: pay the deposit.");
  await call("/api/functions/create-contract-and-checkout", { booking_id: id });
  await expect(ofArtist).toContainText("is at the checkout.");
  await expect(ofPromoter).toContainText("Your checkout is open.");
  await expect(promoter.getByText(/^Held for another \d+:\d\d min$/)).toBeVisible();
  await page.getByRole("button", { name: "Release hold" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Releasing the hold cancels the checkout");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Release hold" }).click();
  await expect(ofArtist).toContainText("Jordan Ellis requests");
  await expect(promoter.getByRole("listitem").filter({ hasText: "The hold was released" })).toContainText(
    "Electric Dreams",
  );
  await promoter.context().close();
});

test("lists a show on the profile until the promoter takes it off", async ({ page, browser, request }) => {
  const promoter = await callsOf(request, "promoter@demo.test");
  const artist = await callsOf(request, "artist@demo.test");
  const { id = "" } = await promoter("/api/bookings", bookingRequest(dayFromNow(275)));
  await payDeposit(request, promoter, id);
  await signContract({ promoter, artist }, id, "promoter", "artist");
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.booking(id));
  const listed = page.getByRole("switch", { name: "List this show" });
  await listed.press("Space");
  await expect(listed).toBeChecked();
  const visitor = await (await browser.newContext()).newPage();
  const show = visitor.getByRole("listitem").filter({ hasText: "The Lantern Room" });
  await visitor.goto(paths.artist("electric-dreams"));
  await expect(show).toHaveCount(1);
  const phone = await (await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } })).newPage();
  await signIn(phone, "promoter@demo.test");
  await phone.goto(paths.promoterArea.booking(id));
  await expect(
    phone.getByText(/^Electric Dreams lists this show for visitors: .*, The Lantern Room, Austin\./),
  ).toBeVisible();
  await expectAccessible(phone);
  await phone.getByRole("button", { name: "Take off the profile" }).tap();
  await expect(phone.getByRole("heading", { name: "Public profile" })).toBeHidden();
  await expect(page.getByText("The promoter took this show off your profile.")).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole("heading", { level: 1, name: "Electric Dreams" })).toBeVisible();
  await expect(show).toHaveCount(0);
  for (const other of [visitor, phone]) await other.context().close();
});
