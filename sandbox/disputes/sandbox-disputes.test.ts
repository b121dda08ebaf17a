import { sql } from "kysely";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { paymentsHarness } from "#test/harness/payments.ts";
import { stripeSchemas } from "#test/harness/provider/stripe-schemas.ts";

const app = closeAfterFile(await paymentsHarness());
const { host, port, secretKey } = app.services.sandbox!;
const stripe = new Stripe(secretKey, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });

async function paid() {
  const { url, paymentId } = await app.start();
  await app.press(url, "pay");
  const { provider_payment: ref } = await app.payment(paymentId);
  return { payment_intent: await stripe.paymentIntents.retrieve(ref ?? "") };
}

test("accepts a file and texts once, and decides on the page or at the deadline", async () => {
  const session = await paid();
  const intent = session.payment_intent;
  const act = async (url: string) => (await app.server.inject({ method: "POST", url })).statusCode;
  expect(await act(`/sandbox/payment/${intent.id}/dispute/service`)).toBe(303);
  expect(await act(`/sandbox/payment/${intent.id}/dispute/service`)).toBe(303);
  const [dispute, ...others] = (await stripe.disputes.list({ payment_intent: intent.id })).data;
  expect(others).toEqual([]);
  expect(dispute).toMatchObject({ status: "needs_response", amount: 37_500, reason: "product_not_received" });
  expect(dispute?.balance_transactions).toMatchObject([{ amount: -37_500, fee: 1_500, net: -39_000 }]);
  await expect(
    stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: `refund-${intent.id}` }),
  ).rejects.toMatchObject({ code: "charge_disputed" });
  const upload = () =>
    stripe.files.create(
      {
        purpose: "dispute_evidence",
        file: {
          data: Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff]),
          name: "contract.pdf",
          type: "application/pdf",
        },
      },
      { idempotencyKey: `file-${intent.id}` },
    );
  const file = await upload();
  expect(file).toMatchObject({ filename: "contract.pdf", size: 6, type: "pdf" });
  expect((await upload()).id).toBe(file.id);
  const id = dispute?.id ?? "";
  const submitEvidence = (evidence: Stripe.DisputeUpdateParams.Evidence) =>
    stripe.disputes.update(id, { evidence, submit: true });
  await expect(submitEvidence({ customer_signature: "file_none" })).rejects.toMatchObject({ code: "resource_missing" });
  const long = { dispute: id, key: `long-${id}`, parts: { uncategorized_text: "a line\n".repeat(1_000) } };
  await expect(app.services.gateway?.submitEvidence(long)).rejects.toMatchObject({
    kind: "refused",
    message: expect.stringMatching(/longer than the 19 pages .* Shorten your own text, or answer .* dashboard/),
  });
  const sent = await submitEvidence({ customer_signature: file.id, service_date: "2027-02-13" });
  expect(sent).toMatchObject({
    status: "under_review",
    evidence_details: { submission_count: 1, has_evidence: true },
  });
  await expect(submitEvidence({ service_date: "2027-02-14" })).rejects.toMatchObject({ code: "dispute_closed" });
  app.clock.advance(7 * dayMs + 1_000);
  await app.settle();
  const won = await stripe.disputes.retrieve(id);
  expect(won.status).toBe("won");
  expect(won.balance_transactions.map(({ amount }) => amount)).toEqual([-37_500, 37_500]);
  await expect(stripe.disputes.close(id)).rejects.toMatchObject({ code: "dispute_closed" });
  expect(await act(`/sandbox/payment/${intent.id}/dispute/inquiry`)).toBe(303);
  const inquiry = (await stripe.disputes.list({ payment_intent: intent.id, limit: 1 })).data[0];
  expect(inquiry).toMatchObject({ status: "warning_needs_response", balance_transactions: [] });
  expect(await act(`/sandbox/dispute/${inquiry?.id}/lose`)).toBe(303);
  expect((await stripe.disputes.retrieve(inquiry?.id ?? "")).status).toBe("needs_response");
  app.clock.advance(9 * dayMs + 1_000);
  await app.settle();
  expect((await stripe.disputes.retrieve(inquiry?.id ?? "")).status).toBe("lost");
  const page = await app.server.inject({ method: "GET", url: `/sandbox/payment/${intent.id}` });
  expect(page.body).toContain("Lost: the payer keeps the money");
  for (const url of ["/sandbox/payment/pi_none", "/sandbox/payment/toString"])
    expect((await app.server.inject({ method: "GET", url })).statusCode).toBe(404);
  expect(await act(`/sandbox/payment/${intent.id}/dispute/toString`)).toBe(404);
  expect(await act(`/sandbox/dispute/${id}/toString`)).toBe(404);
});

test("returns objects that match the provider's schema", async () => {
  const validators = stripeSchemas();
  const check = (name: string, object: unknown) => {
    const wrong = validators(name)(JSON.parse(JSON.stringify(object)));
    expect({ name, wrong }).toEqual({ name, wrong: [] });
  };
  const disputed = (await paid()).payment_intent;
  for (const opening of ["fraudulent", "half", "inquiry"]) {
    await app.server.inject({ method: "POST", url: `/sandbox/payment/${disputed.id}/dispute/${opening}` });
    const [dispute] = (await stripe.disputes.list({ payment_intent: disputed.id, limit: 1 })).data;
    check("dispute", dispute);
    await app.server.inject({ method: "POST", url: `/sandbox/dispute/${dispute?.id}/win` });
    const closed = await stripe.disputes.retrieve(dispute?.id ?? "");
    check("dispute", closed);
    for (const movement of closed.balance_transactions) check("balance_transaction", movement);
  }
  const data = { data: Buffer.from("%PDF-1.7"), name: "contract.pdf", type: "application/pdf" };
  check("file", await stripe.files.create({ purpose: "dispute_evidence", file: data }));
  for (const { body } of await app.database.db
    .selectFrom("sandbox_objects")
    .select("body")
    .where("kind", "=", "event")
    .where(sql`body->>'type'`, "like", "charge.dispute.%")
    .execute())
    check("event", body);
});
