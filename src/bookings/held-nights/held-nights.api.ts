import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { dayInput } from "#platform/time/day.api.ts";
import { checkoutOpened } from "../checkout/checkout.api.ts";

const endpoint = endpointsOf("holds");

const heldNight = z.strictObject({ id: z.uuid(), night: dayInput });

export const heldNightsApi = {
  book: endpoint("promoter", "POST /holds/{id}/book", "bookHold")
    .route({ summary: "Book a night of the caller's own hold: stores the booking and opens the deposit's checkout" })
    .input(heldNight)
    .output(checkoutOpened),
  convert: endpoint("artist", "POST /artist/holds/{id}/book", "convertHold")
    .route({ summary: "Book the first hold of a night for its promoter, who is emailed the link to pay the deposit" })
    .input(
      heldNight.extend({
        email: z
          .email("Enter the promoter's email address.")
          .max(254)
          .optional()
          .describe("Required for a manually entered hold without an email address"),
      }),
    )
    .output(
      z.object({
        booking_id: z.uuid(),
        booked: z.boolean().describe("No deposit is required, and the promoter placed the hold"),
      }),
    ),
};
