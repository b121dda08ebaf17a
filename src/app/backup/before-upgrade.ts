import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#platform/config.ts";
import { type Database, pendingMigrations } from "#platform/db/index.ts";
import type { Log } from "#platform/log.ts";

const beforeUpgrade = "before-upgrade-";
const maxUpgradeBackups = 3;

export async function backUpBeforeUpgrade(
  database: Database,
  { config, now, log }: { config: Config; now: Date; log: Log },
): Promise<void> {
  const { applied, pending } = await pendingMigrations(database);
  if (applied === 0 || pending.length === 0) return;
  const [{ writeBackup }, { backupName, removeOldest }] = await Promise.all([
    import("./backup.ts"),
    import("./archive-names.ts"),
  ]);
  const folder = config.backup.folder ?? path.join(config.dataDir, "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, backupName(beforeUpgrade, now));
  await writeBackup({ database, config, now }, file, config.backup.passphrase);
  log.info({ file, migrations: pending.length }, "wrote a backup before the upgrade");
  await removeOldest(folder, beforeUpgrade, maxUpgradeBackups);
}
