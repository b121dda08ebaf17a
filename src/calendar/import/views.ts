import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { isBlockedUid } from "../event-files/show-event.rules.ts";
import { neededTime } from "../night.views.ts";
import type { BusyInterval } from "./busy-intervals.ts";
import { externalLimits } from "./fetch-times.rules.ts";
import type { ExternalCalendar } from "./store.ts";

export const listExternalCalendars = (reader: Reader, artistId: string): Promise<ExternalCalendar[]> =>
  reader
    .selectFrom("external_calendars")
    .selectAll()
    .where("artist_id", "=", artistId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

export const findExternalCalendar = (
  reader: Reader,
  artistId: string,
  id: string,
): Promise<ExternalCalendar | undefined> =>
  reader
    .selectFrom("external_calendars")
    .selectAll()
    .where("id", "=", id)
    .where("artist_id", "=", artistId)
    .executeTakeFirst();

export const artistOfCalendar = (reader: Reader, { artist_id }: Pick<ExternalCalendar, "artist_id">) =>
  reader.selectFrom("artists").select(["time_zone", "user_id"]).where("id", "=", artist_id).executeTakeFirstOrThrow();

export const listStaleCalendars = (reader: Reader, artistId: string, now: Date): Promise<ExternalCalendar[]> =>
  reader
    .selectFrom("external_calendars")
    .selectAll()
    .where("artist_id", "=", artistId)
    .where((at) =>
      at.or([
        at("checked_at", "is", null),
        at("checked_at", "<=", new Date(now.getTime() - externalLimits.freshMinutes * minuteMs)),
      ]),
    )
    .execute();

export const listLongUnread = (reader: Reader, limit: number): Promise<ExternalCalendar[]> =>
  reader
    .selectFrom("external_calendars")
    .selectAll()
    .orderBy("last_success_at", (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();

export async function countEntriesAhead(reader: Reader, artistId: string, now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select external_calendar_id as id, count(*)::int as count from date_reservations
    where artist_id = ${artistId} and external_calendar_id is not null and upper(during) > ${now}::timestamptz
    group by external_calendar_id`.execute(reader);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Returns the busy times without the artist's own shows and entries, which return through a calendar that reads our feed. A canceled show is left out at its own time only, because its entry may have been moved. */
export async function withoutOwnEntries(
  reader: Reader,
  artistId: string,
  intervals: readonly BusyInterval[],
): Promise<BusyInterval[]> {
  const ids = [...new Set(intervals.map(({ uid }) => uid.toLowerCase()))].filter((uid) => uuidPattern.test(uid));
  const { rows } = await sql<{ id: string; canceled_from: Date | null; canceled_to: Date | null }>`
    select id, case status when 'canceled' then starts_at end as canceled_from, case status when 'canceled' then ends_at end as canceled_to
      from bookings where artist_id = ${artistId} and id = any(${ids}::uuid[])
    union all select id, null, null from date_reservations where artist_id = ${artistId} and id = any(${ids}::uuid[])`.execute(
    reader,
  );
  const isOwn = ({ uid, from, to }: BusyInterval) =>
    isBlockedUid(uid, artistId) ||
    rows.some(
      ({ id, canceled_from, canceled_to }) =>
        id === uid.toLowerCase() &&
        (!canceled_from || !canceled_to || (+canceled_from === +from && +canceled_to === +to)),
    );
  return intervals.filter((interval) => !isOwn(interval));
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

type ImportConflict = {
  booking_id: string;
  number: string;
  event_date: string;
  calendar_name: string;
  entry_from: Date;
  entry_to: Date;
};

export const listImportConflicts = (reader: Reader, artistId: string, now: Date): Promise<ImportConflict[]> =>
  rowsOf<ImportConflict>(reader)`
    select distinct on (b.starts_at, b.id) b.id as booking_id, b.number, to_char(b.event_date, 'YYYY-MM-DD') as event_date, c.name as calendar_name,
      lower(e.during) as entry_from, upper(e.during) as entry_to
    from date_reservations r
      join bookings b on b.id = r.booking_id
      join date_reservations e on e.artist_id = r.artist_id and e.kind = 'external' and e.during && tstzrange(b.starts_at, b.ends_at)
      join external_calendars c on c.id = e.external_calendar_id
    where r.artist_id = ${artistId} and r.kind = 'booked' and b.ends_at > ${now}::timestamptz
    order by b.starts_at, b.id, c.name, lower(e.during)`;

type BusyElsewhere = { booking_id: string; calendar: string; starts_at: Date };

/** Returns the first entry of another calendar for each open request whose time it takes. */
export const busyElsewhere = (reader: Reader, bookingIds: readonly string[]): Promise<BusyElsewhere[]> =>
  rowsOf<BusyElsewhere>(reader)`
    select distinct on (b.id) b.id as booking_id, c.name as calendar, lower(e.during) as starts_at
    from bookings b join date_reservations e on e.artist_id = b.artist_id and e.during && ${neededTime}
      join external_calendars c on c.id = e.external_calendar_id
    where b.id = any(${bookingIds}::uuid[]) and b.status = 'initiated'
    order by b.id, lower(e.during), c.name`;

export const noticeTimes = sql`
  select failing_since + make_interval(hours => ${externalLimits.notifyAfterHours}) as at from external_calendars
  where notified_at is null`;
