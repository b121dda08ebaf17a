/** Reads calendars in a separate thread: an endless rule or a huge file stops neither pages nor the process. */

import { runInThread, ThreadLimitExceeded, type ThreadLimits } from "#platform/thread.ts";
import type { CalendarContents, ReadingOptions } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";

const readingLimits = { ms: 10_000, megabytes: 256 } as const;

const limitMessages = {
  ms: "The calendar takes too long to read.",
  megabytes: "The calendar needs too much memory to read.",
} as const;

export type ReaderResult = CalendarContents | { unreadable: string };

/** Throws CalendarUnreadable with the reason for the artist if the calendar cannot be read within the limits. */
export async function readCalendar(
  text: string,
  options: ReadingOptions,
  limits: ThreadLimits = readingLimits,
): Promise<CalendarContents> {
  const module = new URL("./reader-thread.ts", import.meta.url);
  const result = await runInThread<ReaderResult>(module, { text, options }, limits).catch((error: unknown) => {
    if (error instanceof ThreadLimitExceeded) return { unreadable: limitMessages[error.limit] };
    throw error;
  });
  if ("unreadable" in result) throw new CalendarUnreadable(result.unreadable);
  return result;
}
