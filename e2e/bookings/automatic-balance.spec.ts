import type { Browser, Page } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { findEmail, linkIn } from "../support/accounts.ts";
import { fillRequest, requestButton } from "../support/booking-form.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";
import { startQuietMarket } from "../support/quiet-market.ts";
import type { TestServer } from "../support/server.ts";
import { daily } from "../support/tier.ts";

// The test moves the clock, so it has its own market.
let market: TestServer;
test.beforeAll(async () => {
  market = await startQuietMarket();
});
test.afterAll(() => market.close());

async function arrive(browser: Browser, role: "promoter" | "artist"): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: market.url })).newPage();
  await signIn(page, `${role}@demo.test`);
  return page;
}

/** Requests a date with the box ticked, and pays the deposit with a card that later behaves as `later`. Returns the booking's id. */
async function book(page: Page, days: number, later: string): Promise<string> {
  await page.goto(paths.book("electric-dreams"));
  await fillRequest(page, { name: "Hannah Whitt", email: "promoter@demo.test", date: dayFromNow(days) });
  const consent = page.getByRole("checkbox", { name: /^Charge the balance of \$/ });
  await expect(consent).not.toBeChecked();
  await consent.check();
  if (later === "works") await expectAccessible(page);
  const stored = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/bookings");
  await requestButton(page).click();
  const { id } = (await (await stored).json()) as { id: string };
  await expect(page).toHaveURL(/\/sandbox\//);
  await page.getByLabel(/^When it is charged later/).selectOption(later);
  if (later === "works") await expectAccessible(page);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  return id;
}

async function sign(page: Page, address: string): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByRole("link", { name: "Sign Contract" }).first()).toBeVisible();
  }).toPass();
  await page.getByRole("link", { name: "Sign Contract" }).first().click();
  await page.getByLabel(/I have read the contract/).check();
  await page.getByRole("button", { name: "Sign contract" }).click();
  await expect(page.getByText("Your signature is stored with the contract.")).toBeVisible();
}

async function later(page: Page, advance: string): Promise<void> {
  const moved = await page.request.post("/api/dev/clock", { data: { advance }, timeout: 0 });
  expect(moved.status(), await moved.text()).toBe(200);
}

test(
  "charges a balance on its day and pays it out after the event, and lets a declined one be paid by its link",
  { tag: daily },
  async ({ browser }) => {
    const promoter = await arrive(browser, "promoter");
    const artist = await arrive(browser, "artist");
    const [charged, refused] = [await book(promoter, 37, "works"), await book(promoter, 44, "authentication_required")];
    for (const id of [charged, refused]) {
      await sign(promoter, paths.promoterArea.booking(id));
      await sign(artist, paths.artistArea.booking(id));
    }
    const now = promoter.getByRole("region", { name: "Now" });
    await promoter.goto(paths.promoterArea.booking(charged));
    await expect(now).toContainText(/The balance will be charged to Visa ···4242 on .*, 9:00 venue time/);
    await expect(promoter.getByRole("button", { name: "Withdraw the automatic payment" })).toBeVisible();
    await expectAccessible(promoter);

    await later(promoter, "P10D");
    const announced = await findEmail(promoter, "promoter@demo.test", / will be charged to Visa ···4242$/);
    await promoter.goto(linkIn(announced));
    expect([charged, refused].some((id) => promoter.url().endsWith(paths.promoterArea.booking(id)))).toBe(true);
    await expect(now).toContainText(/Everything is paid and signed\.|will be charged to Visa/);
    await promoter.goto(paths.promoterArea.booking(charged));
    await expect(now).toContainText("Everything is paid and signed.");

    await later(promoter, "P7D");
    await promoter.goto(paths.promoterArea.booking(refused));
    await expect(promoter.getByText("The payment of the balance was declined")).toBeVisible();
    await expect(promoter.getByRole("link", { name: "Pay Balance" }).first()).toBeVisible();
    // The email's link requires no sign-in.
    const checkout = await (await browser.newContext()).newPage();
    await checkout.goto(linkIn(await findEmail(promoter, "promoter@demo.test", / could not be charged$/)));
    await checkout.getByRole("button", { name: /^Pay \$/ }).click();
    await checkout.getByRole("button", { name: /^Pay \$/ }).click();
    await expect(checkout).toHaveURL(/booking-success/);
    await expect(checkout.getByRole("heading", { name: "Thank you" })).toBeVisible();
    await expect(promoter.getByText("Everything is paid and signed.")).toBeVisible();
    await checkout.context().close();

    await later(promoter, "P31D");
    for (const id of [charged, refused]) {
      await artist.goto(paths.artistArea.booking(id));
      await expect(artist.getByText("Paid to you").first()).toBeVisible();
    }
    for (const page of [promoter, artist]) await page.context().close();
  },
);
