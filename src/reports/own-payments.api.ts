/** What a promoter has paid, and what an artist has earned. Amounts are minor units beside their currency. */
import { z } from "zod";
import { paymentKinds } from "#payments/rules.ts";
import { cursorInput, endpoint, limitInput, pageOf } from "#platform/http/api.ts";

const artistPart = z.object({ slug: z.string(), name: z.string(), genre: z.string(), location: z.string() });

/** A payment of the promoter's own bookings. `status` is shown as it is when it is none of the four. */
export const promoterPayment = z.object({
  id: z.uuid(),
  kind: z.enum(paymentKinds),
  amount: z.int(),
  refunded_cents: z.int().describe("What has gone back, or is on its way back"),
  currency: z.string(),
  status: z.string(),
  payment_date: z.date().nullable(),
  created_at: z.date(),
  booking: z.object({ id: z.uuid(), number: z.string(), event_date: z.iso.date(), venue_name: z.string() }),
  artist: artistPart,
});
export type PromoterPayment = z.infer<typeof promoterPayment>;

export const ownPaymentsApi = {
  promoter: endpoint("promoter")
    .route({
      method: "GET",
      path: "/promoter/payments",
      operationId: "listPromoterPayments",
      tags: ["payments"],
      summary: "The payments of the promoter's own bookings, newest payment first",
    })
    .input(z.strictObject({ limit: limitInput, cursor: cursorInput }))
    .output(pageOf(promoterPayment)),
};
