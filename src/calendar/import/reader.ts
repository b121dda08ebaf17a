/** Reads calendars in a separate thread: an endless rule or a huge file stops neither pages nor the process. */
import { Worker } from "node:worker_threads";
import type { BusyInterval, ReadingOptions } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";

const readingLimits = { ms: 10_000, megabytes: 256 } as const;

export type ReaderResult = { intervals: BusyInterval[] } | { unreadable: string } | { failed: string };

/** Returns the busy times of a calendar. Throws CalendarUnreadable with the reason for the artist if it cannot be read within the limits. */
export async function readCalendar(
  text: string,
  options: ReadingOptions,
  limits: { ms: number; megabytes: number } = readingLimits,
): Promise<BusyInterval[]> {
  const worker = new Worker(new URL("./reader-thread.ts", import.meta.url), {
    workerData: { text, options },
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32 },
    env: {},
    stdout: true,
    stderr: true,
  });
  const ended = Promise.withResolvers<ReaderResult>();
  const timer = setTimeout(() => ended.resolve({ unreadable: "The calendar takes too long to read." }), limits.ms);
  worker.on("message", (result: ReaderResult) => ended.resolve(result));
  worker.on("error", (error: Error & { code?: string }) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? ended.resolve({ unreadable: "The calendar needs too much memory to read." })
      : ended.reject(error),
  );
  worker.on("exit", () => ended.reject(new Error("the thread that reads a calendar ended without an answer")));
  try {
    const result = await ended.promise;
    if ("intervals" in result) return result.intervals;
    if ("unreadable" in result) throw new CalendarUnreadable(result.unreadable);
    throw new Error(`a calendar could not be read: ${result.failed}`);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
