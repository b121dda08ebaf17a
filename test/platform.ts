/** The platform services without the server: for modules whose tests need a database, keys and a clock, and nothing else. */
import { randomBytes } from "node:crypto";
import { type MovableClock, movableClock } from "#platform/clock.ts";
import { readConfig } from "#platform/config.ts";
import { keysFrom } from "#platform/keys.ts";
import { makeLimits } from "#platform/limits.ts";
import { makeLog } from "#platform/log.ts";
import { quickAuthTiming } from "./quick-auth-timing.ts";
import type { PlatformServices } from "#platform/services.ts";
import { freshDatabase } from "./database.ts";

/** Opens the platform services on a fresh database; `env` is the environment of the process. */
export async function testPlatform(env: Record<string, string> = {}) {
  const place = await freshDatabase();
  const clock: MovableClock = movableClock();
  const keys = keysFrom(randomBytes(32));
  const services: PlatformServices = {
    config: readConfig({ DEMO: "1", RATE_LIMITS: "off", SEED: "none", ...env }),
    clock,
    log: makeLog("silent"),
    database: place.database,
    keys,
    limits: makeLimits({ database: place.database, keys, clock, on: false }),
    authTiming: quickAuthTiming,
    wake: () => undefined,
  };
  return { services, clock, database: place.database, [Symbol.asyncDispose]: () => place.drop() };
}
