import type { Config } from "../config.ts";
import type { Database } from "../db/index.ts";
import type { Replica } from "../db/replica.ts";
import type { Files } from "../files/adapters/disk.ts";
import type { Log } from "../log.ts";
import type { AuthTiming } from "../security/auth-timing.ts";
import type { Keys } from "../security/keys.ts";
import type { Limits } from "../security/limits.ts";
import type { Clock } from "../time/clock.ts";

export type PlatformServices = Readonly<{
  config: Config;
  /** The product's time: bookings, contracts, payments, reviews. In demo mode it can be ahead of the real time. */
  clock: Clock;
  /** The time that browsers have too: sessions, tokens, codes, rate limits. It is never moved. */
  realClock: Clock;
  log: Log;
  database: Database;
  replica: Replica | null;
  keys: Keys;
  files: Files;
  limits: Limits;
  authTiming: AuthTiming;
  wake(): void;
}>;
