import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { ConfigError } from "#platform/config.ts";
import { errorCode, errorMessage } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { openBackupBucket } from "./backup-bucket.ts";

/** Checks where the daily backups go. Throws ConfigError for the folder. A bucket only logs its failure, because an outage of it must not stop the site. */
export async function checkBackupLocation({
  config,
  keys,
  log,
}: Pick<PlatformServices, "config" | "keys" | "log">): Promise<void> {
  const { folder, bucket } = config.backup;
  if (config.process === "web") return;
  if (folder) requireWritable(folder);
  if (!bucket) return;
  await openBackupBucket(bucket, keys.installation).catch((error: unknown) =>
    log.error({ reason: errorMessage(error) }, "the bucket of the daily backups cannot be used"),
  );
}

function requireWritable(folder: string): void {
  try {
    // Node repeats a recursive mkdir in /proc without end.
    if (!existsSync(folder)) mkdirSync(folder, { recursive: !existsSync(path.dirname(folder)), mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`BACKUP_DIR: backups cannot be written to ${folder} (${errorCode(error) || "error"}).`);
  }
}
