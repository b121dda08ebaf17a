import { z } from "zod";
import { bookingStatusNames } from "#bookings/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { listSearch } from "#platform/http/list.api.ts";
import { listedArtist } from "../lists/payments.api.ts";

const endpoint = endpointsOf("search");

export const searchHits = z.object({
  bookings: z
    .array(
      z.object({
        id: z.uuid(),
        number: z.string(),
        event_date: z.iso.date(),
        promoter_name: z.string(),
        venue_name: z.string(),
        status: z.enum(bookingStatusNames),
        artist: listedArtist,
      }),
    )
    .describe("The booking with the given number first, then the shows nearest to today"),
  artists: z
    .array(listedArtist.extend({ is_active: z.boolean(), is_public: z.boolean() }))
    .describe("Inactive and hidden ones for admins only"),
  users: z
    .array(z.object({ id: z.uuid(), name: z.string(), email: z.string(), role: z.string() }))
    .describe("For admins only; empty for all other callers"),
});
export type SearchHits = z.infer<typeof searchHits>;

export const searchApi = {
  find: endpoint("signed-in", "GET /search", "search")
    .route({
      summary: "Bookings, artists and users that the caller may see, at most five of each; accepts a booking number",
    })
    .input(z.strictObject({ q: listSearch }))
    .output(searchHits),
};
