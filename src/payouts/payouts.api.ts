import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

export const payoutsApi = {
  retry: endpoint("admin")
    .route({
      method: "POST",
      path: "/admin/payouts/{booking_id}/retry",
      operationId: "retryPayout",
      tags: ["payments"],
      summary: "Send refused transfers again, or plan a stuck payout again; the provider is asked first",
    })
    .input(z.strictObject({ booking_id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ booking_id: z.uuid(), retried: z.int() })),
};
