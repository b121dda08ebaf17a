import type { APIRequestContext } from "@playwright/test";
import { paths } from "../../src/platform/site-paths.rules.ts";
import { findEmail, linkIn } from "../support/accounts.ts";
import { bookingRequest, callsOf } from "../support/api.ts";
import { dayFromNow, expect, expectAccessible, signIn, test } from "../support/browser.ts";

/** Makes a booking with a paid deposit. Returns it with the provider's payment reference. */
async function booked(request: APIRequestContext) {
  const promoter = await callsOf(request, "promoter@demo.test");
  const { id } = await promoter<{ id: string }>("/api/bookings", bookingRequest(dayFromNow(10)));
  const opened = await promoter<{ checkout_url: string }>("/api/functions/create-contract-and-checkout", {
    booking_id: id,
  });
  await request.post(`${opened.checkout_url}/pay`, { maxRedirects: 0 });
  const admin = await callsOf(request, "admin@demo.test");
  await expect
    .poll(async () => (await promoter<{ status: string }>(`/api/bookings/${id}`)).status)
    .not.toBe("initiated");
  const { money } = await promoter<{ money: { payments: { id: string }[] } }>(`/api/bookings/${id}`);
  const payment = await admin<{ provider_payment: string }>(`/api/admin/payments/${money.payments[0]?.id}`);
  return { id, promoter, ref: payment.provider_payment };
}

test("blocks the payout until the bank has decided about the evidence", async ({ page, request }) => {
  const { id, promoter, ref } = await booked(request);
  await signIn(page, "admin@demo.test");
  await page.goto(paths.sandboxPayment(ref));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Dispute: no show took place" }).click();
  await expect(page.getByRole("region", { name: "Dispute" })).toContainText("Open, waits for evidence");
  // The artist's share of a canceled booking is due after 48 hours, but not during the dispute.
  const { refund_cents } = await promoter<{ refund_cents: number }>(`/api/bookings/${id}/cancellation`);
  await promoter(`/api/bookings/${id}/cancel`, { id, code: "plans_changed", expected_refund_cents: refund_cents });

  await page.goto(paths.admin.overview);
  await expect(page.getByRole("region", { name: "Needs a decision" })).toContainText("left to answer");
  await page.goto(paths.admin.booking(id));
  const disputes = page.getByRole("region", { name: "Disputes" });
  await expect(disputes).toContainText("Needs an answer");
  await expect(page.getByRole("list", { name: "Where the money is" })).toContainText(/dispute/);
  await disputes.getByText("What happened, step by step").click();
  await expect(disputes).toContainText("Deposit paid");
  await expectAccessible(page);
  await disputes.getByLabel("What else should the bank know?").fill("The promoter canceled by the agreed policy.");
  await disputes.getByRole("button", { name: "Send evidence" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send evidence" }).click();
  await expect(disputes).toContainText("The bank decides");
  await expect(disputes.getByRole("button", { name: "Send evidence" })).toHaveCount(0);

  await disputes.getByRole("link", { name: "Open this payment in the sandbox" }).click();
  await page.getByRole("button", { name: "Let it be won" }).click();
  await page.goto(paths.admin.booking(id));
  await expect(disputes).toContainText("Won");
  await expect(page.getByRole("list", { name: "Where the money is" })).toContainText("Owed to Electric Dreams");

  for (const subject of [/: a payment is disputed$/, /: the dispute was won$/])
    expect(linkIn(await findEmail(page, "artist@demo.test", subject))).toContain(id);
  await signIn(page, "artist@demo.test");
  await page.goto(linkIn(await findEmail(page, "artist@demo.test", /: the dispute was won$/)));
  await expect(page.getByRole("region", { name: "Now" })).toContainText("This booking is canceled.");
  await expect(page.getByRole("list", { name: "Where the money is" })).toContainText(/Owed to you.*\$337\.50/);
});
