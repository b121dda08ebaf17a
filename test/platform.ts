/** The platform services without the server, for modules whose tests need only a database, keys and a clock. */

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { readConfig } from "#platform/config.ts";
import { openFiles } from "#platform/files/adapters/disk.ts";
import { makeLog } from "#platform/log.ts";
import { keysFrom } from "#platform/security/keys.ts";
import { makeLimits } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { type MovableClock, movableClock } from "#platform/time/clock.ts";
import { temporaryFolder } from "../scripts/temporary-folder.mjs";
import { freshDatabase } from "./database.ts";
import { quickAuthTiming } from "./quick-auth-timing.ts";

/** Opens the platform services on a fresh database. `env` is the environment of the process. */
export async function testPlatform(env: Record<string, string> = {}) {
  const place = await freshDatabase();
  const clock: MovableClock = movableClock();
  const dataDir = mkdtempSync(path.join(temporaryFolder, "stagedoor-test-"));
  const keys = keysFrom(randomBytes(32));
  const services: PlatformServices = {
    config: readConfig({ DEMO: "1", RATE_LIMITS: "off", SEED: "none", DATA_DIR: dataDir, ...env }),
    clock,
    realClock: clock,
    log: makeLog("silent"),
    database: place.database,
    replica: null,
    keys,
    files: openFiles(dataDir),
    limits: makeLimits({ database: place.database, keys, clock, on: false }),
    authTiming: quickAuthTiming,
    wake: () => undefined,
  };
  const dispose = async () => {
    await place.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { services, clock, database: place.database, close: dispose, [Symbol.asyncDispose]: dispose };
}
