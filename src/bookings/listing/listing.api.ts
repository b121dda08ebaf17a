import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { listing } from "../booking.api.ts";

const endpoint = endpointsOf("bookings");

const id = z.uuid("This is not the id of a booking.");
const changed = z.object({ id: z.uuid(), state: listing.shape.state });

export const listingApi = {
  set: endpoint("artist", "POST /artist/bookings/{id}/listing", "setListing")
    .route({ summary: "List a confirmed public show on the artist's profile, or take it off" })
    .input(z.strictObject({ id, listed: z.boolean() }))
    .output(changed),
  takeOff: endpoint("booking-key", "POST /bookings/{id}/take-off-profile", "takeOffProfile")
    .route({ summary: "The promoter takes the show off the artist's profile. It cannot be listed again" })
    .input(z.strictObject({ id }))
    .output(changed),
};
