/** Calls a server in a separate thread, because tsdav parses synchronously and a huge response would block every page. */

import { runInThread, ThreadLimitExceeded } from "#platform/concurrency/thread.ts";
import type { Credentials } from "./dav.ts";
import { type ConnectionField, connectionLimits } from "./rules.ts";
import type { SyncedShow } from "./views.ts";
import type { Progress, WantedShow } from "./write-shows.ts";

export type SyncTask = Readonly<{
  task: "write" | "remove";
  connectionId: string;
  credentials: Credentials;
  allowHosts: readonly string[];
  calendarUrl: string | null;
  wanted: ReadonlyMap<string, WantedShow>;
  known: ReadonlyMap<string, SyncedShow>;
}>;

export type SyncFailure = Readonly<{ field: ConnectionField; message: string }>;
export type SyncOutcome = Readonly<{ progress: Progress; failure: SyncFailure | null }>;

const megabytes = 128;

const limitMessages = {
  ms: "The calendar's server responds too slowly.",
  megabytes: "The response of the calendar's server is too large.",
} as const;

export const noProgress = (calendarUrl: string | null): Progress => ({
  calendarUrl,
  written: new Map(),
  removed: [],
  changed: false,
  complete: true,
});

/** Returns what was done, and why it ended early. Throws an error that is not the server's. */
export const runSyncTask = (work: SyncTask, ms: number = connectionLimits.threadMs): Promise<SyncOutcome> =>
  runInThread<SyncOutcome>(new URL("./sync-thread.ts", import.meta.url), work, { ms, megabytes }).catch(
    (error: unknown) => {
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      const message = limitMessages[error.limit];
      return { progress: noProgress(work.calendarUrl), failure: { field: "server_url", message } };
    },
  );
