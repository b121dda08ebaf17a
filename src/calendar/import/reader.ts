/** Reads calendars in separate threads, two at a time, and one for a commitment: endless rules or huge files stop neither pages nor the process. */

import { runInThread, ThreadLimitExceeded, type ThreadLimits } from "#platform/concurrency/thread.ts";
import { makeTurns } from "#platform/concurrency/turns.ts";
import type { CalendarContents, ReadingOptions } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";

const readingLimits = { ms: 10_000, megabytes: 256 } as const;

const inTurn = makeTurns(2);
// A commitment waits for seconds only, and not behind the calendars of others.
const inCommitmentTurn = makeTurns(1);

const limitMessages = {
  ms: "The calendar takes too long to read.",
  megabytes: "The calendar needs too much memory to read.",
} as const;

export type ReaderResult = CalendarContents | { unreadable: string };

/** Throws CalendarUnreadable with the reason for the artist if the calendar cannot be read within the limits. */
export async function readCalendar(
  text: string,
  options: ReadingOptions,
  { isCommitment = false, ...limits }: Partial<ThreadLimits> & { isCommitment?: boolean } = {},
): Promise<CalendarContents> {
  const module = new URL("./reader-thread.ts", import.meta.url);
  const read = () => runInThread<ReaderResult>(module, { text, options }, { ...readingLimits, ...limits });
  const result = await (isCommitment ? inCommitmentTurn : inTurn)(read).catch((error: unknown) => {
    if (error instanceof ThreadLimitExceeded) return { unreadable: limitMessages[error.limit] };
    throw error;
  });
  if ("unreadable" in result) throw new CalendarUnreadable(result.unreadable);
  return result;
}
