/** Fetches and reads calendars of other programs, and stores their busy times. Never inside a transaction. */

import { setTimeout as pause } from "node:timers/promises";
import type { Tx } from "#platform/db/index.ts";
import { errorMessage } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import type { ImportConflictFound } from "../events.rules.ts";
import { announceBusyNights } from "../holds/queue.ts";
import type { CalendarContents } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";
import { fetchCalendar, type FetchedCalendar } from "./fetch-calendar.ts";
import { externalLimits, readAgainHours } from "./fetch-times.rules.ts";
import { readCalendar } from "./reader.ts";
import {
  claimDueCalendars,
  claimLongFailing,
  type ExternalCalendar,
  markDue,
  recordFailing,
  recordUnchanged,
  replaceEntries,
  rereadCalendars,
  urlPurpose,
} from "./store.ts";
import {
  artistOfCalendar,
  listImportConflicts,
  listLongUnread,
  listStaleCalendars,
  withoutOwnEntries,
} from "./views.ts";

type Services = PlatformServices;

type ReadResult = CalendarContents & { etag: string | null; zone: string };

/** Fetches and reads an address. Throws CalendarUnreadable with the reason for the artist. */
export async function readAddress(
  services: Services,
  calendar: { url: string; artistId: string; zone: string; etag: string | null; ms?: number | undefined },
): Promise<ReadResult | "unchanged"> {
  const { config, clock, database } = services;
  const fetched: FetchedCalendar = await fetchCalendar(calendar.url, {
    etag: calendar.etag,
    allowHosts: config.calendarAllowHosts,
    ms: calendar.ms,
  });
  if (fetched.unchanged) return "unchanged";
  const now = clock.now().getTime();
  const window = { from: new Date(now - dayMs), to: new Date(now + externalLimits.aheadDays * dayMs) };
  const limits = calendar.ms === undefined ? {} : { isCommitment: true, ms: calendar.ms };
  const read = await readCalendar(fetched.text, { window, zone: calendar.zone }, limits).catch((error: unknown) => {
    throw unreadableOf(services, error);
  });
  const unexpected = read.unread.find(({ error }) => error !== undefined);
  if (unexpected) services.log.error({ err: unexpected.error }, "an entry of a calendar could not be read");
  const intervals = await withoutOwnEntries(database.db, calendar.artistId, read.intervals);
  // Its tag must not answer for the rest.
  return { ...read, etag: read.isCut ? null : fetched.etag, zone: calendar.zone, intervals };
}

function unreadableOf({ log }: Services, error: unknown): CalendarUnreadable {
  if (error instanceof CalendarUnreadable) return error;
  log.error({ err: error }, "an unexpected error prevented the reading of a calendar");
  return new CalendarUnreadable(
    "Something went wrong when we read this calendar. If this continues, contact the operator of this site.",
    { cause: error },
  );
}

/** Stores what was read of a calendar, and notifies the artist of shows that overlap an entry, and promoters of held nights that it takes. */
export async function storeEntries(tx: Tx, calendar: ExternalCalendar, read: ReadResult & { now: Date }) {
  await announceBusyNights(tx, calendar.artist_id, read.now, () => replaceEntries(tx, calendar, read));
  if ((await artistOfCalendar(tx, calendar)).time_zone !== read.zone) await rereadCalendars(tx, calendar.artist_id);
  const conflicts = await listImportConflicts(tx, calendar.artist_id, read.now);
  if (conflicts.length > 0)
    await publish(tx, "calendar.import_conflict", { artistId: calendar.artist_id } satisfies ImportConflictFound);
}

const running = new Map<string, { sync: Promise<void>; ms: number | undefined }>();

/** Fetches one calendar, within `ms` if given, and stores the result. A failure is stored with its reason, and changes no entry. Waits for a sync of this process that is running, and fetches again if only that one has a time limit. */
export async function syncCalendar(services: Services, calendar: ExternalCalendar, ms?: number): Promise<void> {
  const { id } = calendar;
  for (let current = running.get(id); current; current = running.get(id)) {
    await current.sync;
    if (current.ms === undefined || ms !== undefined) return;
  }
  const sync = syncNow(services, calendar, ms).finally(() => running.delete(id));
  running.set(id, { sync, ms });
  return sync;
}

