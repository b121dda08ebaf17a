import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { linkIn } from "../../support/accounts.ts";
import { fillRequest, requestButton } from "../../support/booking-form.ts";
import { dayFromNow, emailsTo, expect } from "../../support/browser.ts";
import { book, freeDay, type Market, request } from "../market.ts";
import type { Scene } from "./scene.ts";

const person = async (page: Page) => ({
  name: "Hannah Whitt",
  email: "hannah.whitt@example.test",
  date: await freeDay(page.request),
});

async function fill(page: Page, slug = "electric-dreams"): Promise<void> {
  await page.goto(paths.book(slug));
  await fillRequest(page, await person(page));
  await expect(page.getByText(/is free\./).first()).toBeVisible();
}

async function toCheckout(page: Page): Promise<void> {
  await fill(page);
  await requestButton(page).click();
  await expect(page).toHaveURL(/\/sandbox\//);
}

async function paymentOf({ call }: Market, id: string): Promise<string> {
  const { money } = await call.promoter<{ money: { payments: { id: string }[] } }>(`/api/bookings/${id}`);
  const found = await call.admin<{ provider_payment: string }>(`/api/admin/payments/${money.payments[0]?.id}`);
  return found.provider_payment;
}

export const checkout: readonly Scene[] = [
  {
    name: "acts of a night",
    as: "visitor",
    show: async (page) => {
      await page.goto(paths.browse({ night: dayFromNow(60), town: "Austin", kind: "wedding" }));
      await expect(page.getByRole("link", { name: "Clear the date" })).toBeVisible();
    },
  },
  {
    name: "form with the balance box",
    as: "visitor",
    show: async (page) => {
      await fill(page);
      await page.getByRole("checkbox", { name: /^Charge the balance of \$/ }).check();
    },
  },
  {
    name: "form incomplete",
    as: "visitor",
    show: async (page) => {
      await page.goto(paths.book("electric-dreams"));
      await page.locator("[name=eventDate]").fill(dayFromNow(300));
      await expect(page.getByText(/is free\./).first()).toBeVisible();
      await requestButton(page).click();
    },
  },
  {
    name: "form of a taken date",
    as: "visitor",
    show: async (page, market) => {
      const date = await freeDay(page.request);
      const { id = "" } = await market.call.promoter("/api/bookings", request(date, "promoter@demo.test"));
      await market.call.promoter("/api/functions/create-contract-and-checkout", { booking_id: id });
      await page.goto(paths.book("electric-dreams", date));
      await expect(page.getByText("Nearest free dates").first()).toBeVisible();
    },
  },
  {
    name: "form of my own hold",
    as: "visitor",
    show: async (page) => {
      await toCheckout(page);
      await page.getByRole("button", { name: "Cancel" }).click();
      await expect(page.getByRole("heading", { name: /^You are holding/ })).toBeVisible();
    },
  },
  { name: "sandbox checkout", as: "visitor", show: toCheckout },
  {
    name: "sandbox checkout that keeps a card",
    as: "visitor",
    show: async (page) => {
      await fill(page);
      await page.getByRole("checkbox", { name: /^Charge the balance of \$/ }).check();
      await requestButton(page).click();
      await expect(page).toHaveURL(/\/sandbox\//);
    },
  },
  {
    name: "sandbox checkout declined",
    as: "visitor",
    show: async (page) => {
      await toCheckout(page);
      await page.getByRole("button", { name: "Decline" }).click();
      await expect(page.getByText(/declined/i).first()).toBeVisible();
    },
  },
  {
    name: "sandbox authentication",
    as: "visitor",
    show: async (page) => {
      await toCheckout(page);
      await page.getByText("Other answers of the bank").click();
      await page.getByRole("button", { name: "Authenticate" }).click();
    },
  },
  {
    name: "sandbox checkout paid already",
    as: "visitor",
    show: async (page) => {
      await toCheckout(page);
      const address = page.url();
      await page.getByRole("button", { name: /^Pay \$/ }).click();
      await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
      await page.goto(address);
    },
  },
  {
    name: "sandbox payment",
    as: "admin",
    show: async (page, market) => {
      await page.goto(paths.sandboxPayment(await paymentOf(market, await book(market))));
    },
  },
  {
    name: "sandbox payment disputed",
    as: "admin",
    show: async (page, market) => {
      await page.goto(paths.sandboxPayment(await paymentOf(market, await book(market))));
      await page.getByRole("button", { name: "Dispute: no show took place" }).click();
      await expect(page.getByRole("region", { name: "Dispute" })).toBeVisible();
    },
  },
  {
    name: "sandbox account",
    as: "artist",
    show: async (page) => {
      await page.goto(paths.artistArea.payouts);
      await page.getByRole("button", { name: /Stripe|Complete Setup|Manage Account/ }).click();
      await expect(page).toHaveURL(/\/sandbox\//);
    },
  },
  {
    name: "pay page",
    as: "visitor",
    show: async (page, market) => {
      // The emailed link alone pays nothing.
      const mailbox = `payer-${Date.now()}@example.test`;
      await page.request.post("/api/bookings", { data: request(await freeDay(market.api), mailbox) });
      await expect.poll(async () => (await emailsTo(page, mailbox)).length).toBeGreaterThan(0);
      const [email] = await emailsTo(page, mailbox);
      await page.goto(email ? linkIn(email) : "");
      await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
    },
  },
  {
    name: "pay page refused",
    as: "promoter",
    show: async (page, market) => {
      await page.goto(paths.pay(await book(market), "deposit"));
      await expect(page.getByRole("alert").first()).toBeVisible();
    },
  },
];
