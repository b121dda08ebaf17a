import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { maxAmount } from "#platform/money.rules.ts";
import { bookingPage } from "../booking.api.ts";
import { cancelCodesOf, type CancelCode } from "../rules/flow.rules.ts";
import { noShowTextBounds } from "../rules/no-show.rules.ts";

const endpoint = endpointsOf("bookings");

const cents = z.int().nonnegative();

/** The result of canceling now, for the caller. The three amounts add up to the amount held for the booking. */
export const cancellationPreview = z.object({
  refund_cents: cents.describe("Goes back to the card of the promoter"),
  artist_keeps_cents: cents.describe("For the promoter before the commission, for the artist and admins after it"),
  commission_cents: cents.describe(
    "The platform's part of what the artist keeps; 0 for the promoter, who has no fee to pay",
  ),
  currency: z.string(),
  valid_until: z.date().nullable().describe("When the figures change by themselves; null: they stay"),
  steps: z
    .array(z.object({ until: z.date(), refund_cents: cents, artist_keeps_cents: cents }))
    .describe("From now to the show, in order"),
});
export type CancellationPreview = z.infer<typeof cancellationPreview>;

const codes = [...new Set(Object.values(cancelCodesOf).flat())] as [CancelCode, ...CancelCode[]];
const id = z.uuid("This is not the id of a booking.");
const note = z.string().trim().max(500).nullish();

export const cancellationApi = {
  cancellation: endpoint("booking-key", "GET /bookings/{id}/cancellation", "previewCancellation")
    .route({ summary: "What canceling would give back and cost, now and on later days" })
    .input(z.strictObject({ id }))
    .output(cancellationPreview),
  cancel: endpoint("booking-key", "POST /bookings/{id}/cancel", "cancelBooking")
    .route({ summary: "Cancel a booking with exactly the refund that was shown, else a conflict with the new figures" })
    .input(z.strictObject({ id, code: z.enum(codes), note, expected_refund_cents: cents }))
    .output(bookingPage),
  reportNoShow: endpoint("booking-key", "POST /bookings/{id}/no-show", "reportNoShow")
    .route({
      summary: "The promoter says that the artist did not appear; nothing is released until an admin has decided",
    })
    .input(z.strictObject({ id, note: z.string().trim().min(noShowTextBounds.min).max(noShowTextBounds.max) }))
    .output(bookingPage),
  decideNoShow: endpoint("admin", "POST /admin/bookings/{id}/no-show", "decideNoShow")
    .route({
      summary: "Decide about a reported no-show: how much of what is held is released, and why; the rest goes back",
    })
    .input(
      z.strictObject({
        id,
        release_cents: cents.max(maxAmount),
        decision: z.string().trim().min(noShowTextBounds.min).max(noShowTextBounds.max),
      }),
    )
    .output(bookingPage),
  complete: endpoint("booking-key", "POST /bookings/{id}/complete", "completeBooking")
    .route({ summary: "The promoter confirms that the show was played, before the clock does" })
    .input(z.strictObject({ id }))
    .output(bookingPage),
};
