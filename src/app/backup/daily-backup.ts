import { spawn } from "node:child_process";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { errorMessage } from "#platform/errors.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { backupName, removeLeftovers, removeOldest } from "./archive-names.ts";
import { openBackupBucket } from "./backup-bucket.ts";
import { type MadeBackup, recordBackup } from "./backups.store.ts";
import { exitIncomplete } from "./exit-codes.ts";
import { recordMissingFiles } from "./missing-files.store.ts";
import { findMissingFiles } from "./named-files.views.ts";

const daily = "stagedoor-";
export const backupTime = { daily: "02:41" };

export const backupJob: Job<PlatformServices> = {
  name: "back-up",
  when: backupTime,
  whenMoved: "real",
  leavesWork: false,
  run: async (services) => {
    const { database, config, files, realClock, log } = services;
    if (!config.backup.folder && !config.backup.bucket) return;
    const madeAt = realClock.now();
    const made = await makeBackup(services, madeAt).catch((error: unknown) => {
      log.error({ err: error }, "the daily backup could not be made");
      return { file: "", bytes: 0, rows: {}, failure: errorMessage(error), isComplete: false };
    });
    const { file, bytes, rows, failure, isComplete } = made;
    const verifiedAt = failure === null ? realClock.now() : null;
    // The store may be what failed. The list stays as it was then.
    const missing = failure === null ? await findMissingFiles(database.db, files) : undefined;
    await database.transaction(async (tx) => {
      await recordBackup(tx, { file, bytes, madeAt, rows, verifiedAt, failure });
      if (missing) await recordMissingFiles(tx, missing, madeAt);
    });
    if (failure !== null) log.error({ file, failure }, "the daily backup failed; older backups were retained");
    if (missing && !isComplete)
      log.error({ file, missing: missing.slice(0, 20) }, "the daily backup lacks files; older backups were retained");
  },
};

/** `failure`: why the backup cannot be restored. `isComplete`: it has every file that the database names. */
type Verified = Pick<MadeBackup, "failure"> & { isComplete: boolean };
type Made = Pick<MadeBackup, "file" | "bytes" | "rows"> & Verified;

/** Writes the backup to its folder and its bucket, verifies each copy, and removes the oldest if it can be restored and is complete. */
async function makeBackup({ database, config, keys }: PlatformServices, madeAt: Date): Promise<Made> {
  const { folder, bucket, keep, passphrase } = config.backup;
  const work = folder ?? path.join(config.dataDir, "backup-on-its-way");
  await mkdir(work, { recursive: true, mode: 0o700 });
  await removeLeftovers(work, daily, madeAt);
  const { writeBackup } = await import("./backup.ts");
  const name = backupName(daily, madeAt);
  const file = path.join(work, name);
  try {
    const { rows } = await writeBackup({ database, config, now: madeAt }, file, passphrase);
    const { size: bytes } = await stat(file);
    const pruneFolder = () => removeOldest(work, daily, keep);
    if (!bucket) return { file, bytes, rows, ...(await verifyAndPrune(file, pruneFolder)) };
    try {
      const bucketFiles = await openBackupBucket(bucket, keys.installation);
      await bucketFiles.store(name, file);
      const copy = await bucketFiles.fetch(name, work);
      try {
        const verified = await verifyAndPrune(copy, async () => {
          await bucketFiles.removeOldest(daily, keep);
          await pruneFolder();
        });
        return { file: bucketFiles.addressOf(name), bytes, rows, ...verified };
      } finally {
        await rm(copy, { force: true });
      }
    } catch (error) {
      // The folder does not fill up while the bucket cannot be used.
      if (folder) await verifyAndPrune(file, pruneFolder);
      throw error;
    }
  } finally {
    if (!folder) await rm(work, { recursive: true, force: true });
  }
}

async function verifyAndPrune(file: string, prune: () => Promise<void>): Promise<Verified> {
  const verified = await verifyApart(file);
  if (verified.failure === null && verified.isComplete) await prune();
  return verified;
}

/** Restores the backup in another process, because the server must stay responsive. */
async function verifyApart(file: string): Promise<Verified> {
  const main = path.resolve(import.meta.dirname, "../admin/main.ts");
  const child = spawn(process.execPath, [main, "backup", "verify", file], {
    env: { TMPDIR: path.dirname(file) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let message = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (message += part));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  if (code === 0 || code === exitIncomplete) return { failure: null, isComplete: code === 0 };
  const failed = message.split("\n").filter((line) => line.startsWith("FAILED"));
  const reason = (failed.length > 0 ? failed : message.trim().split("\n").slice(-1)).join(" ").slice(0, 1000);
  return { failure: reason || `ended with ${code}`, isComplete: false };
}
