/** Every page at every width, with the longest names: nothing scrolls sideways, and no texts overlap. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { dayFromNow, expect, hydrated, signIn, test } from "../support/browser.ts";
import { doubleText, layoutFaults, lengthenResponses, lengthenText, longName, longVenue } from "../support/layout.ts";

// The browser itself reports the page that is not there.
test.use({ allowedComplaints: [/status of 404/] });
// Several loads and some hundred measurements in one test.
test.setTimeout(180_000);

// The narrowest of each layout, where there is least space, and the usual phone; TEST_DEEP=1 measures widths between them as well.
const widths = process.env["TEST_DEEP"] === "1" ? [320, 390, 768, 820, 1024, 1280, 1920] : [320, 390, 768, 1024, 1280];
/** Where text is doubled as well: a phone and a desktop. */
const doubledAt = [390, 1280];

/** Stands in an address for the id of the first booking of the reader's list. */
const firstOfList = "first";

/** An address, and the screen of src/web/routes.ts that it opens. */
const pages = {
  visitor: [
    ["/", "public/landing/landing-page.tsx"],
    ["/artist/electric-dreams", "public/artist/artist-page.tsx"],
    ["/book/electric-dreams", "public/booking/book-page.tsx"],
    ["/booking-success", "public/booking/success-page.tsx"],
    ["/booking/00000000-0000-4000-8000-000000000000", "public/guest-booking/guest-booking-page.tsx"],
    ["/pay/00000000-0000-4000-8000-000000000000/deposit", "public/booking/pay-page.tsx"],
    ["/sign/00000000-0000-4000-8000-000000000000", "public/contract/sign-page.tsx"],
    ["/contact", "public/contact/contact-page.tsx"],
    ["/auth", "auth/sign-in/sign-in-page.tsx"],
    ["/auth?tab=sign-up", "auth/sign-in/sign-in-page.tsx"],
    ["/auth/confirm", "auth/confirm-page.tsx"],
    [paths.undoChange, "auth/password/undo-page.tsx"],
    ["/auth/forgot", "auth/password/forgot-page.tsx"],
    ["/auth/reset", "auth/password/reset-page.tsx"],
    ["/auth/mail", "auth/sign-in/email-code-page.tsx"],
    ["/auth/phone", "auth/sign-in/phone-page.tsx"],
    ["/no-such-page", "public/not-found-page.tsx"],
    ["/dev/outbox", ""],
  ],
  admin: [
    ["/admin", "admin/overview-page.tsx"],
    ["/admin/artists", "admin/artists/artists-page.tsx"],
    [paths.admin.artist("new"), "admin/artists/artist-page.tsx"],
    ["/admin/bookings", "admin/bookings-page.tsx"],
    ["/admin/contracts", "admin/contracts/contracts-page.tsx"],
    [paths.admin.contract(firstOfList), "admin/contracts/contract-page.tsx"],
    [paths.admin.contractTemplates, "admin/templates/templates-page.tsx"],
    [paths.admin.contractTemplate("standard"), "admin/templates/template-page.tsx"],
    ["/admin/payments", "admin/payments/payments-page.tsx"],
    [paths.admin.booking(firstOfList), "admin/booking-page.tsx"],
    ["/admin/users", "admin/users-page.tsx"],
    ["/admin/settings", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=esign", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=notifications", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=brand", "admin/settings/settings-page.tsx"],
    ["/admin/settings?tab=integrations", "admin/settings/settings-page.tsx"],
    ["/admin/logs", "admin/logs/logs-page.tsx"],
    ["/account", "account/account-page.tsx"],
  ],
  artist: [
    ["/artist", "artist/overview-page.tsx"],
    ["/artist/bookings", "artist/bookings-page.tsx"],
    ["/artist/bookings?view=month", "artist/bookings-page.tsx"],
    [paths.artistArea.booking(firstOfList), "artist/booking-page.tsx"],
    ["/artist/profile", "artist/profile/profile-page.tsx"],
    ["/artist/media", "artist/media/media-page.tsx"],
    ["/artist/payouts", "artist/payouts-page.tsx"],
    ["/artist/settings", "artist/settings-page.tsx"],
    ["/artist/settings?tab=notifications", "artist/settings-page.tsx"],
    ["/artist/settings?tab=privacy", "artist/settings-page.tsx"],
    ["/artist/settings?tab=preferences", "artist/settings-page.tsx"],
  ],
  promoter: [
    ["/promoter/bookings", "promoter/bookings-page.tsx"],
    [paths.promoterArea.booking(firstOfList), "promoter/booking-page.tsx"],
    ["/promoter/payments", "promoter/payments-page.tsx"],
    ["/promoter/settings", "promoter/settings-page.tsx"],
    ["/promoter/settings?tab=notifications", "promoter/settings-page.tsx"],
    ["/promoter/settings?tab=preferences", "promoter/settings-page.tsx"],
  ],
} as const;

/** A screen that only leads on, and one that only a second factor opens. */
const without = ["auth/dashboard-page.tsx", "auth/codes/code-page.tsx"];

test("every screen of the site is measured", () => {
  const source = readFileSync("src/web/routes.ts", "utf8");
  const screens = Array.from(source.matchAll(/"([a-z][\w/-]+-page\.tsx)"/g), ([, file = ""]) => file);
  expect(screens.length).toBeGreaterThan(15);
  const measured = new Set<string>(Object.values(pages).flatMap((list) => list.map(([, file]) => file)));
  expect(screens.filter((file) => !measured.has(file) && !without.includes(file))).toEqual([]);
});

async function measure(page: Page, address: string): Promise<string[]> {
  const found: string[] = [];
  const at = async (width: number, doubled: boolean) => {
    await page.setViewportSize({ width, height: 900 });
    // One frame for the media queries that scripts follow.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const fault of await layoutFaults(page))
      found.push(`${address} ${width}${doubled ? " at 200 %" : ""}: ${fault}`);
  };
  for (const width of widths) await at(width, false);
  await doubleText(page, true);
  for (const width of doubledAt) await at(width, true);
  await doubleText(page, false);
  return found;
}

test("public pages hold long names at every width", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const found: string[] = [];
  for (const [address, screen] of pages.visitor) {
    await page.goto(address);
    await expect(page.locator("h1").first()).toBeVisible();
    if (screen) await hydrated(page);
    await lengthenText(page);
    found.push(...(await measure(page, address)));
  }
  expect(found).toEqual([]);
});

