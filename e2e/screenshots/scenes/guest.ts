import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { dayFromNow, emailsTo, expect } from "../../support/browser.ts";
import { answerWith, freeDay, type Market, request } from "../market.ts";
import type { Scene } from "./scene.ts";

/** Makes a request whose cookie gives this browser access to its page. */
async function sendRequest(page: Page, press?: "hold" | "pay" | "decline"): Promise<string> {
  const response = await page.request.post("/api/bookings", {
    data: { ...request(await freeDay(page.request), "hannah.whitt@example.test"), clientName: "Hannah Whitt" },
  });
  const { id } = (await response.json()) as { id: string };
  if (!press) return id;
  const opened = await page.request.post("/api/functions/create-contract-and-checkout", { data: { booking_id: id } });
  const { checkout_url: url } = (await opened.json()) as { checkout_url: string };
  if (press !== "hold") await page.request.post(`${new URL(url).pathname}/${press}`, { maxRedirects: 0 });
  return id;
}

async function arrive(page: Page, id: string): Promise<void> {
  await page.goto(paths.guestBooking(id));
  await expect(page.getByRole("region", { name: "Now" })).toBeVisible();
}

/** Opens a guest's booking of the market in this status, by the emailed link. */
async function ofMarket(page: Page, { api, call }: Market, status: string): Promise<void> {
  const { items } = await call.admin<{ items: { id: string; promoter_email: string }[] }>(
    `/api/admin/bookings?status=${status}&search=${encodeURIComponent("Grace Abernathy")}`,
  );
  const { id, promoter_email: to } = items[0] ?? { id: "", promoter_email: "" };
  await api.post(`/api/bookings/${id}/send-link`, { data: {} });
  const find = async () => (await emailsTo(page, to)).find(({ html }) => html.includes(`/booking/${id}?link=`));
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
  const link = /href="(http[^"]+)"/.exec((await find())?.html ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "";
  await page.goto(new URL(link).pathname + new URL(link).search);
  await expect(page.getByRole("region", { name: "Now" })).toBeVisible();
}

export const guest: readonly Scene[] = [
  { name: "guest asked", as: "visitor", show: async (page) => arrive(page, await sendRequest(page)) },
  { name: "guest held", as: "visitor", show: async (page) => arrive(page, await sendRequest(page, "hold")) },
  {
    name: "guest paid",
    as: "visitor",
    show: async (page) => {
      await arrive(page, await sendRequest(page, "pay"));
      await expect(page.getByRole("button", { name: /^Open Receipt/ })).toBeVisible({ timeout: 40_000 });
    },
  },
  { name: "guest signed", as: "visitor", show: (page, market) => ofMarket(page, market, "contract_signed") },
  { name: "guest played", as: "visitor", show: (page, market) => ofMarket(page, market, "completed") },
  {
    name: "guest with an automatic balance",
    as: "visitor",
    show: async (page) => {
      const id = await sendRequest(page, "pay");
      await answerWith<Record<string, unknown>>(page, new RegExp(`/api/bookings/${id}$`), (body) => ({
        ...body,
        automatic_payment: {
          state: "planned",
          amount_cents: 112_500,
          card: "Visa ···4242",
          card_ends: "12/2030",
          charge: { day: dayFromNow(10), time: "09:00" },
          can_withdraw: true,
        },
      }));
      await arrive(page, id);
      await expect(page.getByRole("region", { name: "Automatic payment" })).toBeVisible();
    },
  },
  {
    name: "guest unknown",
    as: "visitor",
    show: async (page) => {
      await page.goto(paths.guestBooking("00000000-0000-4000-8000-000000000000"));
      await page.getByRole("button", { name: "Send me a new link" }).click();
      await expect(page.locator(".note").first()).toBeVisible();
    },
  },
];
