import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { signContract } from "../../support/api.ts";
import { expect } from "../../support/browser.ts";
import { answerWith, book, type Market } from "../market.ts";
import type { Scene } from "./scene.ts";

type Contract = Record<string, unknown> & { signers: Record<string, unknown>[] };

/** Opens a contract that both parties may sign, with changed fields. */
async function open(page: Page, market: Market, change?: Partial<Contract>): Promise<string> {
  const id = await book(market);
  if (change) await answerWith<Contract>(page, /\/contracts\/signing\/open$/, (body) => ({ ...body, ...change }));
  await page.goto(paths.sign(id));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Both of you" })).toBeVisible();
  return id;
}

const sent = { channel: "email", to: "pr...@demo.test", expires_at: new Date(Date.now() + 600_000) };
const service = "DocuSign";

export const signing: readonly Scene[] = [
  { name: "sign artist", as: "artist", show: (page, market) => open(page, market) },
  {
    name: "sign code asked",
    as: "promoter",
    show: (page, market) => open(page, market, { code: { sent: null } }),
  },
  {
    name: "sign code sent",
    as: "promoter",
    show: async (page, market) => {
      await open(page, market, { code: { sent } });
      await page.getByRole("button", { name: "Sign contract" }).click();
    },
  },
  {
    name: "sign by click",
    as: "promoter",
    show: async (page, market) => {
      await open(page, market, { accept_by_click: true });
      await page.getByRole("button", { name: "I accept" }).click();
    },
  },
  { name: "sign at a service", as: "promoter", show: (page, market) => open(page, market, { service }) },
  {
    name: "sign after the other",
    as: "promoter",
    show: (page, market) => open(page, market, { can_sign: false, signs_before: "artist", first_signer: "artist" }),
  },
  {
    name: "sign declining",
    as: "promoter",
    show: async (page, market) => {
      await open(page, market);
      await page.getByText("Something is wrong? Decline instead").click();
      await page.getByRole("button", { name: "Decline contract" }).click();
    },
  },
  {
    name: "sign declined",
    as: "promoter",
    show: async (page, market) => {
      await open(page, market);
      await page.getByText("Something is wrong? Decline instead").click();
      await page.getByLabel("What should change?").fill("The stage is named wrongly.");
      await page.getByRole("button", { name: "Decline contract" }).click();
      await expect(page.getByRole("heading", { name: "You declined the contract" })).toBeVisible();
    },
  },
  {
    name: "signed by one",
    as: "promoter",
    show: async (page, market) => {
      const id = await open(page, market);
      await signContract(market.call, id, "promoter");
      await page.reload();
      await expect(page.getByText("You have signed")).toBeVisible();
    },
  },
  {
    name: "signed by both",
    as: "promoter",
    show: async (page, market) => {
      const id = await open(page, market);
      await signContract(market.call, id, "promoter", "artist");
      await page.reload();
      await expect(page.getByText("Signed by both of you")).toBeVisible();
    },
  },
  {
    name: "sign expired",
    as: "promoter",
    show: (page, market) => open(page, market, { can_sign: false, expires_at: null }),
  },
  {
    name: "sign canceled",
    as: "promoter",
    show: (page, market) => open(page, market, { can_sign: false, expires_at: null, booking_status: "canceled" }),
  },
  {
    name: "sign used link",
    as: "visitor",
    show: async (page) => {
      await page.route(/\/contracts\/signing\/open$/, (route) =>
        route.fulfill({
          status: 410,
          json: {
            code: "gone",
            message: "You have signed with it. Your copy is on its way by email.",
            requestId: "r-1",
            data: { booking_id: "00000000-0000-4000-8000-000000000000", side: "promoter", end: "signed" },
          },
        }),
      );
      await page.goto(paths.sign("00000000-0000-4000-8000-000000000000"));
      await expect(page.getByRole("heading", { name: "This link has been used" })).toBeVisible();
    },
  },
];
