/** `npm run backup -- FILE`, `npm run backup -- verify FILE` and `npm run restore -- FILE`. */
import path from "node:path";
import { type Config, ConfigError } from "#platform/config.ts";
import { findLockOwner } from "#platform/db/lock.ts";
import { openDatabase } from "#platform/db/index.ts";
import { systemClock } from "#platform/time/clock.ts";
import { callRunningServer } from "../admin/socket.ts";
import type { Manifest } from "./archive.ts";
import { type BackupSource, writeBackup } from "./backup.ts";
import { checkBackup } from "./check-backup.ts";
import { restoreBackup } from "./restore.ts";

type Say = (part: string) => Promise<void>;

/** Writes a backup and says what is in it. A running server with an embedded database does the work: only one process can open that. */
export async function backupCommand(config: Config, file: string, say: Say): Promise<boolean> {
  const target = path.resolve(file);
  if (!config.databaseUrl && findLockOwner(config.dataDir))
    return callRunningServer(
      config.dataDir,
      ["backup", target, ...(config.backup.passphrase ? [config.backup.passphrase] : [])],
      say,
    );
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, poolSize: 1 });
  try {
    await backUp({ database, config, now: systemClock.now() }, target, { passphrase: config.backup.passphrase, say });
    return true;
  } finally {
    await database.close();
  }
}

/** Writes the backup and says in one paragraph what is in it and what is not. */
export async function backUp(
  source: BackupSource,
  file: string,
  { passphrase, say }: { passphrase: string | undefined; say: Say },
): Promise<void> {
  const manifest = await writeBackup(source, file, passphrase);
  const bucket = source.config.s3?.bucket;
  await say(
    [
      `The backup is in ${file}: ${contentOf(manifest, bucket)}.`,
      passphrase
        ? "The root key is in it, sealed with BACKUP_PASSPHRASE."
        : "The root key is not in it: keep a copy of secrets.key (or of SECRETS_KEY) somewhere else, or set BACKUP_PASSPHRASE.",
      `Check that it can be restored: npm run backup -- verify ${file}\n`,
    ].join("\n"),
  );
}

/** Restores the backup into a scratch folder and prints each check. Returns whether all of them hold. */
export async function verifyCommand(file: string, say: Say): Promise<boolean> {
  const { head, manifest, findings } = await checkBackup(path.resolve(file));
  await say(
    `Made at ${head.createdAt} by version ${head.version}: ${contentOf(manifest, head.bucket ?? undefined)}.\n`,
  );
  for (const { check, wrong } of findings) await say(wrong ? `FAILED  ${check}: ${wrong}\n` : `ok      ${check}\n`);
  return findings.every((finding) => !finding.wrong);
}

/** Restores the backup into the target of the configuration and says what is left to do. */
export async function restoreCommand(config: Config, file: string, say: Say): Promise<boolean> {
  const { head, manifest, advice } = await restoreBackup(path.resolve(file), config, config.backup.passphrase);
  await say(`Restored ${contentOf(manifest, head.bucket ?? undefined)}, as of ${head.createdAt}.\n`);
  for (const line of advice) await say(`${line}\n`);
  return true;
}

/** Throws ConfigError when no file is named. */
export function requireFile(file: string | undefined, usage: string): string {
  if (file) return file;
  throw new ConfigError(`Say which file: ${usage}`);
}

function contentOf({ rows, files }: Manifest, bucket: string | undefined): string {
  const tables = Object.keys(rows).length;
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const kept = bucket ? `the list of ${files} files in the bucket ${bucket}` : `${files} files`;
  return `${total} rows of ${tables} tables and ${kept}`;
}
