import { paths } from "../../src/platform/site-paths.rules.ts";
import { findEmail, linkIn } from "../support/accounts.ts";
import { bookingRequest, callsOf } from "../support/api.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";

test("ends a paid booking by the artist's proposed division, which the promoter accepts", async ({
  page,
  browser,
  request,
}) => {
  const call = await callsOf(request, "promoter@demo.test");
  const { id = "" } = await call("/api/bookings", bookingRequest(dayFromNow(291)));
  const { checkout_url: checkout = "" } = await call("/api/functions/create-contract-and-checkout", { booking_id: id });
  const promoter = await (await browser.newContext()).newPage();
  await signIn(promoter, "promoter@demo.test");
  await promoter.goto(checkout);
  await promoter.getByRole("button", { name: /^Pay \$/ }).click();
  await promoter.waitForURL(/booking-success/);

  await signIn(page, "artist@demo.test");
  await page.goto(paths.artistArea.booking(id));
  const money = page.getByRole("list", { name: "Where the money is" });
  await expect(money).toContainText("held by Stagedoor");
  await page.getByRole("button", { name: "Force Majeure" }).click();
  const dialog = page.getByRole("dialog", { name: "Force majeure: end by agreement?" });
  await dialog.getByLabel(/What happened/).fill("The hall is under water since the storm.");
  await dialog.getByRole("radio", { name: /Refund a part/ }).check();
  await dialog.getByRole("textbox", { name: "Amount to refund" }).fill("100");
  await expect(dialog.getByLabel("Division")).toContainText("$100");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Propose refund, $100" }).click();
  await expect(page.getByRole("region", { name: "Proposed end by agreement" })).toContainText("You have proposed");

  const email = await findEmail(promoter, "promoter@demo.test", /: do you agree to end the booking\?$/);
  expect(email.text.replaceAll(/\s+/g, " ")).toContain(
    "$100 would be refunded to the card it was paid with, and $275 would not be refunded.",
  );
  expect(linkIn(email)).toContain(id);
  await promoter.goto(linkIn(email));
  const proposal = promoter.getByRole("region", { name: "Proposed end by agreement" });
  await expect(proposal).toContainText("$100 is refunded to the card it was paid with. $275 is not refunded.");
  await expectAccessible(promoter);
  await proposal.getByRole("button", { name: "Accept" }).click();
  await proposal.getByRole("button", { name: "Accept and refund $100" }).click();
  await expect(promoter.getByRole("list", { name: "Where the money is" })).toContainText(/refunded/i);
  const ended = await findEmail(promoter, "promoter@demo.test", /^Canceled: /);
  expect(ended.text.replaceAll(/\s+/g, " ")).toContain("We refund $100 to the card it was paid with");
  expect(linkIn(ended)).toContain(id);
  await expect(page.getByText("The end by agreement was accepted")).toBeVisible();
  await expect(money).toContainText("Commission of Stagedoor");
  await promoter.context().close();
});
