/** The backup that the server makes each night into BACKUP_DIR, and restores for a trial in a process of its own. */
import { spawn } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { backupName, removeOldest } from "./kept.ts";
import { recordBackup } from "./backups.store.ts";

const daily = "stagedoor-";
/** When the daily backup is made, UTC. */
export const backupTime = { daily: "02:41" };

export const backupJob: Job<PlatformServices> = {
  name: "back-up",
  purpose: "Writes the daily backup into BACKUP_DIR, restores it for a trial and removes those beyond BACKUP_KEEP.",
  when: backupTime,
  whenMoved: "real",
  leavesWork: false,
  run: async (services) => {
    const { database, config, realClock, log } = services;
    const { folder, keep, passphrase } = config.backup;
    if (!folder) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { writeBackup } = await import("./backup.ts");
    const madeAt = realClock.now();
    const file = path.join(folder, backupName(daily, madeAt));
    const { rows } = await writeBackup({ database, config, now: madeAt }, file, passphrase);
    const failure = await verifyApart(file);
    const { size } = await stat(file);
    await database.transaction((tx) =>
      recordBackup(tx, {
        file,
        bytes: size,
        madeAt,
        rows,
        verifiedAt: failure === null ? realClock.now() : null,
        failure,
      }),
    );
    if (failure === null) await removeOldest(folder, daily, keep);
    else log.error({ file, failure }, "the daily backup could not be restored; older backups were kept");
  },
};

/** Restores the backup in another process, so that the server goes on answering. Returns what is wrong with it, null when nothing is. */
async function verifyApart(file: string): Promise<string | null> {
  const main = path.resolve(import.meta.dirname, "../admin/main.ts");
  const child = spawn(process.execPath, [main, "backup", "verify", file], {
    env: { TMPDIR: path.dirname(file) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (said += part));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  if (code === 0) return null;
  const failed = said.split("\n").filter((line) => line.startsWith("FAILED"));
  return (
    (failed.length > 0 ? failed : said.trim().split("\n").slice(-1)).join(" ").slice(0, 1000) || `ended with ${code}`
  );
}
