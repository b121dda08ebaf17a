import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { prose } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("bookings");

const id = z.uuid("This is not the id of a booking.");
const answered = z.object({ id: z.uuid(), status: z.string() });

export const acceptanceApi = {
  accept: endpoint("artist", "POST /artist/bookings/{id}/accept", "acceptRequest")
    .route({ summary: "Accept a request without a deposit: the date is booked, and the contract follows" })
    .input(z.strictObject({ id }))
    .output(answered),
  decline: endpoint("artist", "POST /artist/bookings/{id}/decline", "declineRequest")
    .route({ summary: "Decline a request without a deposit; the note is sent to the promoter" })
    .input(z.strictObject({ id, note: prose(500).default("") }))
    .output(answered),
};
