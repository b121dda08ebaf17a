import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("payments");

export const payoutsApi = {
  retry: endpoint("admin", "POST /admin/payouts/{booking_id}/retry", "retryPayout")
    .route({ summary: "Send refused transfers again, or plan a stuck payout again, after a lookup at the provider" })
    .input(z.strictObject({ booking_id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ booking_id: z.uuid(), retried: z.int() })),
};
