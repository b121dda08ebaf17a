import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("calendar");

const side = z.object({ booking_id: z.uuid(), event_date: z.iso.date(), is_request: z.boolean(), town: z.string() });

const travelWarning = z.object({
  first: side,
  next: side,
  distance: z.int().describe("Straight-line distance"),
  distance_unit: z.enum(["km", "mi"]),
  needed_minutes: z.int(),
  available_minutes: z.int().describe("From the end of the first show to the start of the next"),
  message: z.string(),
});
export type TravelWarning = z.infer<typeof travelWarning>;

export const travelApi = {
  warnings: endpoint("artist", "GET /artist/travel-warnings", "listTravelWarnings")
    .route({ summary: "Consecutive upcoming shows and requests between which the artist cannot drive in time" })
    .output(z.object({ items: z.array(travelWarning) })),
};
