/** Works on connections, each by itself: one that is slow or fails delays no other. Never inside a transaction or a request. */
import { setTimeout as pause } from "node:timers/promises";
import { publish } from "#platform/event-outbox.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { broadcastChange } from "#realtime/index.ts";
import { openDav } from "./dav.ts";
import { ConnectionFailure } from "./failure.ts";
import { failurePause } from "./rules.ts";
import {
  type CalendarConnection,
  claimDueConnections,
  claimLongFailing,
  deleteConnection,
  deleteOverdueRemovals,
  passwordPurpose,
  recordTurn,
  recordUnwritten,
  type TurnResult,
} from "./store.ts";
import { failingNotice, writtenShows } from "./views.ts";
import { type Progress, wantedShows, writeShows } from "./write-shows.ts";

type Services = PlatformServices;

/** Connections that are worked on side by side. */
const atOnce = 16;
/** While some are slow, others that become due are found this often. */
const claimAgainMs = 1_000;

/** Works on every connection that is due, once, and reports those that have failed for a day. Returns false if that leaves no work to others. */
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
      const turn = workOn(services, connection)
        .catch((error: unknown) => log.error({ err: error, connection: connection.id }, "a calendar was not written"))
        .finally(() => running.delete(connection.id));
      running.set(connection.id, turn);
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), pause(claimAgainMs, undefined, { ref: false })]);
  }
  return reportFailing(services);
}

async function reportFailing({ database, clock, wake }: Services): Promise<void | false> {
  const failing = await database.transaction(async (tx) => {
    const now = clock.now();
    await broadcastChange(tx, "bookings", { userIds: await deleteOverdueRemovals(tx, now) });
    const reported = await claimLongFailing(tx, now);
    for (const one of reported) await publish(tx, "calendar.connection_failing", await failingNotice(tx, one));
    return reported;
  });
  if (failing.length === 0) return false;
  wake();
}

async function workOn(services: Services, connection: CalendarConnection): Promise<void> {
  const { database, clock } = services;
  const result = await (connection.removing_since ? removeCalendar : write)(services, connection);
  await database.transaction(async (tx) => {
    if (connection.removing_since && !result.failure) await deleteConnection(tx, connection.id);
    else await recordTurn(tx, connection, result, clock.now());
    await broadcastChange(tx, "bookings", { userIds: [connection.user_id] });
  });
}

function serverOf({ keys, config }: Services, connection: CalendarConnection) {
  const { server_url: serverUrl, username, password_sealed } = connection;
  const password = keys.decrypt(passwordPurpose, password_sealed);
  return openDav({ serverUrl, username, password }, { allowHosts: config.calendarAllowHosts });
}

async function write(services: Services, connection: CalendarConnection): Promise<TurnResult> {
  const { database, clock, config } = services;
  const wanted = await wantedShows(database.db, connection, { publicUrl: config.publicUrl, now: clock.now() });
  const known = await writtenShows(database.db, connection.id);
  const unknown = [...wanted.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0) await database.transaction((tx) => recordUnwritten(tx, connection.id, unknown));
  const progress: Progress = {
    calendarUrl: connection.calendar_url,
    written: new Map(),
    removed: [],
    changed: false,
    complete: true,
  };
  const failure = await outcomeOf(connection, () =>
    writeShows(serverOf(services, connection), connection.id, { wanted, known }, progress),
  );
  return { ...progress, written: [...progress.written.values()], failure };
}

async function removeCalendar(services: Services, connection: CalendarConnection): Promise<TurnResult> {
  const { calendar_url: calendarUrl } = connection;
  const failure = await outcomeOf(connection, async () => {
    if (calendarUrl !== null) await serverOf(services, connection).removeCalendar(calendarUrl);
  });
  return { calendarUrl, written: [], removed: [], changed: false, complete: true, failure };
}

/** Returns why the work failed and how long to wait, or null. What is no fault of the server is thrown. */
async function outcomeOf(connection: CalendarConnection, work: () => Promise<void>): Promise<TurnResult["failure"]> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const { message, field } = error;
    const pauseSeconds =
      field === "password" ? failurePause.maxSeconds : backoffSeconds(connection.attempts + 1, failurePause);
    return { message, field, pauseSeconds };
  }
}
