import { sql } from "kysely";
import { countRows, type Reader } from "#platform/db/index.ts";
import { listDeliveries, selectEvents } from "#platform/webhooks/webhooks.views.ts";
import type { WebhookState } from "./webhooks.api.ts";

export async function failedEvents(reader: Reader): Promise<Pick<WebhookState, "failed" | "failed_count">> {
  const dead = selectEvents(reader, "payments").where("dead_at", "is not", null);
  const [failed, { total }] = await Promise.all([
    listDeliveries(dead.orderBy("dead_at").orderBy("id").limit(20)),
    countRows(reader, sql`select 1 from provider_events where source = 'payments' and dead_at is not null`),
  ]);
  return { failed, failed_count: total };
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
