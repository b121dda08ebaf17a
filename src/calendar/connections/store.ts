import { type Insertable, type Selectable, sql } from "kysely";
import { rowsOf, chunks, updateById, type DB, type Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { pastDays } from "../feeds/rules.ts";
import { type ConnectionField, connectionLimits } from "./rules.ts";
import type { SyncedShow } from "./views.ts";

export type CalendarConnection = Selectable<DB["calendar_connections"]>;
export const passwordPurpose = "calendar connection";

/** Longer than a sync, in ms. Frees the connection of a process that ended during one. */
const leaseMs = 120_000;

/** Locks the number of a user's connections, because the limit counts parallel additions too. */
export const lockConnectionsOf = (tx: Tx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`calendar connections of ${userId}`}, 0))`.execute(tx);

export const insertConnection = (tx: Tx, connection: Insertable<DB["calendar_connections"]>) =>
  tx
    .insertInto("calendar_connections")
    .values(connection)
    .onConflict((on) => on.columns(["user_id", "server_url", "username"]).doNothing())
    .returning("id")
    .executeTakeFirst();

export const lockConnection = (tx: Tx, userId: string, id: string): Promise<CalendarConnection | undefined> =>
  tx
    .selectFrom("calendar_connections")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();

type Changes = Partial<Pick<CalendarConnection, "server_url" | "username" | "password_sealed">>;

export async function requestSync(tx: Tx, id: string, now: Date, changes: Changes = {}): Promise<void> {
  await updateById(tx, "calendar_connections", id, { ...changes, next_sync_at: now });
}

/** Marks a connection for removal. A job deletes our calendar from the server, and then the row. */
export async function requestRemoval(tx: Tx, id: string, now: Date): Promise<void> {
  await updateById(tx, "calendar_connections", id, { ...healthy, removing_since: now, next_sync_at: now });
}

const healthy = { failing_since: null, message: null, failed_field: null, notified_at: null, attempts: 0 };

export async function deleteConnection(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("calendar_connections").where("id", "=", id).execute();
}

/** Deletes the connections whose removal has failed for too long. Returns their users. */
export async function deleteOverdueRemovals(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx
    .deleteFrom("calendar_connections")
    .where("removing_since", "<=", new Date(now.getTime() - connectionLimits.removeHours * hourMs))
    .where("failing_since", "is not", null)
    .returning("user_id")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Claims connections that are due by time or by a changed show. Failing ones come last and wait for their time. */
export function claimDueConnections(
  tx: Tx,
  { limit, except, now }: { limit: number; except: readonly string[]; now: Date },
): Promise<CalendarConnection[]> {
  const past = new Date(now.getTime() - pastDays * 24 * hourMs);
  const differs = sql`(
    select 1 from bookings b left join calendar_connection_shows s on s.connection_id = c.id and s.booking_id = b.id
    where (b.promoter_user_id = c.user_id or b.artist_id = (select a.id from artists a where a.user_id = c.user_id))
      and case when b.status = 'canceled' then s.booking_id is not null
        else s.version is distinct from b.version and b.starts_at > ${past}::timestamptz end)`;
  return rowsOf<CalendarConnection>(tx)`
    update calendar_connections set leased_until = ${new Date(now.getTime() + leaseMs)}::timestamptz
    where id in (
      select c.id from calendar_connections c join users u on u.id = c.user_id
      where not c.id = any(${except}::uuid[]) and (c.leased_until is null or c.leased_until <= ${now}::timestamptz)
        and u.deleted_at is null and (u.banned_until is null or u.banned_until <= ${now}::timestamptz)
        and (c.next_sync_at <= ${now}::timestamptz
          or (c.failing_since is null and c.removing_since is null and exists ${differs}))
      order by c.failing_since nulls first, c.next_sync_at limit ${limit} for update of c skip locked)
    returning *`;
}

/** Records the shows that are about to be written for the first time: an interrupted sync forgets none of them. */
export async function recordUnwritten(tx: Tx, connectionId: string, bookingIds: readonly string[]): Promise<void> {
  for (const part of chunks(bookingIds.map((booking_id) => ({ connection_id: connectionId, booking_id }))))
    await tx
      .insertInto("calendar_connection_shows")
      .values(part)
      .onConflict((on) => on.doNothing())
      .execute();
}

export type CalendarSyncResult = Readonly<{
  calendarUrl: string | null;
  written: readonly SyncedShow[];
  removed: readonly string[];
  changed: boolean;
  failure: Readonly<{ message: string; field: ConnectionField; pauseSeconds: number }> | null;
  complete: boolean;
}>;

/** Stores the result of a sync. A request during the sync is retained: another sync follows. */
export async function recordSync(tx: Tx, claimed: CalendarConnection, result: CalendarSyncResult, now: Date) {
  const current = await lockConnection(tx, claimed.user_id, claimed.id);
  if (!current) return;
  const isSame = current.server_url === claimed.server_url && current.username === claimed.username;
  if (isSame) await recordShows(tx, claimed.id, result);
  const { failure, complete } = result;
  const pauseMs = failure ? failure.pauseSeconds * 1_000 : complete ? connectionLimits.compareMinutes * minuteMs : 0;
  const isRequested = current.next_sync_at.getTime() !== claimed.next_sync_at.getTime();
  const isLeaving = current.removing_since?.getTime() !== claimed.removing_since?.getTime();
  await updateById(tx, "calendar_connections", claimed.id, {
    calendar_url: isSame ? result.calendarUrl : current.calendar_url,
    leased_until: null,
    next_sync_at: isRequested ? current.next_sync_at : new Date(now.getTime() + pauseMs),
    ...(result.changed ? { last_written_at: now } : {}),
    ...(isLeaving ? {} : stateAfter(current, result, now)),
  });
}

function stateAfter(current: CalendarConnection, { failure, complete }: CalendarSyncResult, now: Date) {
  if (!failure) return { ...healthy, ...(complete ? { last_success_at: now } : {}) };
  return {
    attempts: current.attempts + 1,
    failing_since: current.failing_since ?? now,
    message: failure.message.slice(0, 300),
    failed_field: failure.field,
  };
}

async function recordShows(tx: Tx, connectionId: string, { written, removed }: CalendarSyncResult): Promise<void> {
  const rows = written.map(({ text_digest: digest, ...show }) => ({
    ...show,
    connection_id: connectionId,
    text_digest: digest === null ? null : Buffer.from(digest, "hex"),
  }));
  for (const part of chunks(rows))
    await tx
      .insertInto("calendar_connection_shows")
      .values(part)
      .onConflict((on) =>
        on.columns(["connection_id", "booking_id"]).doUpdateSet((row) => ({
          version: row.ref("excluded.version"),
          text_digest: row.ref("excluded.text_digest"),
          etag: row.ref("excluded.etag"),
        })),
      )
      .execute();
  if (removed.length > 0)
    await tx
      .deleteFrom("calendar_connection_shows")
      .where("connection_id", "=", connectionId)
      .where("booking_id", "in", removed)
      .execute();
}

export function claimLongFailing(tx: Tx, now: Date): Promise<CalendarConnection[]> {
  const since = new Date(now.getTime() - connectionLimits.notifyAfterHours * hourMs);
  return tx
    .updateTable("calendar_connections")
    .set({ notified_at: now })
    .where("failing_since", "<=", since)
    .where("notified_at", "is", null)
    .where("removing_since", "is", null)
    .returningAll()
    .execute();
}

export async function reencryptConnections(tx: Tx, keys: Keys): Promise<void> {
  const rows = await tx.selectFrom("calendar_connections").select(["id", "password_sealed"]).forUpdate().execute();
  for (const { id, password_sealed } of rows)
    await updateById(tx, "calendar_connections", id, {
      password_sealed: keys.encrypt(passwordPurpose, keys.decrypt(passwordPurpose, password_sealed)),
    });
}
