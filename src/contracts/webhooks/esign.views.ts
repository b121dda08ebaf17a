import type { Reader } from "#platform/db/index.ts";
import type { EsignState } from "./esign.api.ts";

export async function lastEsignDeliveries(reader: Reader, provider: string): Promise<EsignState["deliveries"]> {
  const rows = await reader
    .selectFrom("esign_events")
    .select(["id", "type", "received_at", "processed_at", "dead_at", "last_error"])
    .where("provider", "=", provider)
    .orderBy("received_at", "desc")
    .orderBy("id", "desc")
    .limit(3)
    .execute();
  return rows.map(({ processed_at, dead_at, last_error, ...row }) => ({
    ...row,
    state: processed_at ? "processed" : dead_at ? "failed" : "waiting",
    error: last_error,
  }));
}
