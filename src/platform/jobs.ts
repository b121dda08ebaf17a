/** Scheduled work. Each module lists its own; the app schedules them. */

/** A job of one module. Safe to run twice and on several processes: it locks what it changes. */
export type Job<S> = {
  /** Unique, in words with hyphens. */
  name: string;
  /** What it is for, in one line, for the operator. */
  purpose: string;
  /** When, as a cron line in UTC; or a pause in seconds for loops that people wait for. */
  when: { cron: string } | { everySeconds: number };
  run(services: S): Promise<void>;
};
