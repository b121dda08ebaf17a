import { type Kysely, sql } from "kysely";
import { announce, type DB, firstRowOf, hasRow, json, type Reader, sentWithNext, type Tx } from "./index.ts";

export async function publish(tx: Tx, topic: string, body: object): Promise<void> {
  announce(tx, topic);
  await tx
    .insertInto("event_outbox")
    .values({ topic, body: json(body) })
    .modifyEnd(sentWithNext)
    .execute();
}

export type StoredEvent = { id: number; topic: string; body: never; attempts: number };

/** How many bookings are searched for the next urgent event: more than are handled at the same time. */
const urgentAtOnce = 50;

/** Claims the next due event. Bookings with an urgent event come first. The events of one booking stay in order. */
export async function claimNext(tx: Tx, urgent: readonly string[] = []): Promise<StoredEvent | undefined> {
  const isDue = sql`e.dead_at is null and e.available_at <= now()`;
  const isFirstOfBooking = sql`not exists (
    select 1 from event_outbox as earlier
    where earlier.body ->> 'bookingId' = e.body ->> 'bookingId' and earlier.id < e.id
      and earlier.dead_at is null and earlier.attempts = 0)`;
  return firstRowOf<StoredEvent>(tx)`
    delete from event_outbox where id = coalesce(
      (select e.id from event_outbox as e
       where ${isDue} and ${isFirstOfBooking} and e.body ->> 'bookingId' in (
         select u.body ->> 'bookingId' from event_outbox as u
         where u.topic = any(${[...urgent]}::text[]) and u.dead_at is null and u.available_at <= now()
         order by u.available_at, u.id limit ${sql.lit(urgentAtOnce)})
       order by e.id limit 1 for update of e skip locked),
      (select e.id from event_outbox as e
       where ${isDue} and ${isFirstOfBooking}
       order by e.available_at, e.id limit 1 for update of e skip locked)
    ) returning id, topic, body, attempts`;
}

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

/** Counts one hit in the current window of a key. A new window ends at `end`. A stored end after `latest` counts as expired. */
export async function countHit(
  db: Kysely<DB>,
  key: string,
  { now, end, latest }: { now: Date; end: Date; latest: Date },
): Promise<{ hits: number; reset_at: Date } | undefined> {
  const over = sql<boolean>`(rate_limits.reset_at <= ${now} or rate_limits.reset_at > ${latest})`;
  return firstRowOf<{ hits: number; reset_at: Date }>(db)`
    insert into rate_limits (key, hits, reset_at) values (${key}, 1, ${end})
    on conflict (key) do update set
      hits = case when ${over} then 1 else rate_limits.hits + 1 end,
      reset_at = case when ${over} then excluded.reset_at else rate_limits.reset_at end
    returning hits, reset_at`;
}

export const deleteLimit = (db: Kysely<DB>, key: string) => sql`delete from rate_limits where key = ${key}`.execute(db);

export const releaseHit = (db: Kysely<DB>, key: string) =>
  sql`update rate_limits set hits = hits - 1 where key = ${key} and hits > 0`.execute(db);

export const deleteEndedLimits = (tx: Tx, now: Date) =>
  tx.deleteFrom("rate_limits").where("reset_at", "<", now).execute();

export const writeKey = (tx: Tx, name: string, value: string) =>
  tx
    .insertInto("installation_keys")
    .values({ name, value })
    .onConflict((on) => on.column("name").doUpdateSet({ value }))
    .execute();

export const deleteKey = (tx: Tx, name: string) =>
  tx.deleteFrom("installation_keys").where("name", "=", name).execute();

type OperatorNotice = "unnamed_proxy" | "sms_codes" | `wrong_clock:${string}`;

export async function recordNotice(tx: Tx, kind: OperatorNotice, now: Date): Promise<void> {
  await tx
    .insertInto("operator_notices")
    .values({ kind, first_at: now, last_at: now })
    .onConflict((on) => on.column("kind").doUpdateSet({ last_at: now }))
    .execute();
}

/** True for a notice of a process that has ended: a running one reports its wrong clock every minute. */
export const isOfEndedProcess = sql<boolean>`last_at < now() - interval '3 minutes'`;

export async function deleteWrongClocks(tx: Tx, kind: OperatorNotice): Promise<void> {
  await sql`
    delete from operator_notices
     where kind = ${kind} or (kind like 'wrong_clock:%' and ${isOfEndedProcess})`.execute(tx);
}

/** Returns the clock's offset from the real time, in ms. */
export async function readClockAhead(reader: Reader): Promise<number> {
  const row = await reader.selectFrom("installation_clock").select("ahead_ms").executeTakeFirst();
  return Number(row?.ahead_ms ?? 0);
}

export const isClockMoving = (reader: Reader): Promise<boolean> =>
  hasRow(reader)`select 1 from installation_clock where moving_until > now()`;

/** Acquires the lease to move the clock for `owner`, for `seconds` of real time. Returns false if another move holds it. */
export const acquireClockLease = (tx: Tx, owner: string, seconds: number): Promise<boolean> =>
  hasRow(tx)`
    insert into installation_clock as c (moved_by, moving_until) values (${owner}, now() + make_interval(secs => ${seconds}))
    on conflict (only_row) do update set moved_by = excluded.moved_by, moving_until = excluded.moving_until
    where c.moving_until is null or c.moving_until < now()
    returning 1`;

export const renewClockLease = (tx: Tx, owner: string, seconds: number) => extendLease(tx, owner, seconds).execute();

const extendLease = (tx: Tx, owner: string, seconds: number) =>
  tx
    .updateTable("installation_clock")
    .set({ moving_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where("moved_by", "=", owner);

/** Moves the clock and extends the lease by `seconds`. All processes are notified at the commit. Returns false if another move has the lease. */
export async function writeClockAhead(tx: Tx, owner: string, aheadMs: number, seconds: number): Promise<boolean> {
  const own = await extendLease(tx, owner, seconds).set({ ahead_ms: aheadMs }).returning("only_row").executeTakeFirst();
  if (own) await sql`select pg_notify(${clockChannel}, ${String(aheadMs)})`.execute(tx);
  return own !== undefined;
}

export const clockChannel = "stagedoor_clock";

export const releaseClock = (tx: Tx, owner: string) =>
  tx
    .updateTable("installation_clock")
    .set({ moved_by: null, moving_until: null })
    .where("moved_by", "=", owner)
    .execute();

export async function resetClock(tx: Tx): Promise<number> {
  const row = await tx.deleteFrom("installation_clock").returning("ahead_ms").executeTakeFirst();
  return Number(row?.ahead_ms ?? 0);
}

export const ageWaitingEvents = (tx: Tx, milliseconds: number) =>
  sql`
    update event_outbox set available_at = available_at - ${milliseconds} * interval '1 millisecond'
    where dead_at is null and available_at > now()`.execute(tx);

/** Returns true if an event is due or is being handled by another process. */
export const hasDueEvents = (reader: Reader): Promise<boolean> =>
  hasRow(reader)`
    select 1 from event_outbox where dead_at is null and available_at <= now() limit 1`;
