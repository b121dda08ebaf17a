import { sql } from "kysely";
import { countRows, type Reader } from "#platform/db/index.ts";
import type { WebhookState } from "./webhooks.api.ts";

const selectEvents = (reader: Reader) =>
  reader.selectFrom("provider_events").select(["id", "type", "received_at", "processed_at", "dead_at", "last_error"]);

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>["execute"]>>[number];

const toDelivery = ({ processed_at, dead_at, last_error, ...row }: EventRow): WebhookState["failed"][number] => ({
  ...row,
  state: processed_at ? "processed" : dead_at ? "failed" : "waiting",
  error: processed_at ? null : last_error,
});

/** Returns the last three verified deliveries, newest first. All others are only in the server's log. */
export const lastDeliveries = async (reader: Reader): Promise<WebhookState["deliveries"]> =>
  (await selectEvents(reader).orderBy("received_at", "desc").orderBy("id", "desc").limit(3).execute()).map(toDelivery);

export async function failedEvents(reader: Reader): Promise<Pick<WebhookState, "failed" | "failed_count">> {
  const [oldest, { total }] = await Promise.all([
    selectEvents(reader).where("dead_at", "is not", null).orderBy("dead_at").orderBy("id").limit(20).execute(),
    countRows(reader, sql`select 1 from provider_events where dead_at is not null`),
  ]);
  return { failed: oldest.map(toDelivery), failed_count: total };
}

/** Returns true if an event reports money that the provider sent to the bank of an account after `at` (ISO), and that arrived. */
export const hasLaterBankPayout = async (reader: Reader, account: string, at: string): Promise<boolean> =>
  (await reader
    .selectFrom("provider_events")
    .select("id")
    .where("type", "=", "payout.paid")
    .where(sql<boolean>`payload->>'account' = ${account}`)
    .where(sql<boolean>`(payload->'bankPayout'->>'createdAt')::timestamptz > ${at}::timestamptz`)
    .limit(1)
    .executeTakeFirst()) !== undefined;
