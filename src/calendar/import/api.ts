import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { oneLine } from "#platform/security/text.api.ts";

const endpoint = endpointsOf("calendar");

const externalCalendar = z.object({
  id: z.uuid(),
  name: z.string(),
  url_host: z.string(),
  status: z.enum(["ok", "failing"]),
  last_success_at: z.date().nullable(),
  failing_since: z.date().nullable(),
  message: z.string().nullable().describe("The reason of a failure, for the artist"),
  entry_count: z.int().describe("The number of upcoming entries"),
  unread: z
    .object({ count: z.int(), title: z.string().nullable(), day: z.iso.date().nullable(), reason: z.string() })
    .nullable()
    .describe(
      "The number of entries that could not be read, and the first of them. Their last known times stay blocked",
    ),
});
export type ExternalCalendarReply = z.infer<typeof externalCalendar>;

const conflict = z.object({
  booking_id: z.uuid(),
  number: z.string(),
  event_date: z.iso.date(),
  calendar_name: z.string(),
});

const idInput = z.strictObject({ id: z.uuid("This is not the id of a calendar.") });

export const externalCalendarsApi = {
  list: endpoint("artist", "GET /artist/external-calendars", "listExternalCalendars")
    .route({ summary: "The artist's imported calendars, and the shows that conflict with their entries" })
    .output(z.object({ items: z.array(externalCalendar), conflicts: z.array(conflict) })),
  add: endpoint("artist", "POST /artist/external-calendars", "addExternalCalendar")
    .route({
      summary:
        "Add a calendar by its iCal address; it is fetched immediately, and refused with a reason if it cannot be read",
    })
    .input(
      z.strictObject({
        name: oneLine(80).min(1, "Give the calendar a name."),
        url: z.string().trim().min(1, "Enter the calendar's iCal address.").max(2_000),
      }),
    )
    .output(externalCalendar),
  refresh: endpoint("artist", "POST /artist/external-calendars/{id}/refresh", "refreshExternalCalendar")
    .route({ summary: "Fetch a calendar now; the response includes a failure" })
    .input(idInput)
    .output(externalCalendar),
  remove: endpoint("artist", "DELETE /artist/external-calendars/{id}", "removeExternalCalendar")
    .route({ summary: "Remove a calendar and its entries" })
    .input(idInput)
    .output(z.object({ id: z.uuid() })),
};
