import type { Reader } from "#platform/db/index.ts";
import type { EsignState } from "./esign.api.ts";

/** The last three verified deliveries of a service, newest first. What was refused is not stored; the server's log has it. */
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

/** Contracts whose sending has failed and is tried again, with the newest reason. */
export async function unsentContracts(reader: Reader): Promise<EsignState["unsent"]> {
  const rows = await reader
    .selectFrom("contracts as c")
    .innerJoin("bookings as b", "b.id", "c.booking_id")
    .select("c.last_error")
    .where("c.signed_status", "=", "draft")
    .where("b.status", "=", "deposit_paid")
    .where("c.attempts", ">", 0)
    .where("c.last_error", "is not", null)
    .orderBy("c.next_try_at", "desc")
    .execute();
  return { count: rows.length, last_error: rows[0]?.last_error ?? null };
}

/** Contracts that are open here and that the service tells something wrong about. */
export const providerAlarms = async (reader: Reader): Promise<EsignState["alarms"]> =>
  (
    await reader
      .selectFrom("contracts as c")
      .innerJoin("bookings as b", "b.id", "c.booking_id")
      .select(["b.id", "b.number", "c.provider_alarm"])
      .where("c.provider_alarm", "is not", null)
      .where("c.signed_status", "=", "sent")
      .where("b.status", "=", "contract_sent")
      .orderBy("c.sent_at", "desc")
      .limit(20)
      .execute()
  ).map(({ id, number, provider_alarm: message }) => ({ booking_id: id, number, message: message ?? "" }));
