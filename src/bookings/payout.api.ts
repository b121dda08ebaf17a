import { z } from "zod";
import { payoutStatuses, payoutWaits } from "#payouts/payouts.rules.ts";

export const payout = z
  .object({
    status: z.enum(payoutStatuses),
    waits_for: z.enum(payoutWaits).nullable(),
    amount_cents: z.int(),
    reversed_cents: z.int().describe("Reversed after a refund"),
    sent: z
      .object({ amount_cents: z.int(), currency: z.string() })
      .nullable()
      .describe("The amount sent, less reversals, if the payment provider converted it to another currency"),
    due_at: z.date(),
    paid_at: z.date().nullable(),
    error: z.string().nullable().describe("The provider's error message; for admins"),
    can_retry: z.boolean().describe("An admin may send the refused part again"),
    owed_cents: z
      .int()
      .describe("What the artist must pay back, because it was paid outside the payment provider; it is not reversed"),
    outside_cents: z
      .int()
      .describe("What an admin may record as paid outside the provider. Below 0: as paid back there by the artist"),
  })
  .nullable();
