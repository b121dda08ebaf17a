import type { PaymentGateway, Payments, WebhookEvent } from "#gateway/gateway.ts";
import { rowsOf, announce, json, type Tx } from "#platform/db/index.ts";

const batchSize = 20;
/** Seconds of an event's lease. A slow call may outlast it, because processing an event twice changes nothing. */
export const leaseSeconds = 30;

/** Stores an event once by its id. After the commit it is durable and may be acknowledged. */
export async function storeEvent(services: Payments, gateway: PaymentGateway, event: WebhookEvent): Promise<void> {
  const now = services.clock.now();
  await services.database.transaction(async (tx) => {
    announce(tx, "provider_events");
    await tx
      .insertInto("provider_events")
      .values({
        id: event.id,
        provider: gateway.name,
        type: event.type,
        object_id: event.objectId,
        payload: json(event),
        received_at: now,
        next_try_at: now,
      })
      .onConflict((on) => on.column("id").doNothing())
      .execute();
  });
}

export type ClaimedEvent = { id: string; payload: unknown; attempts: number; received_at: Date };

export async function claimEvents(tx: Tx, now: Date): Promise<ClaimedEvent[]> {
  const rows = await rowsOf<ClaimedEvent>(tx)`
    update provider_events set next_try_at = ${new Date(now.getTime() + leaseSeconds * 1000)}
    where id in (
      select id from provider_events
      where processed_at is null and dead_at is null and next_try_at <= ${now}
      order by next_try_at, received_at, id limit ${batchSize} for update skip locked
    )
    returning id, payload, attempts, received_at`;
  return rows.toSorted((a, b) => a.received_at.getTime() - b.received_at.getTime());
}

/** Claims a dead event for one retry by an admin. It stays dead until it is processed. Returns undefined if it is not dead or already claimed. */
export const claimDeadEvent = (tx: Tx, id: string, now: Date): Promise<(ClaimedEvent & { type: string }) | undefined> =>
  tx
    .updateTable("provider_events")
    .set({ next_try_at: new Date(now.getTime() + leaseSeconds * 1000) })
    .where("id", "=", id)
    .where("processed_at", "is", null)
    .where("dead_at", "is not", null)
    .where("next_try_at", "<=", now)
    .returning(["id", "type", "payload", "attempts", "received_at"])
    .executeTakeFirst();

type EventFields = {
  processed_at?: Date;
  last_error: string | null;
  attempts?: number;
  next_try_at?: Date;
  dead_at?: Date | null;
};

export const finishEvent = (services: Payments, id: string, fields: EventFields) =>
  services.database.transaction((tx) =>
    tx.updateTable("provider_events").set(fields).where("id", "=", id).where("processed_at", "is", null).execute(),
  );
