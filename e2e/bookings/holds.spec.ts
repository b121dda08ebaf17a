/** Ranked holds: promoters request the same date, and the artist reads and changes the queue, on desktop and phone. */

import type { APIRequestContext, Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { formatWeekdayDate, timeIn } from "../../src/platform/time/calendar.rules.ts";
import { localInstant } from "../../src/platform/time/local-time.rules.ts";
import { findEmail, linkIn, openAccount, password, someone } from "../support/accounts.ts";
import { callsOf } from "../support/api.ts";
import { dayFromNow, demoPassword, expect, expectAccessible, signIn, test } from "../support/browser.ts";
import { startServer } from "../support/server.ts";
import { daily } from "../support/tier.ts";

const slug = "electric-dreams";

type Hold = { id: string; nights: { rank: number }[] };

async function freeNight(request: APIRequestContext): Promise<string> {
  const from = dayFromNow(100);
  const response = await request.get(`/api/artists/${slug}/availability?from=${from}&to=${dayFromNow(160)}`);
  const { items } = (await response.json()) as { items: { night: string; state: string }[] };
  return items.find(({ state }) => state === "free")?.night ?? "";
}

const actionOf = async (page: Page, row: string, item: string) => {
  await page.getByRole("button", { name: `Actions: ${row}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

test("reorders and extends two holds of one date, and books it for the challenged promoter who pays", async ({
  page,
  browser,
  baseURL,
}) => {
  const rival = await openAccount(page, someone("Mira Voss"));
  const first = await callsOf(page.request, "promoter@demo.test", demoPassword);
  const second = await callsOf(page.request, rival.email, password);
  const night = await freeNight(page.request);
  const event = { artistId: slug, nights: [night], eventTime: "20:00", eventLocation: "Pier Nine, Austin" };
  const hold = await first<Hold>("/api/holds", { ...event, eventType: "Club night" });
  const challenging = await second<Hold>("/api/holds", { ...event, eventType: "Concert" });
  expect([hold, challenging].map(({ nights }) => nights[0]?.rank)).toEqual([1, 2]);

  const artist = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage();
  await signIn(artist, "artist@demo.test");
  await artist.goto(linkIn(await findEmail(artist, "artist@demo.test", /^Mira Voss holds /)));
  const panel = artist.getByRole("dialog");
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveText([/^Hold 1\s*Jordan Ellis/, /^Hold 2\s*Mira Voss/]);
  await expectAccessible(artist);

  await actionOf(artist, "Mira Voss", "Move up");
  await panel.getByRole("button", { name: "Move up" }).click();
  await expect(panel.getByText("Give a reason.")).toBeVisible();
  await panel.getByLabel("Reason").fill("She asked first by telephone.");
  await panel.getByRole("button", { name: "Move up" }).click();
  await expect(rows).toHaveText([/^Hold 1\s*Mira Voss/, /^Hold 2\s*Jordan Ellis/]);
  expect((await findEmail(page, rival.email, /^You now have the first hold/)).text).toContain("by telephone");

  await actionOf(artist, "Jordan Ellis", "Extend");
  await panel.getByRole("combobox", { name: "Ends on" }).fill(dayFromNow(90));
  await panel.getByLabel("Ends at").fill("12:00");
  await panel.getByRole("button", { name: "Extend hold" }).click();
  await expect(panel.getByText("Choose a time within the next 60 days.")).toBeVisible();
  const last = dayFromNow(30);
  await panel.getByRole("combobox", { name: "Ends on" }).fill(last);
  await panel.getByRole("button", { name: "Extend hold" }).click();
  const { time_zone: zone } = (await (await page.request.get(`/api/artists/${slug}`)).json()) as { time_zone: string };
  await expect(rows.nth(1)).toContainText(timeIn("UTC", localInstant(`${last}T12:00`, zone)));
  await actionOf(artist, "Jordan Ellis", "Extend");
  await expect(panel.getByRole("combobox", { name: "Ends on" })).toHaveValue(formatWeekdayDate(last));
  await panel.getByRole("button", { name: "Cancel" }).click();

  await first(`/api/holds/${hold.id}/challenge`, { night });
  await expect(panel.getByText("Challenged by Jordan Ellis")).toBeVisible();
  await artist.setViewportSize({ width: 390, height: 844 });
  await expect(panel.getByText("Challenged by Jordan Ellis")).toBeVisible();
  await expectAccessible(artist);
  await artist.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(artist).toHaveURL(/view=month/);
  const heldNight = artist.getByRole("listitem").filter({ hasText: "Mira Voss" }).getByRole("link");
  await heldNight.click();
  await expect(panel.getByText("Challenged by Jordan Ellis")).toBeVisible();

  await artist.keyboard.press("Escape");
  await expect(heldNight).toBeFocused();
  await artist.setViewportSize({ width: 1280, height: 900 });
  await artist.getByRole("button", { name: "Add hold" }).click();
  const form = artist.getByRole("dialog", { name: "Add a hold" });
  await form.getByLabel("Night").fill(night);
  await form.getByLabel("Promoter or agency").fill("Quayside Agency");
  await form.getByLabel("Event type").fill("Festival");
  await form.getByRole("button", { name: "Add hold" }).click();
  await expect(form.getByText("Enter a location.")).toBeVisible();
  await form.getByLabel("Location").fill("Zilker Park, Austin");
  await form.getByRole("button", { name: "Add hold" }).click();
  await artist.getByRole("listitem").filter({ hasText: "Quayside Agency" }).getByRole("link").click();
  await expect(rows.nth(2)).toContainText(/^Hold 3\s*Quayside Agency/);

  const { checkout_url: checkout } = await second<{ checkout_url: string }>(`/api/holds/${challenging.id}/book`, {
    night,
  });
  await expect(panel.getByText("Being booked now.")).toBeVisible();
  await page.request.post(`${new URL(checkout).pathname}/pay`, { maxRedirects: 0 });
  await expect(
    panel.getByText("No other promoter can book the time of this show, or the travel and set-up time around it."),
  ).toBeVisible();
  await signIn(page, "promoter@demo.test");
  await page.goto(linkIn(await findEmail(page, "promoter@demo.test", /is booked by another promoter$/)));
  await expect(page).toHaveURL(new RegExp(`${paths.promoterArea.holds}$`));
  await expect(page.getByText("Another promoter has booked this night. Nothing was charged.")).toBeVisible();

  const next = await freeNight(page.request);
  await first<Hold>("/api/holds", { ...event, nights: [next], eventType: "Club night" });
  await artist.goto(paths.artistArea.heldNight(next));
  await actionOf(artist, "Jordan Ellis", "Turn into a booking");
  await panel.getByRole("button", { name: "Turn into a booking" }).click();
  await expect(artist.getByText("Link to pay sent")).toBeVisible();
  await page.goto(linkIn(await findEmail(page, "promoter@demo.test", /^Pay the deposit to book /)));
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/sandbox\//);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();

  const blocked = await freeNight(page.request);
  await first<Hold>("/api/holds", { ...event, nights: [blocked], eventType: "Club night" });
  await artist.goto(paths.artistArea.calendar);
  await artist.getByRole("button", { name: "Block nights" }).click();
  const block = artist.getByRole("dialog", { name: "Block nights" });
  await block.getByLabel("First night").fill(blocked);
  await block.getByLabel("Last night").fill(blocked);
  await expect(block.getByRole("listitem")).toHaveText([/: Jordan Ellis, first hold$/]);
  await expectAccessible(artist);
  await block.getByRole("button", { name: "Block nights" }).click();
  await expect(artist.getByText("The holds and requests have ended.")).toBeVisible();
  const released = await findEmail(page, "promoter@demo.test", /is released$/);
  expect(released.text.replaceAll(/\s+/g, " ")).toContain("Electric Dreams is not available that night.");
});

test.describe("with a moved clock", () => {
  // A market of its own, because a week later the shared one has no booking without a contract.
  test.use({
    // oxlint-disable-next-line no-empty-pattern -- as in browser.ts
    baseURL: async ({}, use) => {
      const market = await startServer();
      await use(market.url);
      await market.close();
    },
  });

  test(
    "ends each turn of three holds at its deadline, and promotes the next one after an expired hold",
    { tag: daily },
    async ({ page }) => {
      // In sequence, because a browser confirms only the account that it opened last.
      const mira = await openAccount(page, someone("Mira Voss"));
      const tom = await openAccount(page, someone("Tom Brandt"));
      const ines = await openAccount(page, someone("Ines Prado"));
      const from = dayFromNow(170);
      const response = await page.request.get(`/api/artists/${slug}/availability?from=${from}&to=${dayFromNow(220)}`);
      const { items } = (await response.json()) as { items: { night: string; state: string }[] };
      const [wanted = "", other = ""] = items.filter(({ state }) => state === "free").map(({ night }) => night);
      const event = { artistId: slug, eventTime: "20:00", eventLocation: "Pier Nine, Austin", eventType: "Concert" };
      const hold = async ({ email }: { email: string }, night: string) =>
        (await callsOf(page.request, email, password))<Hold>("/api/holds", { ...event, nights: [night] });
      const later = async (advance: string) =>
        expect((await page.request.post("/api/dev/clock", { data: { advance }, timeout: 0 })).status()).toBe(200);
      const reads = async ({ email }: { email: string }, text: RegExp) => {
        await signIn(page, email, password);
        await page.goto(paths.promoterArea.holds);
        await expect(page.getByText(text).first()).toBeVisible();
      };

      await hold(mira, wanted);
      await hold(mira, other);
      await hold(tom, wanted);
      const last = await hold(ines, wanted);
      await (
        await callsOf(page.request, ines.email, password)
      )(`/api/holds/${last.id}/challenge`, { night: wanted });
      await reads(mira, /Pay .* by .*, or you lose this night/);
      await reads(tom, /Pay .* from .* until .*, unless an earlier hold books first/);
      await later("PT12H");
      await hold(tom, other);
      await reads(tom, /Pay .* by .*, or you lose this night/);
      await later("PT13H");
      await reads(tom, /Lost: the night was not booked in time/);
      await reads(ines, /Your turn\./);
      await later("PT25H");
      await reads(ines, /Lost: the night was not booked in time/);
      const night = await page.request.get(`/api/artists/${slug}/availability?from=${wanted}&to=${wanted}`);
      expect(await night.json()).toEqual({ items: [{ night: wanted, state: "free" }] });
      // Seven days after Mira's hold, and less than seven after Tom's.
      await later("PT119H");
      await reads(mira, /Expired\./);
      await reads(tom, /You have the first hold/);
    },
  );
});
