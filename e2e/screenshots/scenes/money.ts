import type { Page } from "@playwright/test";
import { paths } from "../../../src/platform/site-paths.rules.ts";
import { dayMs } from "../../../src/platform/time/durations.rules.ts";
import { payBalance, signContract } from "../../support/api.ts";
import { chooseAction, expect } from "../../support/browser.ts";
import { answerWith, book, type Market } from "../market.ts";
import type { Scene } from "./scene.ts";

async function openCanceling(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Cancel Booking" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Keep Booking" })).toBeVisible();
}

async function proposed({ call }: Market, id: string): Promise<void> {
  const reason = "The hall is under water since the storm, and the town has closed the street for three weeks.";
  await call.artist(`/api/bookings/${id}/force-majeure`, {
    id,
    reason,
    refund_cents: 10_000,
    expected_paid_cents: 37_500,
  });
}

async function disputed(page: Page, market: Market): Promise<string> {
  const id = await book(market);
  const { money } = await market.call.promoter<{ money: { payments: { id: string }[] } }>(`/api/bookings/${id}`);
  const found = await market.call.admin<{ provider_payment: string }>(`/api/admin/payments/${money.payments[0]?.id}`);
  await page.goto(paths.sandboxPayment(found.provider_payment));
  await page.getByRole("button", { name: "Dispute: no show took place" }).click();
  await expect(page.getByRole("region", { name: "Dispute" })).toBeVisible();
  return id;
}

const since = new Date(Date.now() - 3 * dayMs).toISOString();
const unreconciled = [
  ["payment", "a payment without a booking", "pi_3R9xQd2eZvKYlo2C1kPq8aWb", 37_500, "usd"],
  ["transfer", "a transfer that the ledger does not know", "tr_1R9xQd2eZvKYlo2CkPq8aWbX", 81_000, "usd"],
  ["suspense", "money of an unknown purpose", "suspense", null, null],
].map(([kind, what, ref, amount, currency], index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  kind,
  what,
  ref,
  amount,
  currency,
  ...(index === 0
    ? {
        payment_kind: "deposit",
        booking_number: "SD-7KQ4MN",
        payer_name: "Hannah Whitt",
        payer_email: "hannah@example.test",
      }
    : { payment_kind: null, booking_number: null, payer_name: null, payer_email: null }),
  occurred_at: since,
  first_seen_at: since,
}));

async function openUnreconciled(page: Page): Promise<void> {
  await page.route(/\/api\/admin\/unreconciled$/, (route) => route.fulfill({ json: { items: unreconciled } }));
  await page.goto(paths.admin.payments);
  await expect(page.getByRole("region", { name: "Unreconciled" })).toBeVisible();
}

export const money: readonly Scene[] = [
  {
    name: "canceling promoter",
    as: "promoter",
    firstScreen: true,
    show: async (page, market) => openCanceling(page, paths.promoterArea.booking(await book(market))),
  },
  {
    name: "canceling artist",
    as: "artist",
    firstScreen: true,
    show: async (page, market) => openCanceling(page, paths.artistArea.booking(await book(market))),
  },
  {
    name: "canceling unpaid",
    as: "promoter",
    firstScreen: true,
    show: async (page, market) => openCanceling(page, paths.promoterArea.booking(await book(market, { paid: false }))),
  },
  {
    name: "agreement to propose",
    as: "artist",
    firstScreen: true,
    show: async (page, market) => {
      await page.goto(paths.artistArea.booking(await book(market)));
      await page.getByRole("button", { name: "Force Majeure" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: /Refund a part/ }).check();
      await dialog.getByRole("textbox", { name: "Amount to refund" }).fill("100");
      await dialog.getByRole("button", { name: "Propose refund, $100" }).click();
    },
  },
  {
    name: "agreement proposed by the artist",
    as: "artist",
    show: async (page, market) => {
      const id = await book(market);
      await proposed(market, id);
      await page.goto(paths.artistArea.booking(id));
      await expect(page.getByRole("region", { name: "Proposed end by agreement" })).toBeVisible();
    },
  },
  {
    name: "agreement to answer",
    as: "promoter",
    show: async (page, market) => {
      const id = await book(market);
      await proposed(market, id);
      await page.goto(paths.promoterArea.booking(id));
      await page
        .getByRole("region", { name: "Proposed end by agreement" })
        .getByRole("button", { name: "Accept" })
        .click();
    },
  },
  {
    name: "booking paid and signed",
    as: "artist",
    show: async (page, market) => {
      const id = await book(market);
      await signContract(market.call, id, "artist", "promoter");
      await payBalance(market.api, market.call.promoter, id);
      await page.goto(paths.artistArea.booking(id));
      await expect(page.getByRole("list", { name: "Where the money is" })).toBeVisible();
    },
  },
  {
    name: "booking disputed",
    as: "admin",
    show: async (page, market) => {
      await page.goto(paths.admin.booking(await disputed(page, market)));
      const section = page.getByRole("region", { name: "Disputes" });
      await expect(section).toContainText("Needs an answer");
      await section.getByText("What happened, step by step").click();
    },
  },
  {
    name: "dispute evidence to send",
    as: "admin",
    firstScreen: true,
    show: async (page, market) => {
      await page.goto(paths.admin.booking(await disputed(page, market)));
      const section = page.getByRole("region", { name: "Disputes" });
      await section.getByLabel("What else should the bank know?").fill("The promoter canceled by the agreed policy.");
      await section.getByRole("button", { name: "Send evidence" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  { name: "unreconciled money", as: "admin", show: openUnreconciled },
  {
    name: "unreconciled payment to book",
    as: "admin",
    firstScreen: true,
    show: async (page) => {
      await openUnreconciled(page);
      await page.getByRole("button", { name: "Assign to a booking" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "payment receipt and details",
    as: "admin",
    firstScreen: true,
    show: async (page) => {
      await page.goto(`${paths.admin.payments}?status=succeeded`);
      await chooseAction(page, /^Actions: SD-/, "Receipt and details");
      await expect(page.getByRole("dialog").getByText("Payment captured")).toBeVisible();
    },
  },
  {
    name: "no-show to report",
    as: "promoter",
    firstScreen: true,
    show: async (page, market) => {
      const id = await book(market);
      await answerWith<{ can: object }>(page, new RegExp(`/api/bookings/${id}$`), (body) => ({
        ...body,
        can: { ...body.can, report_no_show: true, complete: true },
      }));
      await page.goto(paths.promoterArea.booking(id));
      await page.getByRole("button", { name: "Report a no-show" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "balance link",
    as: "artist",
    firstScreen: true,
    show: async (page) => {
      await page.goto(paths.artistArea.bookings);
      const waiting = page.locator("[data-row]").filter({ hasText: "Deposit paid", visible: true }).first();
      await waiting.getByRole("button", { name: /^Actions:/ }).click();
      await page.getByRole("menuitem", { name: "Create Balance Link" }).click();
      await expect(
        page.getByRole("dialog", { name: "Balance link" }).getByRole("link", { name: /Open/ }),
      ).toBeVisible();
    },
  },
];
