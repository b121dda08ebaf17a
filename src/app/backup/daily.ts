/** The backups that the server makes by itself: one a day into BACKUP_DIR, restored in a process of its own, and one before an upgrade. */
import { spawn } from "node:child_process";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#platform/config.ts";
import { type Database, pendingMigrations } from "#platform/db/index.ts";
import type { Job } from "#platform/jobs.ts";
import type { Log } from "#platform/log.ts";
import type { Services } from "../services.ts";
import { recordBackup } from "./backups.store.ts";

const daily = "stagedoor-";
const beforeUpgrade = "before-upgrade-";
/** As many as an operator needs who notices late that an upgrade was wrong. */
const keptBeforeUpgrades = 3;

export const backupJob: Job<Services> = {
  name: "back-up",
  purpose: "Writes the daily backup into BACKUP_DIR, restores it for a trial and removes those beyond BACKUP_KEEP.",
  when: { daily: "02:41" },
  whenMoved: "real",
  leavesWork: false,
  run: async (services) => {
    const { database, config, realClock, log } = services;
    const { folder, keep, passphrase } = config.backup;
    if (!folder) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { writeBackup } = await import("./backup.ts");
    const madeAt = realClock.now();
    const file = path.join(folder, nameOf(daily, madeAt));
    await writeBackup({ database, config, now: madeAt }, file, passphrase);
    const failure = await verifyApart(file);
    const { size } = await stat(file);
    await database.transaction((tx) =>
      recordBackup(tx, { file, bytes: size, madeAt, verifiedAt: failure === null ? realClock.now() : null, failure }),
    );
    if (failure === null) await removeOldest(folder, daily, keep);
    else log.error({ file, failure }, "the daily backup could not be restored; older backups were kept");
  },
};

/** Writes a backup when the database is about to be migrated by a later version; a new database has nothing to lose. */
export async function backUpBeforeUpgrade(
  database: Database,
  { config, now, log }: { config: Config; now: Date; log: Log },
): Promise<void> {
  const { applied, pending } = await pendingMigrations(database);
  if (applied === 0 || pending.length === 0) return;
  const folder = config.backup.folder ?? path.join(config.dataDir, "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, nameOf(beforeUpgrade, now));
  // Loaded only when it is needed: most starts upgrade nothing.
  const { writeBackup } = await import("./backup.ts");
  await writeBackup({ database, config, now }, file, config.backup.passphrase);
  log.info({ file, migrations: pending.length }, "wrote a backup before the upgrade");
  await removeOldest(folder, beforeUpgrade, keptBeforeUpgrades);
}

const nameOf = (start: string, at: Date) =>
  `${start}${at.toISOString().replaceAll(/[:-]/g, "").slice(0, 15)}-${process.pid}.tar`;

/** The names begin with their time: the oldest come first. */
async function removeOldest(folder: string, start: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(start) && name.endsWith(".tar")).toSorted();
  for (const name of names.slice(0, -keep)) await rm(path.join(folder, name), { force: true });
}

/** Restores the backup in another process, so that the server goes on answering. Returns what is wrong with it, null when nothing is. */
async function verifyApart(file: string): Promise<string | null> {
  const main = path.resolve(import.meta.dirname, "../admin/main.ts");
  const child = spawn(process.execPath, [main, "backup", "verify", file], {
    env: { PATH: process.env["PATH"], TMPDIR: path.dirname(file) },
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
