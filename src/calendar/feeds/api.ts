import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { feedKinds } from "./rules.ts";

const feed = z.object({
  kind: z.enum(feedKinds),
  url: z.url().nullable().describe("Null while the feed is turned off"),
  last_fetched_at: z.date().nullable(),
  last_client: z.string().nullable().describe("The calendar program that fetched it last, by its own word"),
});
export type FeedReply = z.infer<typeof feed>;

const kindInput = z.strictObject({ kind: z.enum(feedKinds) });
const tags = ["calendar"];

export const calendarFeedsApi = {
  list: endpoint("signed-in")
    .route({
      method: "GET",
      path: "/me/calendar-feeds",
      operationId: "listCalendarFeeds",
      tags,
      summary: "The addresses at which calendar programs read the person's shows",
      description: "`private` has all details. `public`, for artists, says busy and nothing more.",
    })
    .output(z.object({ items: z.array(feed) })),
  renew: endpoint("signed-in")
    .route({
      method: "POST",
      path: "/me/calendar-feeds/{kind}/renew",
      operationId: "renewCalendarFeed",
      tags,
      summary: "Give a feed a new address, or turn it on; the former address stops working immediately",
    })
    .input(kindInput)
    .output(feed),
  turnOff: endpoint("signed-in")
    .route({
      method: "DELETE",
      path: "/me/calendar-feeds/{kind}",
      operationId: "turnOffCalendarFeed",
      tags,
      summary: "Turn a feed off; its address stops working immediately",
    })
    .input(kindInput)
    .output(feed),
};
