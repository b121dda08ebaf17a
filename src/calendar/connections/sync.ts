/** Syncs connections independently: a slow or failing one delays no other. Never inside a transaction or a request. */

import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { findArtistOf } from "#artists/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { broadcastChange } from "#realtime/index.ts";
import { calendarText } from "../event-files/calendar-file.rules.ts";
import { eventOf } from "../feeds/feed-file.ts";
import { listFeedShows } from "../feeds/views.ts";
import { failurePause } from "./rules.ts";
import {
  type CalendarConnection,
  claimDueConnections,
  claimLongFailing,
  deleteConnection,
  deleteOverdueRemovals,
  passwordPurpose,
  recordSync,
  recordUnwritten,
  type CalendarSyncResult,
} from "./store.ts";
import { noProgress, runSyncTask, type SyncFailure, type SyncOutcome } from "./sync-task.ts";
import { failingNotice, syncedShows } from "./views.ts";
import type { WantedShow } from "./write-shows.ts";

type Services = PlatformServices;

const atOnce = 8;
/** In ms. How often newly due connections are claimed while others are slow. */
const claimAgainMs = 1_000;

/** Syncs every due connection once, and reports those that have failed for a day. Returns false if that leaves no work to others. */
export async function syncDueConnections(services: Services): Promise<void | false> {
  const { database, clock, log } = services;
  const worked: string[] = [];
  const running = new Map<string, Promise<void>>();
  for (;;) {
    const limit = atOnce - running.size;
    const claim = { limit, except: worked, now: clock.now() };
    const due = limit > 0 ? await database.transaction((tx) => claimDueConnections(tx, claim)) : [];
    for (const connection of due) {
      worked.push(connection.id);
      const sync = workOn(services, connection)
        .catch((error: unknown) => log.error({ err: error, connection: connection.id }, "a calendar was not written"))
        .finally(() => running.delete(connection.id));
      running.set(connection.id, sync);
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), pause(claimAgainMs, undefined, { ref: false })]);
  }
  return reportFailing(services);
}

async function reportFailing({ database, clock, wake }: Services): Promise<void | false> {
  const failing = await database.transaction(async (tx) => {
    const now = clock.now();
    const userIds = await deleteOverdueRemovals(tx, now);
    // An announcement wakes this job too, so none is sent without a change.
    if (userIds.length > 0) await broadcastChange(tx, "bookings", { userIds });
    const reported = await claimLongFailing(tx, now);
    for (const one of reported) await publish(tx, "calendar.connection_failing", await failingNotice(tx, one));
    return reported;
  });
  if (failing.length === 0) return false;
  wake();
}

async function workOn(services: Services, connection: CalendarConnection): Promise<void> {
  const { database, clock } = services;
  const result = await work(services, connection);
  await database.transaction(async (tx) => {
    if (connection.removing_since && !result.failure) await deleteConnection(tx, connection.id);
    else await recordSync(tx, connection, result, clock.now());
    await broadcastChange(tx, "bookings", { userIds: [connection.user_id] });
  });
}

async function work(services: Services, connection: CalendarConnection): Promise<CalendarSyncResult> {
  const { progress, failure } = await callServer(services, connection).catch((error: unknown) => {
    services.log.error(
      { err: error, connection: connection.id },
      "an unexpected error prevented the writing of a calendar",
    );
    return { progress: noProgress(connection.calendar_url), failure: unexpectedFailure };
  });
  return {
    ...progress,
    written: [...progress.written.values()],
    failure: failure && { ...failure, pauseSeconds: pauseAfter(failure, connection) },
  };
}

const unexpectedFailure: SyncFailure = {
  field: "server_url",
  message: "Something went wrong when we wrote to this calendar. If this continues, contact the operator of this site.",
};

async function callServer(services: Services, connection: CalendarConnection): Promise<SyncOutcome> {
  const { config, keys } = services;
  const { server_url: serverUrl, username, password_sealed } = connection;
  const isLeaving = connection.removing_since !== null;
  return runSyncTask({
    task: isLeaving ? "remove" : "write",
    connectionId: connection.id,
    credentials: { serverUrl, username, password: keys.decrypt(passwordPurpose, password_sealed) },
    allowHosts: config.calendarAllowHosts,
    calendarUrl: connection.calendar_url,
    ...(isLeaving ? { wanted: new Map(), known: new Map() } : await showsOf(services, connection)),
  });
}

/** Returns the current and the last written shows. New ones are recorded before they are written. */
async function showsOf({ database, clock, config }: Services, connection: CalendarConnection) {
  const now = clock.now();
  const wanted = await wantedShows(database.db, connection, { publicUrl: config.publicUrl, now });
  const known = await syncedShows(database.db, connection.id, now);
  const unknown = [...wanted.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0) await database.transaction((tx) => recordUnwritten(tx, connection.id, unknown));
  return { wanted, known };
}

const pauseAfter = ({ field }: SyncFailure, { attempts }: CalendarConnection): number =>
  field === "password" ? failurePause.maxSeconds : backoffSeconds(attempts + 1, failurePause);

/** Returns the shows for the calendar, by booking: those of the private feed without the canceled ones. */
async function wantedShows(
  reader: Reader,
  { user_id }: Pick<CalendarConnection, "user_id">,
  at: { publicUrl: string; now: Date },
): Promise<Map<string, WantedShow>> {
  const artist = await findArtistOf(reader, user_id);
  const shows = await listFeedShows(reader, { user_id, kind: "private", artist_id: artist?.id ?? null }, at.now);
  return new Map(
    shows
      .filter(({ status }) => status !== "canceled")
      .map((show) => {
        const text = calendarText([eventOf(show, at.publicUrl)], {});
        return [show.id, { version: show.version, text, digest: createHash("sha256").update(text).digest("hex") }];
      }),
  );
}
