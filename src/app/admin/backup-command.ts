import { existsSync } from "node:fs";
import path from "node:path";
import { type Config, ConfigError } from "#platform/config.ts";
import { findLockOwner } from "#platform/db/data-folder/lock.ts";
import { openDatabase } from "#platform/db/index.ts";
import { systemClock } from "#platform/time/clock.ts";
import { restoreBackup } from "../backup/restore.ts";
import {
  backUp,
  describeContent,
  describeMissing,
  lostFilesAdvice,
  namesOf,
  type Outcome,
  type Print,
} from "./backup-report.ts";
import { checkBackup } from "./check-backup.ts";
import { callRunningServer } from "./socket.ts";

/** Writes a backup to a new file and prints its contents. With an embedded database the running server does the work, because one process can open it. */
export async function backupCommand(config: Config, file: string, say: Print): Promise<Outcome> {
  const target = path.resolve(file);
  if (existsSync(target)) throw new ConfigError(`The file ${target} exists already. Choose another name.`);
  if (!config.databaseUrl && findLockOwner(config.dataDir))
    return callRunningServer(
      config.dataDir,
      ["backup", target, ...(config.backup.passphrase ? [config.backup.passphrase] : [])],
      say,
    );
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, poolSize: 1 });
  try {
    const source = { database, config, now: systemClock.now() };
    return await backUp(source, target, { passphrase: config.backup.passphrase, say });
  } finally {
    await database.close();
  }
}

/** Restores to a scratch folder. Returns true if all checks pass, and "incomplete" if only files are missing. */
export async function verifyCommand(file: string, say: Print): Promise<Outcome> {
  const { head, manifest, findings } = await checkBackup(path.resolve(file));
  await say(
    `Made at ${head.createdAt} by version ${head.version}: ${describeContent(manifest, head.bucket ?? undefined)}.\n`,
  );
  for (const { check, wrong } of findings) await say(wrong ? `FAILED  ${check}: ${wrong}\n` : `ok      ${check}\n`);
  if (findings.some(({ wrong }) => wrong)) return false;
  const missing = describeMissing(manifest);
  if (!missing) return true;
  await say(`${[`INCOMPLETE  ${missing}`, ...namesOf(manifest), lostFilesAdvice].join("\n")}\n`);
  return "incomplete";
}

export async function restoreCommand(config: Config, file: string, say: Print): Promise<boolean> {
  const { head, manifest, advice } = await restoreBackup(path.resolve(file), config, config.backup);
  await say(`Restored ${describeContent(manifest, head.bucket ?? undefined)}, as of ${head.createdAt}.\n`);
  for (const line of advice) await say(`${line}\n`);
  return true;
}
