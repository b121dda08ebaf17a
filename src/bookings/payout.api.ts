import { z } from "zod";
import { payoutStatuses, payoutWaits } from "#payouts/payouts.rules.ts";

export const payout = z
  .object({
    status: z.enum(payoutStatuses),
    waits_for: z.enum(payoutWaits).nullable(),
    amount_cents: z.int(),
    reversed_cents: z.int().describe("Taken back after a refund"),
    sent: z
      .object({ amount_cents: z.int(), currency: z.string() })
      .nullable()
      .describe("What was sent, less what was taken back, where the payment provider converted it to another currency"),
    due_at: z.date(),
    paid_at: z.date().nullable(),
    error: z.string().nullable().describe("What the provider said when it refused; for admins"),
    can_retry: z.boolean().describe("An admin may have the refused part sent again"),
  })
  .nullable();
