import { createHash } from "node:crypto";
import { type Insertable, type Selectable, sql } from "kysely";
import { chunks, rowsOf, updateById, type DB, type Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import type { ImportFailing } from "../events.rules.ts";
import { rangeOf } from "../views.ts";
import type { CalendarContents } from "./busy-intervals.ts";
import { endIsMissing } from "./content-lines.ts";
import { externalLimits } from "./fetch-times.rules.ts";

export type ExternalCalendar = Selectable<DB["external_calendars"]>;
export const urlPurpose = "external calendar";

/** Locks the list of an artist's calendars until the transaction ends: what is counted under this lock is the whole list. */
export const lockExternalCalendarsOf = (tx: Tx, artistId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`external calendars of ${artistId}`}, 0))`.execute(tx);

export const insertExternalCalendar = (
  tx: Tx,
  calendar: Insertable<DB["external_calendars"]>,
): Promise<ExternalCalendar> =>
  tx.insertInto("external_calendars").values(calendar).returningAll().executeTakeFirstOrThrow();

export async function deleteExternalCalendar(tx: Tx, artistId: string, id: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom("external_calendars")
    .where("id", "=", id)
    .where("artist_id", "=", artistId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Claims the due calendars by marking them as checked now: no other process fetches them too. */
export function claimDueCalendars(tx: Tx, limit: number, now: Date): Promise<ExternalCalendar[]> {
  const before = new Date(now.getTime() - externalLimits.everyMinutes * minuteMs);
  return rowsOf<ExternalCalendar>(tx)`
    update external_calendars set checked_at = ${now}
    where id in (
      select id from external_calendars where checked_at is null or checked_at <= ${before}
      order by checked_at nulls first limit ${limit} for update skip locked)
    returning *`;
}

/** Makes every calendar of an artist due, to be read in whole. Days and times without a zone depend on the artist's. */
export const rereadCalendars = (tx: Tx, artistId: string) =>
  tx
    .updateTable("external_calendars")
    .set({ checked_at: null, etag: null })
    .where("artist_id", "=", artistId)
    .execute();

/** Leaves a calendar due that became so by `rereadCalendars` during the fetch. */
export const recordUnchanged = (tx: Tx, id: string, now: Date) =>
  tx
    .updateTable("external_calendars")
    .set({ checked_at: now, last_success_at: now, ...healthy })
    .where("id", "=", id)
    .where("etag", "is not", null)
    .execute();

const healthy = { failing_since: null, message: null, notified_at: null };

const digestOf = (uid: string) => createHash("sha256").update(uid).digest("base64url");

/** Replaces the entries of a calendar, except those that `removeEntries` retains. Locks the calendar's row, because parallel reads must not mix. */
export async function replaceEntries(
  tx: Tx,
  calendar: Readonly<{ id: string; artist_id: string }>,
  read: CalendarContents & { etag: string | null; now: Date },
): Promise<void> {
  const { id, artist_id } = calendar;
  const locked = await tx
    .selectFrom("external_calendars")
    .select(["had_end", "failing_since"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return;
  const isDamaged = locked.had_end && read.isCut;
  const kept = await removeEntries(tx, id, { ...read, isDamaged, readUntil: locked.failing_since ?? read.now });
  const rows = read.intervals
    .map((interval) => ({ span: rangeOf(interval), entry_digest: digestOf(interval.uid), interval }))
    .filter(({ entry_digest, interval }) => !kept.has(keyOf(entry_digest, interval.from, interval.to)))
    .map(({ span, entry_digest }) => ({
      artist_id,
      kind: "external" as const,
      during: span,
      span,
      external_calendar_id: id,
      entry_digest,
      created_at: read.now,
    }));
  for (const part of chunks(rows)) await tx.insertInto("date_reservations").values(part).execute();
  await updateById(tx, "external_calendars", id, {
    etag: read.etag,
    entry_count: rows.length + kept.size,
    unread_count: read.unread.length,
    unread_title: read.unread[0]?.title ?? null,
    unread_day: read.unread[0]?.day ?? null,
    unread_reason: read.unread[0]?.reason ?? null,
    had_end: locked.had_end || !read.isCut,
    checked_at: read.now,
    last_read_at: read.now,
    ...(isDamaged ? {} : { last_success_at: read.now, ...healthy }),
  });
  if (isDamaged) await recordFailing(tx, id, endIsMissing, read.now);
}

const keyOf = (digest: string | null, from: Date, to: Date) => `${digest} ${from.getTime()} ${to.getTime()}`;

/** Removes a calendar's entries, except those that cannot be read now or are absent from a file without its end, and returns the keys of these. If the file never has its end, absent ones stay for a day in which it can be read. An entry without a digest is one that was read if its times are. */
async function removeEntries(
  tx: Tx,
  id: string,
  {
    intervals,
    unread,
    isCut,
    isDamaged,
    readUntil,
    now,
  }: CalendarContents & { isDamaged: boolean; readUntil: Date; now: Date },
): Promise<Set<string>> {
  const absentBefore = new Date(readUntil.getTime() - externalLimits.absentHours * hourMs);
  const digests = [...new Set(unread.map(({ uid }) => digestOf(uid)))];
  const read = isCut ? [...new Set(intervals.map(({ uid }) => digestOf(uid)))] : [];
  const spans =
    digests.length === 0 && !isCut
      ? []
      : intervals.map(({ from, to }) => `[${from.toISOString()},${to.toISOString()})`);
  await sql`
    delete from date_reservations where external_calendar_id = ${id} and not case
      when entry_digest is null then ${digests.length > 0 || isCut} and during <> all(${spans}::tstzrange[])
      else entry_digest = any(${digests}) or ${isCut} and entry_digest <> all(${read}) and upper(during) > ${now}::timestamptz
        and coalesce(absent_since > ${absentBefore}, true) end`.execute(tx);
  const absentSince = sql`case when ${isCut && !isDamaged} and entry_digest <> all(${digests})
    then coalesce(absent_since + (${now}::timestamptz - ${readUntil}::timestamptz), ${now}::timestamptz) end`;
  await sql`
    update date_reservations set absent_since = ${absentSince}
    where external_calendar_id = ${id} and absent_since is distinct from ${absentSince}`.execute(tx);
  const { rows } = await sql<{ entry_digest: string | null; from: Date; to: Date }>`
    select entry_digest, lower(during) as from, upper(during) as to from date_reservations where external_calendar_id = ${id}`.execute(
    tx,
  );
  return new Set(rows.map(({ entry_digest, from, to }) => keyOf(entry_digest, from, to)));
}

export const markDue = (tx: Tx, id: string) => updateById(tx, "external_calendars", id, { checked_at: null });

/** Records a failed read. The entries of the last good state stay. */
export async function recordFailing(tx: Tx, id: string, message: string, now: Date): Promise<void> {
  await updateById(tx, "external_calendars", id, {
    checked_at: now,
    message: message.slice(0, 300),
    failing_since: sql<Date>`coalesce(failing_since, ${now}::timestamptz)`,
  });
}

/** Marks calendars that have failed for a day as reported, and returns the notifications of their artists. */
export async function claimLongFailing(tx: Tx, now: Date): Promise<ImportFailing[]> {
  const since = new Date(now.getTime() - externalLimits.notifyAfterHours * hourMs);
  const rows = await tx
    .updateTable("external_calendars")
    .set({ notified_at: now })
    .where("failing_since", "<=", since)
    .where("notified_at", "is", null)
    .returning(["artist_id", "name", "message", "failing_since"])
    .execute();
  return rows.map(({ artist_id, name, message, failing_since }) => ({
    artistId: artist_id,
    name,
    message: message ?? "",
    failingSince: (failing_since ?? now).toISOString(),
  }));
}

export function storedAddress(keys: Keys, { url_sealed }: Pick<ExternalCalendar, "url_sealed">): string | undefined {
  try {
    return keys.decrypt(urlPurpose, url_sealed);
  } catch {
    return undefined;
  }
}

export async function reencryptExternalCalendars(tx: Tx, keys: Keys): Promise<void> {
  const rows = await tx.selectFrom("external_calendars").select(["id", "url_sealed"]).forUpdate().execute();
  for (const row of rows) {
    const address = storedAddress(keys, row);
    if (address !== undefined)
      await updateById(tx, "external_calendars", row.id, { url_sealed: keys.encrypt(urlPurpose, address) });
  }
}