test("the page of a booking holds a long name and venue at every width", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const response = await page.request.post("/api/bookings", {
    data: {
      artistId: "electric-dreams",
      clientName: longName,
      clientEmail: "widths@example.test",
      clientPhone: "+1 512 555 0148",
      eventDate: dayFromNow(200),
      eventTime: "20:00",
      eventLocation: longVenue,
      eventType: "Private party",
    },
  });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await page.goto(paths.guestBooking(id));
  await expect(page.getByText(longVenue).first()).toBeVisible();
  expect(await measure(page, "/booking/{id}")).toEqual([]);
});

for (const reader of ["admin", "artist", "promoter"] as const)
  test(`the pages of the ${reader} hold long names at every width`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await signIn(page, `${reader}@demo.test`);
    await lengthenResponses(page);
    const found: string[] = [];
    for (const [address] of pages[reader]) {
      await page.goto(address.replace(`/${firstOfList}`, ""));
      if (address.endsWith(`/${firstOfList}`)) await page.locator("main tbody a").first().click();
      await expect(page.locator("main h1")).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      found.push(...(await measure(page, address)));
    }
    expect(found).toEqual([]);
  });

test("a page that scrolls sideways, and a date under a badge, are found", async ({ page }) => {
  await page.goto("/contact");
  await hydrated(page);
  expect(await layoutFaults(page)).toEqual([]);
  await page.evaluate(() => {
    const main = document.querySelector("main");
    main?.insertAdjacentHTML("beforeend", '<p id="wide" style="width: 3000px; max-width: none">wide</p>');
    main?.insertAdjacentHTML(
      "beforeend",
      '<div style="position: relative"><p>Sat 13 Feb</p><b class="badge" style="position: absolute; top: 0; left: 0">Signed</b></div>',
    );
  });
  const faults = await layoutFaults(page);
  expect(faults).toHaveLength(2);
  expect(faults[0]).toMatch(/^scrolls sideways by \d+ px: p/);
  expect(faults[1]).toBe('"Sat 13 Feb" lies over "Signed"');
});
