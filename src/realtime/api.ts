import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("accounts");

/** What can change. `access`: a user's permissions. `claims`: profile claims. */
export const changeTopics = [
  "access",
  "users",
  "artists",
  "claims",
  "bookings",
  "reviews",
  "money",
  "log",
  "settings",
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/** The topics that the browser reloads. `beat` shows that the stream is alive. After `access` the browser fetches the user again. */
const realtimeTopics = [...changeTopics, "everything", "beat"] as const;
export type RealtimeTopic = (typeof realtimeTopics)[number];

const streamEventShape = z.object({ about: z.enum(realtimeTopics) });

export const realtimeApi = {
  events: endpoint("signed-in", "GET /events", "streamEvents")
    .route({
      summary: "Notifications of changes to data that the caller can see, as server-sent events without content",
      description:
        "With `missedMs`, the milliseconds that the browser was without a stream, it begins with what has changed meanwhile, or with `everything` when that is no longer known.",
    })
    .input(z.strictObject({ missedMs: z.coerce.number().int().min(0).optional() }))
    .output(eventIterator(streamEventShape)),
};
