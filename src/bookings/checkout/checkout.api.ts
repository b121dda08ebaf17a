import { z } from "zod";

export const checkoutOpened = z.object({
  booking_id: z.uuid(),
  checkout_url: z.string().nullable(),
  reason: z.enum(["on_request", "no_deposit", "payments_not_set_up"]).nullable(),
  session_id: z.string().nullable(),
  held_until: z.date().nullable(),
  contract: z.object({ id: z.uuid(), signed_status: z.string() }).nullable(),
});
