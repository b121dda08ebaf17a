import path from "node:path";
import type { Config } from "#platform/config.ts";
import type { Log } from "#platform/log.ts";
import { warnOfMissingProxySetting } from "./requests/proxy-notice.ts";

/** Warns at the start about settings that are allowed but probably not intended. */
export function warnOfSettings(config: Config, log: Log): void {
  warnOfMissingProxySetting(config, log);
  if (!config.demo && !config.databaseUrl)
    log.warn(
      { folder: path.join(config.dataDir, "pg") },
      "DATABASE_URL is not set: all data is in the embedded database in DATA_DIR, which is for trials and small sites",
    );
  for (const message of config.misspelled) log.warn(message);
}
