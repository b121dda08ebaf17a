import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { dayInput } from "#platform/time/day.api.ts";
import { checkoutOpened } from "../checkout/checkout.api.ts";

const tags = ["holds"];
const heldNight = z.strictObject({ id: z.uuid(), night: dayInput });

export const heldNightsApi = {
  book: endpoint("promoter")
    .route({
      method: "POST",
      path: "/holds/{id}/book",
      operationId: "bookHold",
      tags,
      summary: "Book a night of an own hold: stores the booking and opens the deposit's checkout",
    })
    .input(heldNight)
    .output(checkoutOpened),
  convert: endpoint("artist")
    .route({
      method: "POST",
      path: "/artist/holds/{id}/book",
      operationId: "convertHold",
      tags,
      summary: "Book the first hold of a night for its promoter, who is emailed the link to pay the deposit",
    })
    .input(
      heldNight.extend({
        email: z
          .email("Enter the promoter's email address.")
          .max(254)
          .optional()
          .describe("For a hold that was entered by hand without an address"),
      }),
    )
    .output(z.object({ booking_id: z.uuid(), booked: z.boolean().describe("No deposit is required") })),
};
