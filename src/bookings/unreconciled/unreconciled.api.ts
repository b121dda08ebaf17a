import { z } from "zod";
import { paymentKinds } from "#payments/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("payments");

const id = z.uuid("This is not the id of an item.");
const reason = prose(500).min(10);
const number = z.string().trim().min(1).max(20);
const done = z.object({ id: z.uuid() });

/** The result of matching a payment with a booking. `reason` is why it cannot be applied, or null if it can. */
const match = z.object({
  booking: z.object({
    id: z.uuid(),
    number: z.string(),
    promoter_name: z.string(),
    artist_name: z.string(),
    event_date: z.iso.date(),
  }),
  kind: z.enum(paymentKinds).nullable().describe("The payment that it would cover; null: nothing is due"),
  due_cents: z.int().nullable(),
  currency: z.string(),
  reason: z.string().nullable(),
});

export const unreconciledApi = {
  list: endpoint("admin", "GET /admin/unreconciled", "listUnreconciled")
    .route({ summary: "Differences between the provider and the ledger, oldest first" })
    .output(
      z.object({
        items: z.array(
          z.object({
            id: z.uuid(),
            kind: z.enum(["payment", "money", "transfer", "reversal", "dispute", "suspense"]),
            what: z.string(),
            ref: z.string().describe("The provider's reference"),
            amount: z.int().nullable(),
            currency: z.string().nullable(),
            payment_kind: z.enum(paymentKinds).nullable().describe("The purpose of the payment, from its metadata"),
            booking_number: z.string().nullable().describe("The booking that the payment's metadata names"),
            payer_name: z.string().nullable(),
            payer_email: z.string().nullable(),
            occurred_at: z.date(),
            first_seen_at: z.date(),
          }),
        ),
      }),
    ),
  match: endpoint("admin", "GET /admin/unreconciled/{id}/match", "matchUnreconciled")
    .route({ summary: "The due payment of the booking with this number that a payment would cover" })
    .input(z.strictObject({ id, number }))
    .output(match),
  apply: endpoint("admin", "POST /admin/unreconciled/{id}/apply", "applyUnreconciled")
    .route({ summary: "Book the payment as the deposit or balance that the booking is due, exactly" })
    .input(z.strictObject({ id, number, reason }))
    .output(done),
  sendBack: endpoint("admin", "POST /admin/unreconciled/{id}/return", "returnUnreconciled")
    .route({ summary: "Refund the payment in full, once" })
    .input(z.strictObject({ id, reason }))
    .output(done),
  explain: endpoint("admin", "POST /admin/unreconciled/{id}/explain", "resolveUnreconciled")
    .route({ summary: "Record the explanation of a difference; no money is moved" })
    .input(z.strictObject({ id, reason }))
    .output(done),
};
