import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { feedKinds } from "./rules.ts";

const endpoint = endpointsOf("calendar");

const feed = z.object({
  kind: z.enum(feedKinds),
  url: z
    .url()
    .nullable()
    .describe(
      "Null if the feed is off. The list hides the middle of the private feed's address, unless the caller authenticated within five minutes or in demo mode",
    ),
  last_fetched_at: z.date().nullable(),
  last_client: z
    .string()
    .nullable()
    .describe("The calendar program that fetched the feed last, as it identified itself"),
});
export type FeedReply = z.infer<typeof feed>;

/** The public feed has no names and no places. */
const isNotPublic = (input: unknown) => (input as { kind?: unknown } | null)?.kind !== "public";

const kindInput = z.strictObject({ kind: z.enum(feedKinds) });

export const calendarFeedsApi = {
  list: endpoint("signed-in", "GET /me/calendar-feeds", "listCalendarFeeds")
    .route({
      summary: "The feed addresses from which calendar programs read the user's shows",
      description: "`private` has all details. `public`, for artists, only shows busy times.",
    })
    .output(z.object({ items: z.array(feed) })),
  read: endpoint("signed-in", "GET /me/calendar-feeds/{kind}", "readCalendarFeed", { recent: isNotPublic })
    .route({ summary: "One feed with its whole address" })
    .input(kindInput)
    .output(feed),
  renew: endpoint("signed-in", "POST /me/calendar-feeds/{kind}/renew", "renewCalendarFeed", { recent: isNotPublic })
    .route({ summary: "Give a feed a new address, or turn it on; the former address stops working immediately" })
    .input(kindInput)
    .output(feed),
  turnOff: endpoint("signed-in", "DELETE /me/calendar-feeds/{kind}", "turnOffCalendarFeed")
    .route({ summary: "Turn a feed off; its address stops working immediately" })
    .input(kindInput)
    .output(feed),
};
