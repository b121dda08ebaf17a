import { linkIn } from "../support/accounts.ts";
import { openCheckout } from "../support/booking-form.ts";
import { chooseAction, dayFromNow, emailsTo, expect, expectAccessible, signIn, test } from "../support/browser.ts";

test("opens a guest's receipt by the emailed link, and lists it for an admin with the payment", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = `receipt-${Date.now()}@example.test`;
  await openCheckout(page, "electric-dreams", { name: "Rosa Lund", email, date: dayFromNow(152) });
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("heading", { name: "Payment Successful!" })).toBeVisible();
  const received = async () =>
    (await emailsTo(page, email)).find(({ subject }) => subject.startsWith("We received your deposit"));
  await expect.poll(async () => (await received())?.subject).toBeTruthy();
  const found = await received();
  const link = linkIn({ html: found?.html ?? "" });
  expect(link).toMatch(/#documents$/);
  // Another browser without cookies, as of a recipient of the email.
  const other = await browser.newContext(baseURL ? { baseURL } : {});
  const reader = await other.newPage();
  await reader.goto(link);
  await expect(reader.getByRole("heading", { name: "Receipts" })).toBeInViewport();
  const open = reader.getByRole("button", { name: /^Open Receipt A-\d+-\d{5}/ });
  await expect(async () => {
    await reader.reload();
    await expect(open).toBeVisible();
  }).toPass();
  await expectAccessible(reader);
  const answered = reader.waitForResponse(/\/api\/documents\/[\w-]+\/link$/);
  await open.click();
  const { url } = (await (await answered).json()) as { url: string };
  const file = await reader.request.get(url);
  expect(file.headers()["content-type"]).toBe("application/pdf");
  expect((await file.body()).subarray(0, 5).toString()).toBe("%PDF-");
  await other.close();

  await signIn(page, "admin@demo.test");
  await page.goto("/admin/payments?status=succeeded");
  await chooseAction(page, /^Actions: SD-/, "Receipt and details");
  const dialog = page.getByRole("dialog", { name: "Receipt and details" });
  await expect(dialog.getByRole("button", { name: /^Open Receipt/ })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Documents as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^documents-\d{4}-\d\d-\d\d\.csv$/);
});
