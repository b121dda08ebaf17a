import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("payments");

export const payoutsApi = {
  retry: endpoint("admin", "POST /admin/payouts/{booking_id}/retry", "retryPayout")
    .route({ summary: "Send refused transfers again, or plan a stuck payout again, after a lookup at the provider" })
    .input(z.strictObject({ booking_id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ booking_id: z.uuid(), retried: z.int() })),
  settle: endpoint("admin", "POST /admin/payouts/{booking_id}/settle", "settlePayout")
    .route({
      summary:
        "Record that what was refused of a payout, or could not be sent, was paid or paid back outside the payment provider",
    })
    .input(
      z.strictObject({
        booking_id: z.uuid("This is not the id of a booking."),
        how: prose(500).min(10).describe("How it was paid; shown to the artist"),
        expected_cents: z.int().describe("`outside_cents` of the booking's payout"),
      }),
    )
    .output(z.object({ booking_id: z.uuid() })),
};
