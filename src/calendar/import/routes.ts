import { implement } from "@orpc/server";
import type { Reader } from "#platform/db/index.ts";
import { invalid, invalidField, notFound } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { lockQueues } from "../holds/index.ts";
import { requireOwnArtist } from "../own-calendar/own-calendar.views.ts";
import { externalCalendarsApi, type ExternalCalendarReply } from "./api.ts";
import { CalendarUnreadable } from "./content-lines.ts";
import { calendarUrl } from "./fetch-calendar.ts";
import { externalLimits } from "./fetch-times.rules.ts";
import {
  deleteExternalCalendar,
  type ExternalCalendar,
  insertExternalCalendar,
  lockExternalCalendarsOf,
  storedAddress,
  urlPurpose,
} from "./store.ts";
import { readAddress, storeEntries, syncCalendar } from "./sync.ts";
import { countEntriesAhead, findExternalCalendar, listExternalCalendars, listImportConflicts } from "./views.ts";

const on = implement(externalCalendarsApi).$context<Context>();

const toReply = (calendar: ExternalCalendar, ahead: ReadonlyMap<string, number>): ExternalCalendarReply => ({
  ...calendar,
  status: calendar.failing_since === null ? "ok" : "failing",
  entry_count: ahead.get(calendar.id) ?? 0,
  unread:
    calendar.unread_reason === null
      ? null
      : {
          count: calendar.unread_count,
          title: calendar.unread_title,
          day: calendar.unread_day,
          reason: calendar.unread_reason,
        },
});

const unknownCalendar = () => notFound("This calendar does not exist.");

async function replyOf(context: Context, artistId: string, id: string): Promise<ExternalCalendarReply> {
  const calendar = await findExternalCalendar(context.db, artistId, id);
  if (!calendar) throw unknownCalendar();
  return toReply(calendar, await countEntriesAhead(context.db, artistId, context.services.clock.now()));
}

async function requireFreeSlot(
  reader: Reader,
  { keys }: Pick<Context["services"], "keys">,
  artistId: string,
  address: string,
): Promise<void> {
  const calendars = await listExternalCalendars(reader, artistId);
  if (calendars.some((one) => storedAddress(keys, one) === address))
    throw invalidField("url", "You have added this address already.");
  if (calendars.length >= externalLimits.calendars)
    throw invalid(`You can add ${externalLimits.calendars} calendars. Remove one first.`);
}

const fetchesPerHour = 60;

const countFetch = ({ services }: Context, userId: string) =>
  services.limits.hit(`calendar fetch ${userId}`, fetchesPerHour, 3_600);

/** Reads an address that an artist adds. Throws too many (429) while four others of the artist are being read: the reader serves all artists. */
async function readAdded({ services }: Context, calendar: Parameters<typeof readAddress>[1]) {
  const key = `calendar added ${calendar.artistId}`;
  const message = "Your other calendars are still being read. Wait until they are done and try again.";
  try {
    await services.limits.hit(key, externalLimits.addedAtOnce, 60, message);
    return await readAddress(services, calendar).catch(throwAtUrl);
  } finally {
    await services.limits.release(key);
  }
}

function throwAtUrl(error: unknown): never {
  throw error instanceof CalendarUnreadable ? invalidField("url", error.message) : error;
}

function addressOf(url: string): URL {
  try {
    return calendarUrl(url);
  } catch (error) {
    throwAtUrl(error);
  }
}

export const externalCalendarsRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const artist = await requireOwnArtist(context.db, requireActor(context).userId);
    const now = context.services.clock.now();
    const [calendars, ahead, conflicts] = await Promise.all([
      listExternalCalendars(context.db, artist.id),
      countEntriesAhead(context.db, artist.id, now),
      listImportConflicts(context.db, artist.id, now),
    ]);
    return { items: calendars.map((calendar) => toReply(calendar, ahead)), conflicts };
  }),
  add: on.add.handler(async ({ input, context }) => {
    const { userId } = requireActor(context);
    const { services } = context;
    const artist = await requireOwnArtist(context.db, userId);
    const address = addressOf(input.url);
    await requireFreeSlot(context.db, services, artist.id, address.href);
    await countFetch(context, userId);
    const calendar = { url: input.url, artistId: artist.id, zone: artist.time_zone, etag: null };
    const read = await readAdded(context, calendar);
    if (read === "unchanged") throw new Error("a calendar that was never read cannot be unchanged");
    const now = services.clock.now();
    const { id } = await context.transaction(async (tx) => {
      await lockQueues(tx, artist.id);
      // The calendars were counted before the fetch, which takes seconds.
      await lockExternalCalendarsOf(tx, artist.id);
      await requireFreeSlot(tx, services, artist.id, address.href);
      const added = await insertExternalCalendar(tx, {
        artist_id: artist.id,
        name: input.name,
        url_sealed: services.keys.encrypt(urlPurpose, address.href),
        url_host: address.host,
        created_at: now,
      });
      await storeEntries(tx, added, { ...read, now });
      await broadcastChange(tx, "bookings", { userIds: [userId] });
      return added;
    });
    return replyOf(context, artist.id, id);
  }),
  refresh: on.refresh.handler(async ({ input, context }) => {
    const { userId } = requireActor(context);
    const artist = await requireOwnArtist(context.db, userId);
    const calendar = await findExternalCalendar(context.db, artist.id, input.id);
    if (!calendar) throw unknownCalendar();
    await countFetch(context, userId);
    await syncCalendar(context.services, calendar);
    return replyOf(context, artist.id, input.id);
  }),
  remove: on.remove.handler(async ({ input, context }) => {
    const { userId } = requireActor(context);
    const artist = await requireOwnArtist(context.db, userId);
    await context.transaction(async (tx) => {
      if (!(await deleteExternalCalendar(tx, artist.id, input.id))) throw unknownCalendar();
      await broadcastChange(tx, "bookings", { userIds: [userId] });
    });
    return { id: input.id };
  }),
});
