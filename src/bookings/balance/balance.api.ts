import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { cancellationPreview } from "../cancellation/cancellation.api.ts";

const endpoint = endpointsOf("bookings");

const id = z.uuid("This is not the id of a booking.");

export const balanceApi = {
  createLink: endpoint("artist", "POST /artist/bookings/{id}/balance-link", "createBalanceLink")
    .route({ summary: "Prepare a link that only pays the balance; it accepts a payment once the contract is signed" })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), url: z.url(), message: z.string().describe("When the link accepts a payment") })),
  withdraw: endpoint("booking-key", "POST /bookings/{id}/withdraw-automatic-payment", "withdrawAutomaticPayment")
    .route({ summary: "Withdraw the consent to the automatic charge of the balance; the saved card is removed" })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), withdrawn: z.literal(true) })),
  extend: endpoint("artist", "POST /artist/bookings/{id}/extend-balance", "extendBalance")
    .route({ summary: "Extend the time to pay an overdue balance to the end of another day" })
    .input(z.strictObject({ id, due_day: z.iso.date("Choose a day of the calendar.") }))
    .output(z.object({ id: z.uuid(), due_day: z.iso.date() })),
  previewRelease: endpoint("artist", "GET /artist/bookings/{id}/release-date", "previewDateRelease")
    .route({ summary: "The refund and the cancellation fee if the date of an unpaid balance is released" })
    .input(z.strictObject({ id }))
    .output(cancellationPreview),
  release: endpoint("artist", "POST /artist/bookings/{id}/release-date", "releaseDate")
    .route({
      summary: "Cancel a booking with an unpaid balance, with exactly the refund that was shown, otherwise a conflict",
    })
    .input(z.strictObject({ id, expected_refund_cents: z.int().nonnegative() }))
    .output(z.object({ id: z.uuid(), status: z.string() })),
};
