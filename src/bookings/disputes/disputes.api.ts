import { z } from "zod";
import { evidenceStates } from "#disputes/rules.ts";
import { paymentKinds } from "#payments/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("payments");

const disputeId = z.uuid("This is not the id of a dispute.");
const amount = z.int().describe("Minor units of the dispute's currency");

const piece = z.object({
  field: z.string().describe("The payment provider's name of the evidence field"),
  text: z.string().nullable(),
  file: z.string().nullable(),
});

const shares = z.object({ artist: amount, platform: amount });

const dispute = z.object({
  id: z.uuid(),
  ref: z.string(),
  kind: z.enum(paymentKinds).nullable(),
  provider_payment: z.string(),
  sandbox: z.boolean().describe("True: opened at the local provider of the demo"),
  amount,
  currency: z.string(),
  reason: z.string(),
  status: z.string(),
  state: z.enum(["inquiry", "open", "review", "won", "lost", "closed"]),
  due_at: z.date().nullable(),
  opened_at: z.date(),
  closed_at: z.date().nullable(),
  withdrawn_cents: amount,
  borne: z.object({ held: amount, artist: amount, platform: amount, refunded: amount }).nullable(),
  returned: shares.nullable().describe("The amounts returned after an appeal was won"),
  returnable: shares.nullable().describe("The amounts that can be returned after an appeal was won"),
  unreturned_cents: amount.describe("What the bank took and has not returned"),
  payer_due_cents: amount.describe("What came back after a cancellation and is due to the payer by its terms"),
  can_send: z.boolean(),
  can_accept: z.boolean().describe("The dispute can be accepted instead of answered"),
  evidence: z
    .object({
      status: z.enum(evidenceStates),
      sent_at: z.date().nullable(),
      requested_at: z.date(),
      error: z.string().nullable(),
    })
    .nullable(),
  contract_id: z.uuid().nullable().describe("The contract whose file is part of the evidence"),
  pieces: z.array(piece),
});
export type ShownDispute = z.infer<typeof dispute>;

export const disputesApi = {
  list: endpoint("admin", "GET /admin/bookings/{id}/disputes", "listDisputes")
    .route({ summary: "The disputes of a booking's payments, with the evidence that was or would be sent" })
    .input(z.strictObject({ id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ items: z.array(dispute) })),
  send: endpoint("admin", "POST /admin/disputes/{id}/evidence", "sendDisputeEvidence")
    .route({ summary: "Send the evidence against a dispute to the payer's bank, once" })
    .input(z.strictObject({ id: disputeId, note: prose(5_000, "At most 5,000 characters.").default("") }))
    .output(z.object({ id: z.uuid(), sent: z.literal(true) })),
  accept: endpoint("admin", "POST /admin/disputes/{id}/accept", "acceptDispute")
    .route({ summary: "Accept a dispute instead of answering it: it is lost immediately and permanently" })
    .input(z.strictObject({ id: disputeId }))
    .output(z.object({ id: z.uuid(), accepted: z.literal(true) })),
  returnShare: endpoint("admin", "POST /admin/disputes/{id}/share", "returnDisputeShare")
    .route({ summary: "Return the artist's share of a lost dispute after an appeal was won" })
    .input(
      z.strictObject({
        id: disputeId,
        expected_artist_cents: amount.describe("The artist's share that the admin was shown"),
      }),
    )
    .output(z.object({ id: z.uuid(), artist_cents: amount, platform_cents: amount })),
};
