import { randomUUID } from "node:crypto";
import type { Database } from "#platform/db/index.ts";
import { acquireClockLease, releaseClock, renewClockLease } from "#platform/db/platform.store.ts";
import { conflict } from "#platform/errors.ts";
import type { Log } from "#platform/log.ts";
import { secondMs } from "#platform/time/durations.rules.ts";

/** A killed process blocks the clock at most this long. A living one renews its lease three times in that time. */
export const leaseSeconds = 12;
const renewMs = (leaseSeconds * secondMs) / 4;

export const movingMessage = `The clock is already being moved. Wait until it has finished. If its process was stopped, try again in ${leaseSeconds} seconds.`;

/** Runs `move` while it holds the lease to move the clock, as `owner`. Throws a conflict (409) if another move holds it. */
export async function withClockLease<T>(
  { database, log }: { database: Database; log: Log },
  move: (owner: string) => Promise<T>,
): Promise<T> {
  const owner = randomUUID();
  if (!(await database.transaction((tx) => acquireClockLease(tx, owner, leaseSeconds)))) throw conflict(movingMessage);
  const renewing = setInterval(() => {
    database
      .transaction((tx) => renewClockLease(tx, owner, leaseSeconds))
      .catch((error: unknown) => log.warn({ err: error }, "the lease of the demo clock could not be renewed"));
  }, renewMs);
  try {
    return await move(owner);
  } finally {
    clearInterval(renewing);
    await database.transaction((tx) => releaseClock(tx, owner));
  }
}
