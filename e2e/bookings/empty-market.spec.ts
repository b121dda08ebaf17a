/** An empty market, filled only on its screens: from the first admin to a played, paid and reviewed event, with a moved clock. */

import type { Browser, Page } from "@playwright/test";
import sharp from "sharp";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { fillSignUp, openEmail, type Someone, someone } from "../support/accounts.ts";
import { fillRequest, requestButton } from "../support/booking-form.ts";
import { dayFromNow, expect, test } from "../support/browser.ts";
import { startServer, type TestServer } from "../support/server.ts";

let market: TestServer;
test.beforeAll(async () => {
  market = await startServer("empty-embedded");
});
test.afterAll(async () => market.close());

const empty: Record<string, readonly (readonly [entry: string, words: string | RegExp])[]> = {
  admin: [
    ["Overview", "No confirmed shows ahead."],
    ["Artists", "No artists yet"],
    ["Bookings", "No bookings found matching your criteria."],
    ["Contracts", "No contracts found"],
    ["Payments", "Payment transactions will appear here"],
    ["Users", "User Management"],
    ["Settings", "Default deposit percentage"],
    ["Logs", /Logs/],
  ],
  artist: [
    ["Overview", "No artist profile yet"],
    ["Bookings", "No bookings yet"],
    ["My Profile", "Artist Name"],
    ["Media & Portfolio", "Your profile comes first"],
    ["Payouts & Earnings", "No transactions yet"],
    ["Settings", "No artist profile yet"],
  ],
  promoter: [
    ["Bookings", "No bookings yet"],
    ["Holds", "No holds yet"],
    ["Payments", "No payments yet"],
    ["Settings", "Settings"],
  ],
};

