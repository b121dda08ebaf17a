import type { z } from "zod";
import type { Reader } from "../db/index.ts";
import type { delivery } from "./webhooks.api.ts";
import type { WebhookSource } from "./webhooks.store.ts";

export const selectEvents = (reader: Reader, source: WebhookSource) =>
  reader
    .selectFrom("provider_events")
    .select(["id", "type", "received_at", "processed_at", "dead_at", "last_error"])
    .where("source", "=", source);

type EventsQuery = ReturnType<typeof selectEvents>;

export const listDeliveries = async (events: EventsQuery): Promise<z.infer<typeof delivery>[]> =>
  (await events.execute()).map(({ processed_at, dead_at, last_error, ...row }) => ({
    ...row,
    state: processed_at ? "processed" : dead_at ? "failed" : "waiting",
    error: last_error,
  }));

/** Returns the last three verified deliveries, newest first. All others are only in the server's log. */
export async function lastDeliveries(reader: Reader, source: WebhookSource, provider?: string) {
  const events = selectEvents(reader, source).orderBy("received_at", "desc").orderBy("id", "desc").limit(3);
  const deliveries = await listDeliveries(provider ? events.where("provider", "=", provider) : events);
  return { last_verified: deliveries[0] ?? null, deliveries };
}
