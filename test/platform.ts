/** The floor alone, without the server: for rooms whose tests need a database, keys and a clock, and nothing else. */
import { randomBytes } from "node:crypto";
import { type MovableClock, movableClock } from "#platform/clock.ts";
import { readConfig } from "#platform/config.ts";
import { keysFrom } from "#platform/keys.ts";
import { makeLimits } from "#platform/limits.ts";
import { makeLog } from "#platform/log.ts";
import type { PlatformServices } from "#platform/services.ts";
import { freshDatabase } from "./database.ts";

/** Opens a floor on a fresh database; `env` is what the process would have been told. */
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
    wake: () => undefined,
  };
  return { services, clock, database: place.database, [Symbol.asyncDispose]: () => place.drop() };
}
