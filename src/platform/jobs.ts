/** Scheduled work. Each module lists its own; the app schedules them. */

/** A job of one module. Safe to run twice and on several processes: it locks what it changes. */
export type Job<S> = {
  /** Unique, in words with hyphens. */
  name: string;
  /** What it is for, in one line, for the operator. */
  purpose: string;
  /** When, as a cron line in UTC; or a pause in seconds for loops that people wait for. */
  when: { cron: string } | { everySeconds: number };
  /**
   * What the demo's clock does for this job when it is moved (app/clock/advance.ts). A function answers the next moment after `after` at
   * which time alone makes work for it, null when there is none: the clock stops exactly there. "hourly" (what is not said) and "daily"
   * stop on those grids, for work whose moments are not known beforehand. "real": the job follows the real clock and is left alone.
   */
  whenMoved?: ((services: S, after: Date) => Promise<Date | null>) | "hourly" | "daily" | "real";
  /**
   * False when what the job writes is no work for any other job, as for one that sends what is queued: when the clock is moved, no further
   * round follows because of it.
   */
  leavesWork?: false;
  run(services: S): Promise<void>;
};
