import type { RawBuilder } from "kysely";
import type { PlatformServices } from "./services/index.ts";
import { minuteMs, hourMs } from "./time/durations.rules.ts";

/** A job of one module. Safe to run twice and on several processes: it locks what it changes. */
export type Job<S> = {
  name: string;
  /**
   * `hourly` and `daily` run once for all processes: at this minute of the hour, or at this time of day ("03:41"), UTC. A run that was
   * missed while no process ran is made up for. `everySeconds` runs in every process with this pause. A commit of this process that
   * announces one of the topics of `wokenBy` ends the pause: events when published and when handled, changes (realtime/api.ts), and rows
   * under the name that their store announces. Without topics only time creates work.
   */
  when: { hourly: number } | { daily: string } | { everySeconds: number; wokenBy?: readonly string[] };
  /**
   * What the demo's clock does for this job when it is moved (app/clock/advance.ts). A query of the times (`at`) at which time alone creates
   * work: the clock stops exactly there. "never": time alone creates none. "hourly" (the default) and "daily" stop on those grids, for work
   * without known times. "real": the job follows the real clock and is left alone.
   */
  whenMoved?: RawBuilder<unknown> | "never" | "hourly" | "daily" | "real";
  /** False if the job's writes create no work for other jobs: no further round follows when the clock is moved. */
  leavesWork?: false;
  /** Returns false if this run left no work for other jobs, regardless of its writes: no further round follows. */
  run(services: S): Promise<void | false>;
};

/** Returns the last time, at or before `now`, at which an hourly or daily job was due. */
export function lastDue(when: { hourly: number } | { daily: string }, now: Date): Date {
  const step = "hourly" in when ? hourMs : 24 * hourMs;
  const offset = "hourly" in when ? when.hourly * minuteMs : Date.parse(`1970-01-01T${when.daily}Z`);
  return new Date(Math.floor((now.getTime() - offset) / step) * step + offset);
}

/** Runs each due item. A failure stops no other, is logged by `failed`, and is retried. Wakes the outbox if something was done. */
export async function processEach<T>(
  services: Pick<PlatformServices, "wake">,
  due: readonly T[],
  act: { work(one: T): Promise<unknown>; failed(error: unknown, one: T): unknown },
): Promise<void> {
  let done = 0;
  for (const one of due) {
    try {
      if ((await act.work(one)) !== false) done++;
    } catch (error) {
      await act.failed(error, one);
    }
  }
  if (done > 0) services.wake();
}
