/** What every module may use. The app adds the providers (app/services.ts). */
import type { AuthTiming } from "../security/auth-timing.ts";
import type { Clock } from "../time/clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/index.ts";
import type { Replica } from "../db/replica/replica.ts";
import type { Files } from "../files/adapters/disk.ts";
import type { Keys } from "../security/keys.ts";
import type { Limits } from "../security/limits.ts";
import type { Log } from "../log.ts";

export type PlatformServices = Readonly<{
  config: Config;
  /** The product's time: bookings, contracts, payments, reviews. In demo mode it can be moved ahead of the real one. */
  clock: Clock;
  /** The time that browsers have too: sessions, tokens, codes, rate limits. Nothing moves it. */
  realClock: Clock;
  log: Log;
  database: Database;
  /** For public reads only; null where there is none. */
  replica: Replica | null;
  keys: Keys;
  files: Files;
  limits: Limits;
  authTiming: AuthTiming;
  /** Says that events may have been published, so that the outbox handles them soon. */
  wake(): void;
}>;