/** Signs up by the form, confirms by the email, and opens every entry of the sidebar. Collects the browser's complaints. */
async function arrive(browser: Browser, person: Someone, role: "admin" | "artist" | "promoter", complaints: string[]) {
  const page = await (await browser.newContext({ baseURL: market.url })).newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${role}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${role}: ${String(error)}`));
  page.on("response", (response) => {
    if (response.status() >= 500) complaints.push(`${role}: ${response.status()} ${response.url()}`);
  });
  await fillSignUp(page, person, new RegExp(role, "i"));
  await openEmail(page, person.email, "confirm_sign_up");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByText("You have been signed in successfully.")).toBeVisible();
  await page.goto(paths.dashboard);
  const sidebar = page.locator("[data-sidebar]").first();
  const entries = empty[role] ?? [];
  await expect(sidebar.getByRole("navigation").getByRole("link")).toHaveCount(entries.length);
  for (const [entry, words] of entries) {
    await sidebar.getByRole("link", { name: entry, exact: true }).click();
    await expect(page.getByRole("main").getByText(words).first(), `${role}: ${entry}`).toBeVisible();
    await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
  }
  return page;
}

const figure = (page: Page, label: string) =>
  page
    .getByRole("main")
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .first();

async function sign(page: Page, list: string): Promise<void> {
  await page.goto(list);
  await page.getByRole("link", { name: "Sign Contract" }).first().click();
  await page.getByLabel(/I have read the contract/).check();
  await page.getByRole("button", { name: "Sign contract" }).click();
  await expect(page.getByText("Your signature is stored with the contract.")).toBeVisible();
}

async function review(page: Page, address: string, text: string): Promise<void> {
  await page.goto(address);
  const section = page.locator("section", { has: page.getByRole("heading", { level: 2, name: "Reviews" }) });
  await section.getByRole("radio", { name: "5 stars" }).check({ force: true });
  await section.getByLabel("Your review").fill(text);
  await section.getByRole("button", { name: "Send review" }).click();
  await expect(section.getByText(text)).toBeVisible();
}

test("fills an empty market on its screens, with correct amounts after one event", async ({ browser }) => {
  const complaints: string[] = [];
  const [ines, harbour, hannah] = [someone("Ines Okoro"), someone(`Harbour ${Date.now()}`), someone("Hannah Whitt")];
  const admin = await arrive(browser, ines, "admin", complaints);
  const visitor = await (await browser.newContext({ baseURL: market.url })).newPage();
  await visitor.goto(paths.home);
  await expect(visitor.getByText("No artists yet")).toBeVisible();
  const artist = await arrive(browser, harbour, "artist", complaints);
  const promoter = await arrive(browser, hannah, "promoter", complaints);

  // Percentages that result in fractions of a cent.
  await admin.goto(paths.admin.settings());
  await admin.getByLabel("Default deposit percentage").fill("40");
  await admin.getByLabel("Platform fee").fill("12.5");
  await admin.getByRole("button", { name: "Save Settings" }).click();
  await expect(admin.getByText("Your settings have been updated successfully.")).toBeVisible();

  await artist.goto(paths.artistArea.profile);
  await expect(artist.getByLabel("Artist Name")).toHaveValue(harbour.name);
  await artist.getByLabel("Genre").selectOption("folk");
  await artist.getByRole("combobox", { name: "Location" }).fill("oakl");
  await artist.getByRole("option", { name: "Oakland, California" }).click();
  await artist.getByLabel("Biography").fill("Two voices and a harmonium.");
  await artist.getByLabel("Base Rate (in cents)").fill("123457");
  await artist.getByRole("button", { name: "Save Profile" }).click();
  await expect(artist.getByText("Your profile has been updated successfully.")).toBeVisible();

  await visitor.goto(paths.browse({ search: "harbour" }));
  await expect(visitor.getByRole("main").getByRole("link", { name: harbour.name }).first()).toBeVisible();
  await artist.goto(paths.artistArea.media);
  const buffer = await sharp({ create: { width: 900, height: 1200, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  await artist.getByLabel("Upload a new photo").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await expect(artist.getByText("Photo uploaded successfully!")).toBeVisible();
  await artist.getByRole("button", { name: "Save Changes" }).click();
  await expect(artist.getByText("Your media has been updated successfully.")).toBeVisible();

  const slug = harbour.name.toLowerCase().replace(" ", "-");
  await promoter.goto(paths.browse({ search: "harbour" }));
  await promoter.getByRole("main").getByRole("link", { name: harbour.name }).first().click();
  await expect(promoter).toHaveURL(new RegExp(paths.artist(slug)));
  await promoter.goto(paths.book(slug));
  await fillRequest(promoter, { name: hannah.name, email: hannah.email, date: dayFromNow(9) });
  await requestButton(promoter).click();
  await expect(promoter).toHaveURL(/\/sandbox\//);
  await expect(promoter.getByText("$493.83").first()).toBeVisible();
  await promoter.getByRole("button", { name: "Pay" }).click();
  await expect(promoter.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();

  await promoter.goto(paths.promoterArea.bookings);
  await expect(promoter.getByRole("link", { name: "Sign Contract" }).first()).toBeVisible();
  await sign(promoter, paths.promoterArea.bookings);
  await sign(artist, paths.artistArea.bookings);

  await promoter.goto(paths.promoterArea.bookings);
  const opened = promoter.context().waitForEvent("page");
  await promoter.getByRole("link", { name: "Pay Balance" }).first().click();
  const checkout = await opened;
  await expect(checkout.getByText("$740.74").first()).toBeVisible();
  await checkout.getByRole("button", { name: "Pay" }).click();
  await expect(checkout.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  await checkout.close();

  const moved = await visitor.request.post("/api/dev/clock", { data: { advance: "P13D" }, timeout: 0 });
  expect(moved.status(), await moved.text()).toBe(200);

  await promoter.goto(`${paths.promoterArea.bookings}?show=past`);
  await expect(promoter.getByText("Completed").first()).toBeVisible();
  const link = promoter.getByRole("main").getByRole("table").getByRole("link", { name: / SD-/ }).first();
  const id = ((await link.getAttribute("href")) ?? "").split("/").at(-1) ?? "";
  await review(promoter, paths.promoterArea.booking(id), "They stayed an extra quarter of an hour.");
  await review(artist, paths.artistArea.booking(id), "The stage was dry and dinner was warm.");
  await visitor.goto(paths.artist(slug));
  await expect(visitor.getByText("They stayed an extra quarter of an hour.")).toBeVisible();
  await expect(visitor.getByText("The stage was dry and dinner was warm.")).toHaveCount(0);

  await admin.goto(paths.admin.overview);
  await expect(figure(admin, "Bookings")).toContainText(/^Bookings1/);
  await expect(figure(admin, "Successful payments")).toContainText("$1,234.57");
  await expect(figure(admin, "Successful payments")).toContainText("2 payments");
  await expect(figure(admin, "Contracts signed")).toContainText(/^Contracts signed1/);
  await expect(figure(admin, "Active artists")).toContainText(/^Active artists1/);
  await admin.goto(paths.admin.payments);
  await expect(figure(admin, "Total Revenue")).toContainText("$1,234.57");
  await expect(figure(admin, "Total Transactions")).toContainText(/^Total Transactions2/);
  await artist.goto(paths.artistArea.overview);
  await expect(figure(artist, "Upcoming Shows")).toContainText(/^Upcoming Shows0/);
  await expect(figure(artist, "Awaiting Signature")).toContainText(/^Awaiting Signature0/);
  await expect(figure(artist, "Outstanding Balances")).toContainText("$0");
  await artist.goto(paths.artistArea.payouts);
  await expect(figure(artist, "Total Earnings")).toContainText("$1,080.25");
  await expect(figure(artist, "Completed Payments")).toContainText(/^Completed Payments2/);
  await promoter.goto(paths.promoterArea.payments);
  for (const sum of ["$493.83", "$740.74"]) await expect(promoter.getByText(sum).first()).toBeVisible();
  // The browser logs that the settings of an artist without a profile are not found.
  expect(complaints.filter((text) => !/^artist: .*status of 404/.test(text))).toEqual([]);
  for (const page of [admin, artist, promoter, visitor]) await page.context().close();
});
