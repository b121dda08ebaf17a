import { sql } from "kysely";
import { hasRow, countRows, type Reader } from "#platform/db/index.ts";
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
export const hasLaterBankPayout = (reader: Reader, account: string, at: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from provider_events where type = 'payout.paid' and payload->>'account' = ${account}
      and (payload->'bankPayout'->>'createdAt')::timestamptz > ${at}::timestamptz limit 1`;
