import type { Database } from "./db/index.ts";
import { clockChannel, readClockAhead, resetClock } from "./db/platform.store.ts";
import type { Log } from "./log.ts";
import { type Clock, type LeadingClock, leadingClock } from "./time/clock.ts";
import { dayMs } from "./time/durations.rules.ts";

export type DemoClock = {
  readonly clock: LeadingClock;
  /** Runs a job of this process in the background, unless the clock is being moved: then its jobs run with each step. */
  inBackground(work: () => Promise<void>): Promise<void>;
  /** Moves the clock by `work` once no background job is running. No job starts until then. */
  whileMoving<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

type Parts = Readonly<{ database: Database; real: Clock; log: Log }>;

export async function openDemoClock({ database, real, log }: Parts): Promise<DemoClock> {
  const clock = leadingClock(real);
  const readAgain = async () => clock.follow(await readClockAhead(database.db));
  const stopListening = await database.listen(clockChannel, {
    onNotification: (payload) => {
      const aheadMs = Number(payload);
      if (Number.isSafeInteger(aheadMs)) clock.follow(aheadMs);
    },
    onResync: () => {
      readAgain().catch((error: unknown) => log.warn({ err: error }, "the installation's clock could not be read"));
    },
    onError: (error) => log.warn({ err: error }, "moves of the clock cannot be received; listening is retried"),
  });
  await readAgain();
  const running = new Set<Promise<void>>();
  let moving = false;
  return {
    clock,
    inBackground: async (work) => {
      if (moving) return;
      const job = work();
      running.add(job);
      try {
        await job;
      } finally {
        running.delete(job);
      }
    },
    whileMoving: async (work) => {
      moving = true;
      try {
        await Promise.allSettled(running);
        return await work();
      } finally {
        moving = false;
      }
    },
    close: stopListening,
  };
}

/** Resets the clock to the real time, for a database that was moved as a demo before. */
export async function dropDemoClock({ database, log }: Pick<Parts, "database" | "log">): Promise<void> {
  if ((await readClockAhead(database.db)) === 0) return;
  const aheadMs = await database.transaction(resetClock);
  log.warn(
    { days: Math.round(aheadMs / dayMs) },
    "demo mode had moved the clock of this database ahead; the real time is used again, and rows from the demo have future dates",
  );
}
