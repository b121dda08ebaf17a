/** What an admin does about a payout that the payment provider refused. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

export const payoutsApi = {
  retry: endpoint("admin")
    .route({
      method: "POST",
      path: "/admin/payouts/{booking_id}/retry",
      operationId: "retryPayout",
      tags: ["payments"],
      summary:
        "Send the refused transfers of a booking's payout again, or plan it again; the provider is looked at first",
    })
    .input(z.strictObject({ booking_id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ booking_id: z.uuid(), retried: z.int() })),
};
