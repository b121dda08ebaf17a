import type { Logger, LogFn } from "pino";
import type { Log } from "../log.ts";
import { minuteMs, secondMs } from "../time/durations.rules.ts";
import { cannotStore, isOutage } from "./errors.ts";
import type { Database } from "./handles.ts";

/** Statements of other connections may still succeed while some fail. */
const quietMs = 2 * secondMs;

type Outage = { since: number; failures: number; failedAt: number; loggedAt: number };

/** Logs an outage of the database once at its start, once each minute and once at its end, instead of each failure that it causes. */
export function makeOutageLog(now: () => number = Date.now) {
  const causes = new WeakSet<Error>();
  let outage: Outage | undefined;
  let isOwnLine = false;
  const isCaused = (error: unknown): boolean => error instanceof Error && (causes.has(error) || isCaused(error.cause));
  const write = (line: () => void) => {
    isOwnLine = true;
    line();
    isOwnLine = false;
  };
  return {
    logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
      const [entry] = args as unknown[];
      const error = typeof entry === "object" && entry !== null && "err" in entry ? entry.err : undefined;
      if (isOwnLine || !isCaused(error)) return method.apply(this, args);
      const at = now();
      outage ??= { since: at, failures: 0, failedAt: at, loggedAt: 0 };
      outage.failures++;
      outage.failedAt = at;
      if (at - outage.loggedAt < minuteMs) return;
      outage.loggedAt = at;
      const { since, failures } = outage;
      if (failures === 1) write(() => this.error({ err: error }, "the database does not answer"));
      else write(() => this.error({ ...lasting(since, at), failures }, "the database still does not answer"));
    },
    watch(database: Pick<Database, "onFailure" | "onStatement">, log: Log): void {
      database.onFailure((error) => {
        // A full disk is no outage: reads continue.
        if (error instanceof Error && isOutage(error) && !cannotStore(error)) causes.add(error);
      });
      database.onStatement(() => {
        const at = now();
        if (!outage || at - outage.failedAt < quietMs) return;
        const { since, failures } = outage;
        outage = undefined;
        write(() => log.warn({ ...lasting(since, at), failures }, "the database answers again"));
      });
    },
  };
}

const lasting = (since: number, at: number) => ({
  since: new Date(since).toISOString(),
  seconds: Math.round((at - since) / secondMs),
});
