import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { expect } from "../../support/browser.ts";
import { book } from "../market.ts";
import type { Scene } from "./scene.ts";

const rows = (page: Page) => page.getByRole("row").getByRole("link", { name: /SD-/ });

async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(rows(page).first()).toBeVisible();
}

async function openPalette(page: Page, address: string, text: string): Promise<void> {
  await openList(page, address);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /Search screens/ });
  await field.fill(text);
  await page.waitForTimeout(1_200);
}

export const dashboards: readonly Scene[] = [
  {
    name: "needs of the promoter",
    as: "promoter",
    firstScreen: true,
    show: async (page, market) => {
      await book(market);
      await book(market, { paid: false });
      await openList(page, paths.promoterArea.bookings);
      await expect(page.getByRole("heading", { name: "Needs you" })).toBeVisible();
    },
  },
  {
    name: "needs of the artist",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.overview);
      await expect(page.getByRole("heading", { name: "Needs you" })).toBeVisible();
    },
  },
  {
    name: "list with the panel",
    as: "promoter",
    firstScreen: true,
    show: async (page) => {
      await openList(page, paths.promoterArea.bookings);
      await rows(page).first().focus();
      await page.keyboard.press("Space");
      await expect(
        page.getByRole("complementary", { name: "The chosen booking" }).getByRole("heading").first(),
      ).toBeVisible();
    },
  },
  {
    name: "list with the panel of the admin",
    as: "admin",
    firstScreen: true,
    show: async (page) => {
      await openList(page, paths.admin.bookings);
      await rows(page).nth(2).focus();
      await page.keyboard.press("Space");
      await expect(
        page.getByRole("complementary", { name: "The chosen booking" }).getByRole("heading").first(),
      ).toBeVisible();
    },
  },
  {
    name: "list with the menu",
    as: "artist",
    firstScreen: true,
    show: async (page) => {
      await openList(page, paths.artistArea.bookings);
      await page
        .getByRole("button", { name: /^Actions: .*SD-/ })
        .filter({ visible: true })
        .first()
        .click();
      await expect(page.getByRole("menuitem").first()).toBeVisible();
    },
  },
  {
    name: "list unpaid",
    as: "promoter",
    show: (page) => openList(page, paths.promoterArea.bookingsOf("unpaid")),
  },
  { name: "list past", as: "artist", show: (page) => openList(page, paths.artistArea.bookingsOf("past")) },
  {
    name: "list found nothing",
    as: "admin",
    show: async (page) => {
      await page.goto(`${paths.admin.bookings}?search=nobody+is+called+this`);
      await expect(page.getByText(/No bookings/).first()).toBeVisible();
    },
  },
  {
    name: "palette found",
    as: "admin",
    firstScreen: true,
    show: (page) => openPalette(page, paths.admin.bookings, "elec"),
  },
  {
    name: "palette at first",
    as: "artist",
    firstScreen: true,
    show: (page) => openPalette(page, paths.artistArea.bookings, ""),
  },
  {
    name: "palette found nothing",
    as: "promoter",
    firstScreen: true,
    show: (page) => openPalette(page, paths.promoterArea.bookings, "zzqx"),
  },
  {
    name: "keys",
    as: "promoter",
    firstScreen: true,
    show: async (page) => {
      await openList(page, paths.promoterArea.bookings);
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "releasing a hold",
    as: "artist",
    firstScreen: true,
    show: async (page, market) => {
      const id = await book(market, { paid: false });
      await market.call.promoter("/api/functions/create-contract-and-checkout", { booking_id: id });
      await page.goto(paths.artistArea.booking(id));
      await page.getByRole("button", { name: "Release hold" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "notice and sign out",
    as: "promoter",
    firstScreen: true,
    show: async (page) => {
      await openList(page, paths.promoterArea.bookings);
      await page
        .getByRole("button", { name: /^Actions: .*SD-/ })
        .filter({ visible: true })
        .first()
        .click();
      await page.getByRole("menuitem", { name: /^Copy/ }).click();
      await expect(page.getByText("Copied")).toBeVisible();
    },
  },
];
