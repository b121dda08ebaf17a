/** The stream of change notifications that a signed-in browser keeps open. */
import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

/**
 * What the browser should ask for again: `everything` after a gap on the server's side; `beat` only shows that the stream is alive.
 * After `access` the browser asks who its user is: a stream that ends with it ended because of that.
 */
export const realtimeTopics = [
  "access",
  "people",
  "artists",
  "claims",
  "bookings",
  "reviews",
  "money",
  "log",
  "settings",
  "everything",
  "beat",
] as const;
export type RealtimeTopic = (typeof realtimeTopics)[number];

export const streamEventShape = z.object({ about: z.enum(realtimeTopics) });

export const realtimeApi = {
  events: endpoint("signed-in")
    .route({
      method: "GET",
      path: "/events",
      operationId: "streamEvents",
      tags: ["Accounts"],
      summary: "Notifications that something you may see has changed, as server-sent events; they carry no data",
    })
    .input(z.strictObject({}))
    .output(eventIterator(streamEventShape)),
};
