/** Calls a server in a separate thread, because tsdav parses synchronously and a huge response would block every page. */
import { Worker } from "node:worker_threads";
import type { Credentials } from "./dav.ts";
import { type ConnectionField, connectionLimits } from "./rules.ts";
import type { SyncedShow } from "./views.ts";
import type { Progress, WantedShow } from "./write-shows.ts";

export type TurnWork = Readonly<{
  task: "write" | "remove";
  connectionId: string;
  credentials: Credentials;
  allowHosts: readonly string[];
  calendarUrl: string | null;
  wanted: ReadonlyMap<string, WantedShow>;
  known: ReadonlyMap<string, SyncedShow>;
}>;

export type TurnFailure = Readonly<{ field: ConnectionField; message: string }>;
export type TurnOutcome = Readonly<{ progress: Progress; failure: TurnFailure | null }>;
export type TurnResult = TurnOutcome | { failed: string };

const megabytes = 128;

export const noProgress = (calendarUrl: string | null): Progress => ({
  calendarUrl,
  written: new Map(),
  removed: [],
  changed: false,
  complete: true,
});

/** Returns what was done and why it ended early, if it did. Throws an error that is not the server's. */
export async function runTurn(work: TurnWork, ms: number = connectionLimits.threadMs): Promise<TurnOutcome> {
  const worker = new Worker(new URL("./turn-thread.ts", import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
    env: {},
    stdout: true,
    stderr: true,
  });
  const ended = Promise.withResolvers<TurnResult>();
  const give = (message: string) =>
    ended.resolve({ progress: noProgress(work.calendarUrl), failure: { field: "server_url", message } });
  const timer = setTimeout(() => give("The calendar's server responds too slowly."), ms);
  worker.on("message", (result: TurnResult) => ended.resolve(result));
  worker.on("error", (error: Error & { code?: string }) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? give("The response of the calendar's server is too large.")
      : ended.reject(error),
  );
  worker.on("exit", () => ended.reject(new Error("the thread of a calendar connection ended without an answer")));
  try {
    const result = await ended.promise;
    if ("failed" in result) throw new Error(`a calendar connection could not be synced: ${result.failed}`);
    return result;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
