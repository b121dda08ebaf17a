import { type Selectable, sql, type Updateable } from "kysely";
import { announce, type Database, type DB, json, rowsOf, type Tx } from "../db/index.ts";

const batchSize = 20;
/** Seconds of an event's lease, by what the events concern. A slow call may outlast it, because processing an event twice changes nothing. */
export const leaseSeconds = { payments: 30, signing: 120 } as const;
export type WebhookSource = keyof typeof leaseSeconds;

/** The fields of every verified event. It only names the object to fetch. */
export type WebhookFields = Readonly<{ id: string; type: string; objectId: string | null }>;

type ReceivedEvent = Readonly<{ source: WebhookSource; provider: string; event: WebhookFields; now: Date }>;

/** Stores a verified event once by its id. After the commit it is durable and may be acknowledged. */
export const storeEvent = (tx: Tx, { source, provider, event, now }: ReceivedEvent) => {
  announce(tx, "provider_events");
  const { id, type, objectId: object_id } = event;
  return tx
    .insertInto("provider_events")
    .values({ id, source, provider, type, object_id, payload: json(event), received_at: now, next_try_at: now })
    .onConflict((on) => on.column("id").doNothing())
    .execute();
};

const claimed = ["id", "provider", "type", "payload", "attempts", "received_at"] as const;
export type ClaimedEvent = Readonly<Pick<Selectable<DB["provider_events"]>, (typeof claimed)[number]>>;

const leaseEnd = (source: WebhookSource, now: Date) => new Date(now.getTime() + leaseSeconds[source] * 1_000);

export async function claimEvents(tx: Tx, source: WebhookSource, now: Date): Promise<ClaimedEvent[]> {
  const rows = await rowsOf<ClaimedEvent>(tx)`
    update provider_events set next_try_at = ${leaseEnd(source, now)}
    where id in (
      select id from provider_events
      where source = ${source} and processed_at is null and dead_at is null and next_try_at <= ${now}
      order by next_try_at, received_at, id limit ${batchSize} for update skip locked
    )
    returning ${sql.join(claimed.map((name) => sql.ref(name)))}`;
  return rows.toSorted((a, b) => a.received_at.getTime() - b.received_at.getTime());
}

/** Claims a dead event for one retry by an admin. It stays dead until it is processed. Returns undefined if it is not dead or already claimed. */
export const claimDeadEvent = (tx: Tx, { source, id, now }: { source: WebhookSource; id: string; now: Date }) =>
  tx
    .updateTable("provider_events")
    .set({ next_try_at: leaseEnd(source, now) })
    .where("source", "=", source)
    .where("id", "=", id)
    .where("processed_at", "is", null)
    .where("dead_at", "is not", null)
    .where("next_try_at", "<=", now)
    .returning(claimed)
    .executeTakeFirst();

type Outcome = Updateable<
  Pick<DB["provider_events"], "processed_at" | "last_error" | "attempts" | "next_try_at" | "dead_at">
>;

export const finishEvent = (database: Database, id: string, outcome: Outcome) =>
  database.transaction((tx) =>
    tx.updateTable("provider_events").set(outcome).where("id", "=", id).where("processed_at", "is", null).execute(),
  );
