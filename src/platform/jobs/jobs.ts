import type { RawBuilder } from "kysely";
import type { PlatformServices } from "../services/index.ts";
import { minuteMs, hourMs } from "../time/durations.rules.ts";

/** A job of one module. Safe to run twice and on several processes: it locks what it changes. */
export type Job<S> = {
  name: string;
  /** `hourly` and `daily` run once for all processes, at this minute or this time of day ("03:41"), UTC. A missed run is made up for. `everySeconds` runs in every process, with a pause that ends when this process commits a topic of `wokenBy`. */
  when: { hourly: number } | { daily: string } | { everySeconds: number; wokenBy?: readonly string[] };
  /** What a move of the demo's clock does for this job. A query of times (`at`): the clock stops exactly there. "never": time alone creates no work. "hourly" (the default) and "daily": it stops on those grids. "real": the job follows the real clock. */
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
  handlers: { work(one: T): Promise<unknown>; failed(error: unknown, one: T): unknown },
): Promise<void> {
  let done = 0;
  for (const one of due) {
    try {
      if ((await handlers.work(one)) !== false) done++;
    } catch (error) {
      await handlers.failed(error, one);
    }
  }
  if (done > 0) services.wake();
}