async function syncNow(services: Services, calendar: ExternalCalendar, ms?: number): Promise<void> {
  const { database, clock } = services;
  const artist = await artistOfCalendar(database.db, calendar);
  const now = clock.now();
  const finish = (work: (tx: Tx) => Promise<void>) =>
    database.transaction(async (tx) => {
      await work(tx);
      await broadcastChange(tx, "bookings", { userIds: [artist.user_id] });
    });
  try {
    const read = await readAgain(services, calendar, { zone: artist.time_zone, now, ms });
    await finish(async (tx) => {
      if (read === "unchanged") await recordUnchanged(tx, calendar.id, now);
      else await storeEntries(tx, calendar, { ...read, now });
    });
  } catch (error) {
    const { message } = unreadableOf(services, error);
    // The short time before a commitment proves no failure. The job reads the calendar next.
    const isTooShort = ms !== undefined && calendar.failing_since === null;
    await finish((tx) => (isTooShort ? markDue(tx, calendar.id) : recordFailing(tx, calendar.id, message, now)));
  }
}

function readAgain(
  services: Services,
  { artist_id, etag, last_read_at, url_sealed }: ExternalCalendar,
  { zone, now, ms }: { zone: string; now: Date; ms: number | undefined },
): Promise<ReadResult | "unchanged"> {
  const isRecent = last_read_at && now.getTime() - last_read_at.getTime() < readAgainHours * hourMs;
  return readAddress(services, {
    url: services.keys.decrypt(urlPurpose, url_sealed),
    artistId: artist_id,
    zone,
    etag: isRecent ? etag : null,
    ms,
  });
}

const atOnce = 4;

/** Fetches every due calendar, four at a time, and reports those that have failed for a day. Returns false if there was nothing to do. */
export async function syncDueCalendars(services: Services): Promise<void | false> {
  const { database, clock } = services;
  let isIdle = true;
  for (;;) {
    const due = await database.transaction((tx) => claimDueCalendars(tx, atOnce, clock.now()));
    if (due.length === 0) break;
    isIdle = false;
    await syncEach(services, due, { failure: "a calendar of another program was not updated" });
  }
  const failing = await database.transaction(async (tx) => {
    const claimed = await claimLongFailing(tx, clock.now());
    for (const one of claimed) await publish(tx, "calendar.import_failing", one);
    return claimed;
  });
  if (failing.length > 0) services.wake();
  else if (isIdle) return false;
}

/** Fetches the artist's calendars that were read more than 5 minutes ago, and waits 2.5 s at most: call it before the transaction. If that fails, the last good state counts, and the calendar is due. */
export async function refreshBeforeCommitment(
  services: Services,
  artistId: string,
  { commitmentMs: ms, readingMs }: Record<"commitmentMs" | "readingMs", number> = externalLimits,
): Promise<void> {
  const stale = await listStaleCalendars(services.database.db, artistId, services.clock.now());
  const failure = "a calendar was not read before a commitment";
  if (stale.length === 0) return;
  await Promise.race([syncEach(services, stale, { failure, ms }), pause(ms + readingMs, undefined, { ref: false })]);
}

async function syncEach(
  services: Services,
  calendars: readonly ExternalCalendar[],
  { failure, ms }: { failure: string; ms?: number },
): Promise<void> {
  await Promise.all(
    calendars.map((calendar) =>
      syncCalendar(services, calendar, ms).catch((error: unknown) =>
        services.log.warn({ err: error, calendar: calendar.id }, failure),
      ),
    ),
  );
}

const testedCalendars = 5;
const testMs = 4_000;

/** Fetches the calendars with the oldest reads, and stores nothing. Returns why some failed: the host, and the reason. */
export async function testExternalCalendars(services: Services): Promise<{ tried: number; failed: string[] }> {
  const { database, keys, config } = services;
  const tried = await listLongUnread(database.db, testedCalendars);
  const options = { etag: null, allowHosts: config.calendarAllowHosts, ms: testMs };
  const failures = await Promise.all(
    tried.map(async ({ url_host, url_sealed }) => {
      try {
        await fetchCalendar(keys.decrypt(urlPurpose, url_sealed), options);
        return [];
      } catch (error) {
        return [`${url_host}: ${errorMessage(error)}`];
      }
    }),
  );
  return { tried: tried.length, failed: failures.flat() };
}
