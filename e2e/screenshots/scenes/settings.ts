import type { Page } from "@playwright/test";
import sharp from "sharp";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { expect } from "../../support/browser.ts";
import type { Scene } from "./scene.ts";

const picture = async (name: string, background = "teal") => ({
  name,
  mimeType: "image/png",
  buffer: await sharp({ create: { width: 900, height: 1200, channels: 3, background } })
    .png()
    .toBuffer(),
});

const hold = (page: Page) => page.route(/\/api\/(artist\/media|admin\/settings\/logo)/, () => undefined);

export const settings: readonly Scene[] = [
  {
    name: "media while uploading",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.media);
      await expect(page.getByLabel("Upload a new photo")).toBeVisible();
      await page.route(/upload|storage|artist\/media/, (route) =>
        route.request().method() === "GET" ? route.continue() : undefined,
      );
      await page
        .getByLabel("Upload a new photo")
        .setInputFiles(await picture("a long name of a picture from the lantern room in austin.png"));
      await expect(page.getByRole("progressbar")).toBeVisible();
    },
  },
  {
    name: "media with pictures",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.media);
      await page
        .getByLabel("Add pictures")
        .setInputFiles([await picture("one.png", "crimson"), await picture("two.png", "gold")]);
      await expect(page.getByLabel("Alt text").nth(1)).toBeVisible({ timeout: 20_000 });
      await page.getByLabel("Alt text").first().fill("A wall of red light");
    },
  },
  {
    name: "media refused",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.media);
      await page
        .getByLabel("Upload a new photo")
        .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
      await expect(page.getByRole("alert").first()).toBeVisible();
    },
  },
  {
    name: "logo while uploading",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.settings("brand"));
      await expect(page.getByLabel("Upload a logo")).toBeVisible();
      await hold(page);
      await page.getByLabel("Upload a logo").setInputFiles(await picture("logo.png"));
      await expect(page.getByRole("progressbar")).toBeVisible();
    },
  },
  {
    name: "logo refused",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.settings("brand"));
      await page
        .getByLabel("Upload a logo")
        .setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
      await expect(page.getByRole("alert").first()).toBeVisible();
    },
  },
  {
    name: "settings changed",
    as: "promoter",
    show: async (page) => {
      await page.goto(paths.promoterArea.settings());
      await page.getByLabel("Organization Name (optional)").fill("Ellis Street Nights and the Lantern Room Company");
      await page.getByLabel("Phone (optional)").fill("555");
      await page.getByRole("button", { name: "Save Settings" }).click();
    },
  },
  {
    name: "settings wrong",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.settings());
      await page.getByLabel("Travel Radius").fill("1001");
      await page.getByRole("button", { name: "Save Settings" }).click();
      await expect(page.getByText("Enter a whole number from 0 to 1000.")).toBeVisible();
    },
  },
  {
    name: "email template",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.settings("notifications"));
      await page
        .getByRole("button", { name: /^Edit / })
        .first()
        .click();
      await expect(page.locator("#email-editor")).toBeVisible();
    },
  },
  {
    name: "integrations tested",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.settings("integrations"));
      await page.getByRole("button", { name: "Test /api/webhooks/stripe" }).click();
      await expect(page.getByText(/the signature was accepted/)).toBeVisible();
      await page.getByRole("button", { name: "Test /api/webhooks/esign" }).click();
      await expect(page.getByText(/An event was sent to this address and refused/)).toBeVisible();
    },
  },
  {
    name: "e-sign with an outside service",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.settings("esign"));
      await page.getByLabel("Provider").selectOption("docuseal");
    },
  },
  {
    name: "two-factor set up",
    as: "promoter",
    show: async (page) => {
      await page.goto(paths.account);
      await page.getByRole("button", { name: /^(Set up|Add another)$/ }).click();
      await page.getByLabel("Name of the authenticator").fill("My phone");
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByText(/Type this key:/)).toBeVisible();
    },
  },
  {
    name: "profile wrong",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.profile);
      await page.getByLabel("Artist Name").fill("");
      await page.getByRole("combobox", { name: "Location" }).fill("san");
      await page.waitForTimeout(500);
    },
  },
];
