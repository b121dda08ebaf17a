import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { maxAmount } from "#platform/money.rules.ts";
import { prose } from "#platform/security/text.api.ts";
import { bookingPage } from "../booking.api.ts";
import { cancelCodesOf, type CancelCode } from "../rules/flow.rules.ts";
import { noShowStatementBounds, noShowTextBounds } from "../rules/no-show.rules.ts";

const endpoint = endpointsOf("bookings");

const cents = z.int().nonnegative();

export const cancellationPreview = z.object({
  refund_cents: cents.describe("Refunded to the promoter's card"),
  waiting_cents: cents.describe("The part of the refund that waits until a dispute of its payment has ended"),
  artist_keeps_cents: cents.describe("Before the commission for the promoter, after it for the artist and admins"),
  commission_cents: cents.describe(
    "The platform's share of the amount that the artist keeps; 0 for the promoter, who pays no commission",
  ),
  currency: z.string(),
  valid_until: z.date().nullable().describe("When the amounts change; null if they do not change"),
  steps: z
    .array(z.object({ until: z.date(), refund_cents: cents, artist_keeps_cents: cents }))
    .describe("The steps from now to the show, in order"),
});
export type CancellationPreview = z.infer<typeof cancellationPreview>;

const codes = [...new Set(Object.values(cancelCodesOf).flat())] as [CancelCode, ...CancelCode[]];
const id = z.uuid("This is not the id of a booking.");
const note = prose(500).nullish();

export const shownHeld = cents
  .max(maxAmount)
  .optional()
  .describe("The held amount that was divided; if another amount is held now, the response is a conflict (409)");

export const cancellationApi = {
  cancellation: endpoint("booking-key", "GET /bookings/{id}/cancellation", "previewCancellation")
    .route({ summary: "The refund and the cost of a cancellation, now and on later days" })
    .input(z.strictObject({ id }))
    .output(cancellationPreview),
  cancel: endpoint("booking-key", "POST /bookings/{id}/cancel", "cancelBooking")
    .route({
      summary: "Cancel a booking with exactly the refund that was shown, otherwise a conflict with the new amounts",
    })
    .input(z.strictObject({ id, code: z.enum(codes), note, expected_refund_cents: cents }))
    .output(bookingPage),
  reportNoShow: endpoint("booking-key", "POST /bookings/{id}/no-show", "reportNoShow")
    .route({ summary: "Report that the artist did not appear; nothing is released until an admin has decided" })
    .input(z.strictObject({ id, note: prose(noShowTextBounds.max).min(noShowTextBounds.min) }))
    .output(bookingPage),
  stateNoShow: endpoint("artist", "POST /artist/bookings/{id}/no-show-statement", "stateNoShow")
    .route({ summary: "State the artist's side of a reported no-show, once and before the decision" })
    .input(
      z.strictObject({
        id,
        statement: prose(noShowStatementBounds.max).min(noShowStatementBounds.min),
      }),
    )
    .output(bookingPage),
  decideNoShow: endpoint("admin", "POST /admin/bookings/{id}/no-show", "decideNoShow")
    .route({
      summary:
        "Decide a reported no-show: the amount of the held money to release, and the reason; the rest is refunded",
    })
    .input(
      z.strictObject({
        id,
        release_cents: cents.max(maxAmount),
        expected_held_cents: shownHeld,
        appeared: z
          .boolean()
          .default(false)
          .describe("If nothing is held to release: true closes the report, false cancels the booking"),
        decision: prose(noShowTextBounds.max).min(noShowTextBounds.min),
      }),
    )
    .output(bookingPage),
  complete: endpoint("booking-key", "POST /bookings/{id}/complete", "completeBooking")
    .route({ summary: "Confirm as the promoter that the show was played, before the automatic completion" })
    .input(z.strictObject({ id }))
    .output(bookingPage),
};
