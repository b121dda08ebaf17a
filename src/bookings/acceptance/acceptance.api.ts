/** What an artist answers to a request without a deposit; everybody else gets the 404 of a missing booking. */
import { isStorable } from "#platform/text.rules.ts";
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

const id = z.uuid("This is not the id of a booking.");
const route = { method: "POST", tags: ["bookings"] } as const;
const answered = z.object({ id: z.uuid(), status: z.string() });

export const acceptanceApi = {
  accept: endpoint("artist")
    .route({
      ...route,
      path: "/artist/bookings/{id}/accept",
      operationId: "acceptRequest",
      summary: "Accept a request without a deposit: the date is booked, and the contract follows",
    })
    .input(z.strictObject({ id }))
    .output(answered),
  decline: endpoint("artist")
    .route({
      ...route,
      path: "/artist/bookings/{id}/decline",
      operationId: "declineRequest",
      summary: "Decline a request without a deposit; the note reaches the promoter",
    })
    .input(
      z.strictObject({
        id,
        note: z
          .string()
          .trim()
          .max(500)
          .refine(isStorable, "This text contains characters that cannot be stored.")
          .default(""),
      }),
    )
    .output(answered),
};
