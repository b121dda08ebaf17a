/** SQL that writes the platform's tables: event outbox, rate limits, keys, operator notices. */
import { type Kysely, sql } from "kysely";
import { type DB, json, sentWithNext, type Tx } from "./db/index.ts";

/** Publishes an event with its cause: both are stored, or neither. */
export async function publish(tx: Tx, topic: string, body: object): Promise<void> {
  await tx
    .insertInto("event_outbox")
    .values({ topic, body: json(body) })
    .modifyEnd(sentWithNext)
    .execute();
}

export type StoredEvent = { id: number; topic: string; body: never; attempts: number };

/** Takes the next due event out of the outbox, for the transaction that handles it. */
export async function takeNext(tx: Tx): Promise<StoredEvent | undefined> {
  const { rows } = await sql<StoredEvent>`
    delete from event_outbox where id = (
      select id from event_outbox where dead_at is null and available_at <= now() order by available_at, id limit 1 for update skip locked
    ) returning id, topic, body, attempts`.execute(tx);
  return rows[0];
}

/** Postpones an event whose handler failed. `dead`: it is not tried again and waits for an operator. */
export const postponeEvent = (
  tx: Tx,
  id: number,
  failure: { attempts: number; message: string; dead: boolean; waitSeconds: number },
) =>
  tx
    .updateTable("event_outbox")
    .set({
      attempts: failure.attempts,
      last_error: failure.message,
      available_at: sql<Date>`now() + make_interval(secs => ${failure.waitSeconds})`,
      dead_at: failure.dead ? sql<Date>`now()` : null,
    })
    .where("id", "=", id)
    .execute();

/** Counts one hit in the running window of a key, which ends at `end` when it begins now. A stored end after `latest` is over. */
export async function countHit(
  db: Kysely<DB>,
  key: string,
  { now, end, latest }: { now: Date; end: Date; latest: Date },
): Promise<{ hits: number; reset_at: Date } | undefined> {
  const over = sql<boolean>`(rate_limits.reset_at <= ${now} or rate_limits.reset_at > ${latest})`;
  const { rows } = await sql<{ hits: number; reset_at: Date }>`
    insert into rate_limits (key, hits, reset_at) values (${key}, 1, ${end})
    on conflict (key) do update set
      hits = case when ${over} then 1 else rate_limits.hits + 1 end,
      reset_at = case when ${over} then excluded.reset_at else rate_limits.reset_at end
    returning hits, reset_at`.execute(db);
  return rows[0];
}

export const deleteLimit = (db: Kysely<DB>, key: string) => sql`delete from rate_limits where key = ${key}`.execute(db);

/** Removes the counts of windows that have ended. */
export const deleteEndedLimits = (tx: Tx, now: Date) =>
  tx.deleteFrom("rate_limits").where("reset_at", "<", now).execute();

/** Writes a value under its name. */
export const writeKey = (tx: Tx, name: string, value: string) =>
  tx
    .insertInto("installation_keys")
    .values({ name, value })
    .onConflict((on) => on.column("name").doUpdateSet({ value }))
    .execute();

export const deleteKey = (tx: Tx, name: string) =>
  tx.deleteFrom("installation_keys").where("name", "=", name).execute();

export type OperatorNotice = "unnamed_proxy";

/** Writes a notice down, or that it still holds. */
export async function recordNotice(tx: Tx, kind: OperatorNotice, now: Date): Promise<void> {
  await tx
    .insertInto("operator_notices")
    .values({ kind, first_at: now, last_at: now })
    .onConflict((on) => on.column("kind").doUpdateSet({ last_at: now }))
    .execute();
}
