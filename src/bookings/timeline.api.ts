import { z } from "zod";

/** The kinds of timeline entries, in the order of entries with the same time. */
export const timelineKinds = [
  "requested",
  "checkout_opened",
  "hold_ended",
  "payment_failed",
  "deposit_paid",
  "accepted",
  "contract_sent",
  "contract_waiting",
  "contract_attestation",
  "contract_signed",
  "balance_link",
  "balance_asked",
  "balance_extended",
  "balance_paid",
  "dispute",
  "show",
  "no_show_reported",
  "no_show_stated",
  "no_show_decided",
  "force_majeure",
  "completed",
  "canceled",
  "refund_planned",
  "refunded",
  "refund_returned",
  "paid_out",
  "payout_reversed",
  "email",
] as const;

/** One entry of a booking's timeline, oldest first. Programs use `kind`. Entries that the viewer may not see are omitted. */
export const timelineEntry = z.object({
  at: z.date(),
  kind: z.enum(timelineKinds),
  text: z.string(),
  by: z.string().nullable().describe("The name of the user who did it; null: no user, or not stored"),
  detail: z.string().nullable(),
});
