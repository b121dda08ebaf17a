import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { dayMs } from "../../../src/platform/time/durations.rules.ts";
import { chooseAction, expect } from "../../support/browser.ts";
import type { Scene } from "./scene.ts";

const until = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

const cases = [
  {
    kind: "disputes",
    message: "dispute is open at a payer's bank, 6 days left to answer",
    count: 1,
    since: until(-3),
    due: until(6),
    example: null,
  },
  {
    kind: "messages",
    message: "emails or SMS could not be delivered and were given up",
    count: 3,
    since: until(-1),
    due: null,
    example: "00000000-0000-4000-8000-000000000000 booking_confirmed to hannah@example.test",
  },
];

async function openRow(page: Page, address: string, action: string): Promise<void> {
  await page.goto(address);
  await chooseAction(page, /^Actions:/, action);
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog")).first()).toBeVisible();
}

export const admin: readonly Scene[] = [
  {
    name: "overview with cases",
    as: "admin",
    show: async (page) => {
      await page.route(/\/api\/admin\/attention$/, (route) => route.fulfill({ json: { items: cases } }));
      await page.goto(paths.admin.overview);
      await expect(page.getByRole("region", { name: "Needs a decision" })).toBeVisible();
    },
  },
  {
    name: "role to change",
    as: "admin",
    firstScreen: true,
    show: async (page) => {
      await page.goto(`${paths.admin.users}?search=promoter@demo.test`);
      await chooseAction(page, /^Actions:/, "Change role to artist…");
      await expect(page.getByRole("alertdialog").or(page.getByRole("dialog")).first()).toBeVisible();
    },
  },
  {
    name: "account to suspend",
    as: "admin",
    firstScreen: true,
    show: (page) => openRow(page, paths.admin.users, "Suspend…"),
  },
  {
    name: "contract to mark as signed",
    as: "admin",
    firstScreen: true,
    show: (page) => openRow(page, `${paths.admin.contracts}?status=to_sign`, "Mark Signed"),
  },
  {
    name: "contract template",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.contractTemplate("standard"));
      await expect(page.getByLabel("Clause 1.1", { exact: true })).toBeVisible();
    },
  },
  {
    name: "contract template wrong",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.contractTemplate("standard"));
      await page.getByLabel("Clause 1.1", { exact: true }).fill("For {{secret}} there is nothing.");
      await page.getByRole("button", { name: /^Save as version/ }).click();
      await expect(page.getByText(/There is no variable/).first()).toBeVisible();
    },
  },
  {
    name: "contract template new",
    as: "admin",
    show: async (page) => {
      await page.goto(paths.admin.contractTemplate("new"));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    name: "log opened",
    as: "admin",
    firstScreen: true,
    show: async (page) => {
      await page.goto(paths.admin.logs);
      await page.locator("main summary").first().click();
      await expect(page.getByRole("button", { name: "Copy as JSON" }).first()).toBeVisible();
    },
  },
  {
    name: "log found nothing",
    as: "admin",
    show: async (page) => {
      await page.goto(`${paths.admin.logs}?search=no+entry+says+this`);
      await expect(page.getByText("No logs found")).toBeVisible();
    },
  },
];
