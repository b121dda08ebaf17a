/** What every room may lean on. The app adds the providers (app/services.ts). */
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/index.ts";
import type { Keys } from "./keys.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./log.ts";

export type PlatformServices = Readonly<{
  config: Config;
  clock: Clock;
  log: Log;
  database: Database;
  keys: Keys;
  limits: Limits;
  /** Says that events may have been published; the outbox answers them soon. */
  wake(): void;
}>;
