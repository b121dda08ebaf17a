/** What an artist does about the balance of a booking. Amounts are minor units; everybody else gets the 404 of a missing booking. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { cancellationPreview } from "../cancellation/cancellation.api.ts";

const id = z.uuid("This is not the id of a booking.");
const tags = ["bookings"];

export const balanceApi = {
  createLink: endpoint("artist")
    .route({
      tags,
      method: "POST",
      path: "/artist/bookings/{id}/balance-link",
      operationId: "createBalanceLink",
      summary:
        "Prepare a link that pays the balance and opens nothing else; it takes money once the contract is signed",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), url: z.url(), message: z.string().describe("From when the link takes money") })),
  withdraw: endpoint("booking-key")
    .route({
      tags,
      method: "POST",
      path: "/bookings/{id}/withdraw-automatic-payment",
      operationId: "withdrawAutomaticPayment",
      summary: "Withdraw the consent to the automatic charge of the balance; the card is forgotten",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid(), withdrawn: z.literal(true) })),
  extend: endpoint("artist")
    .route({
      tags,
      method: "POST",
      path: "/artist/bookings/{id}/extend-balance",
      operationId: "extendBalance",
      summary: "Give the promoter of an unpaid balance time until the end of another day",
    })
    .input(z.strictObject({ id, due_day: z.iso.date("Choose a day of the calendar.") }))
    .output(z.object({ id: z.uuid(), due_day: z.iso.date() })),
  previewRelease: endpoint("artist")
    .route({
      tags,
      method: "GET",
      path: "/artist/bookings/{id}/release-date",
      operationId: "previewDateRelease",
      summary: "What releasing the date of an unpaid balance would give back and leave, by the cancellation terms",
    })
    .input(z.strictObject({ id }))
    .output(cancellationPreview),
  release: endpoint("artist")
    .route({
      tags,
      method: "POST",
      path: "/artist/bookings/{id}/release-date",
      operationId: "releaseDate",
      summary: "End a booking whose balance was not paid, with exactly the refund that was shown, else a conflict",
    })
    .input(z.strictObject({ id, expected_refund_cents: z.int().nonnegative() }))
    .output(z.object({ id: z.uuid(), status: z.string() })),
};
