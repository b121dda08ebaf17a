import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("payments");

const id = z.uuid("This is not the id of a refund.");
const done = z.object({ id: z.uuid() });

const refusedRefund = z.object({
  id: z.uuid(),
  amount: z.int(),
  currency: z.string(),
  error: z.string().nullable().describe("The provider's error message"),
  provider_payment: z.string().describe("The provider's reference of the payment"),
  refused_at: z.date(),
  can_retry: z.boolean().describe("False: the bank returned the refund, so the card accepts no more refunds"),
  can_settle: z.boolean().describe("False: the provider may have made the refund. Retrying queries the provider first"),
  booking_id: z.uuid().nullable().describe("Null: the payment was not applied to a booking"),
  booking_number: z.string().nullable(),
  payer_name: z.string().nullable(),
  payer_email: z.string().nullable(),
});
export type RefusedRefund = z.infer<typeof refusedRefund>;

export const refusedRefundsApi = {
  list: endpoint("admin", "GET /admin/refused-refunds", "listRefusedRefunds")
    .route({ summary: "Refunds that the payment provider refused and that are still owed, oldest first" })
    .output(z.object({ items: z.array(refusedRefund) })),
  retry: endpoint("admin", "POST /admin/refused-refunds/{id}/retry", "retryRefund")
    .route({ summary: "Retry the refund at the payment provider, after a lookup of an earlier attempt" })
    .input(z.strictObject({ id }))
    .output(done),
  settle: endpoint("admin", "POST /admin/refused-refunds/{id}/settle", "settleRefund")
    .route({ summary: "Record that the platform paid the refund outside the payment provider" })
    .input(
      z.strictObject({
        id,
        how: prose(500).min(10).describe("How the refund was paid; shown to the promoter"),
      }),
    )
    .output(done),
};
