import type { Reader } from "#platform/db/index.ts";
import type { WebhookState } from "./webhooks.api.ts";

/** Returns the last three verified deliveries, newest first. All others are only in the server's log. */
export async function lastDeliveries(reader: Reader): Promise<WebhookState["deliveries"]> {
  const rows = await reader
    .selectFrom("provider_events")
    .select(["id", "type", "received_at", "processed_at", "dead_at", "last_error"])
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(3)
    .execute();
  return rows.map(({ processed_at, dead_at, last_error, ...row }) => ({
    ...row,
    state: processed_at ? "processed" : dead_at ? "failed" : "waiting",
    error: processed_at ? null : last_error,
  }));
}
