/** The links of a balance: emailed by us, and made by the artist. */

import { paths } from "../../src/platform/site-paths.rules.ts";
import { linkIn } from "../support/accounts.ts";
import { emailsTo, expect, signIn, test } from "../support/browser.ts";

test.use({ allowedComplaints: [/status of 4\d\d/] });

test("accepts a balance by the emailed link from any payer without access to the booking, and updates the promoter's open page", async ({
  page,
  browser,
}) => {
  const find = async () =>
    (await emailsTo(page, "promoter@demo.test")).find(
      ({ subject }) => subject.includes("balance") && / due /.test(subject),
    );
  // The job that sends it runs at the server's start: here, or in the prepared market, with another port in the link.
  await expect.poll(find).toBeTruthy();
  const email = await find();
  if (!email) throw new Error("the email has gone");
  const { pathname, search } = new URL(linkIn(email));
  const link = `${pathname}${search}`;
  const id = /\/pay\/([\w-]+)\/balance\?key=/.exec(link)?.[1] ?? "";
  await signIn(page, "promoter@demo.test");
  await page.goto(paths.promoterArea.booking(id));
  const now = page.getByRole("region", { name: "Now" });
  await expect(now).toContainText("Now: pay the balance.");
  await expect(now.getByRole("link", { name: /Pay Balance/ })).toHaveAttribute("target", "_blank");
  const payer = await (await browser.newContext()).newPage();
  await payer.goto(link);
  await expect(payer.getByRole("heading", { level: 1, name: /^The balance for/ })).toBeVisible();
  const number = await now
    .page()
    .getByText(/^SD-\w{6}$/)
    .first()
    .textContent();
  await expect(payer.getByRole("main")).toContainText(number ?? "");
  await payer.getByText("Get the receipt in your name").click();
  const payerMailbox = `nora-${Date.now()}@example.test`;
  await payer.getByLabel("Your name").fill("Nora Ames");
  await payer.getByLabel("Your email").fill(payerMailbox);
  await payer.getByLabel("Company").fill("Ames Ltd");
  await payer.getByRole("button", { name: /^Pay \$/ }).click();
  await expect(payer).toHaveURL(/\/sandbox\//);
  await expect(payer.getByRole("main")).toContainText("Nora Ames");
  expect((await payer.request.get(`/api/bookings/${id}`)).status()).toBe(404);
  await payer.getByRole("button", { name: "Pay" }).click();
  await expect(payer).toHaveURL(/booking-success/);
  await expect(payer.getByRole("heading", { level: 1, name: "Thank you, it is paid" })).toBeVisible();
  await expect(payer.getByRole("main")).toContainText(payerMailbox);
  await expect(payer.getByRole("link", { name: "Open the booking" })).toHaveCount(0);
  await expect(now).toContainText("Everything is paid and signed.");
  await expect
    .poll(async () => (await emailsTo(page, payerMailbox)).map(({ subject }) => subject))
    .toEqual([expect.stringMatching(/^Your receipt: /)]);
  await payer.goto(link);
  await expect(payer.getByRole("heading", { level: 1, name: "Paid in full" })).toBeVisible();
  await payer.context().close();
});

test("creates the link of a balance for the artist, which takes no money until both parties have signed", async ({
  page,
}) => {
  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.bookings);
  const waiting = page.getByRole("row").filter({ hasText: "Deposit paid" }).first();
  await waiting.getByRole("button", { name: /^Actions:/ }).click();
  await page.getByRole("menuitem", { name: "Create Balance Link" }).click();
  const dialog = page.getByRole("dialog", { name: "Balance link" });
  await expect(dialog).toContainText("once both of you have signed the contract");
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    dialog.getByRole("link", { name: /Open/ }).click(),
  ]);
  await expect(opened.getByRole("heading", { level: 1, name: "Nothing to pay yet" })).toBeVisible();
  await expect(opened.getByRole("main")).toContainText("once the contract is signed");
  await opened.close();
});
