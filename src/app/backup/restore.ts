/** Restores a backup to an empty target: into DATA_DIR/restoring, moved into place at the end, or in one transaction of a PostgreSQL server. After any crash the target is empty or complete. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { type Config, ConfigError } from "#platform/config.ts";
import { restoringFolder } from "#platform/db/data-folder/data-folder.ts";
import { lockDataDir } from "#platform/db/data-folder/lock.ts";
import { type Database, migrationsFolder, openDatabase } from "#platform/db/index.ts";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { fingerprintOf } from "#platform/security/keys.ts";
import { readSecretFile, secretFile, writeSecretFile } from "#platform/security/secret-file.ts";
import { checkArchive, type Head, type Manifest, readEntries } from "./archive.ts";
import { databaseFolder, filesFolderName } from "./backup.ts";
import { decryptRootKey } from "./root-key.ts";

export type Target = Readonly<Pick<Config, "dataDir" | "databaseUrl" | "secretsKey">>;
/** `advice`: what the operator must do before the restored installation can start. */
export type Restored = { head: Head; manifest: Manifest; advice: string[] };

/** The passphrase of the backup's root key. `trial`: the key is not needed, because no server starts on the copy. */
type KeyAccess = Readonly<{ passphrase?: string | undefined } | { trial: true }>;

/** Throws ConfigError, and changes nothing, if the archive is unusable, its key stays encrypted or the target is not empty. */
export async function restoreBackup(file: string, target: Target, access: KeyAccess): Promise<Restored> {
  const { head, manifest, encryptedKey } = await checkArchive(file);
  requireKnownMigrations(file, head);
  const root =
    encryptedKey && !("trial" in access) ? openKey(encryptedKey, head, target, access.passphrase) : undefined;
  mkdirSync(target.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(target.dataDir);
  try {
    await requireEmpty(target);
    const work = restoringFolder(target.dataDir);
    mkdirSync(work, { mode: 0o700 });
    const database = await openDatabase(
      target.databaseUrl ? { url: target.databaseUrl, poolSize: 1, prepare: false } : { dataDir: work },
    );
    await restoreEntries(file, { database, work, root }, () => {
      if (target.databaseUrl) moveFiles(target.dataDir);
    });
    if (!target.databaseUrl) moveFiles(target.dataDir);
    const advice = [...keyAdvice(head, target, root), ...bucketAdvice(head)];
    if (!target.databaseUrl) renameSync(path.join(work, "pg"), path.join(target.dataDir, "pg"));
    rmSync(work, { recursive: true, force: true });
    return { head, manifest, advice };
  } finally {
    lock.release();
  }
}

function requireKnownMigrations(file: string, head: Head): void {
  const known = new Set(readdirSync(migrationsFolder));
  const unknown = head.migrations.find((name) => !known.has(name));
  if (unknown)
    throw new ConfigError(
      `${file} was made by a newer version of Stagedoor (${head.version}, with ${unknown}). Restore it with that version or a later one.`,
    );
}

/** Removes the remains of an interrupted restore: while its folder exists, the target has no other data. */
async function requireEmpty({ dataDir, databaseUrl }: Target): Promise<void> {
  if (databaseUrl) await requireEmptyPostgres(databaseUrl);
  else if (existsSync(path.join(dataDir, "pg")))
    throw new ConfigError(
      `There is a database in ${dataDir} already. Restore into an empty folder: set another DATA_DIR.`,
    );
  const interrupted = existsSync(restoringFolder(dataDir));
  const files = filesFolder(dataDir);
  if (interrupted) for (const left of [files, restoringFolder(dataDir)]) rmSync(left, { recursive: true, force: true });
  if (existsSync(files) && readdirSync(files).length > 0)
    throw new ConfigError(`There are files in ${files} already. Restore into an empty folder: set another DATA_DIR.`);
}

async function requireEmptyPostgres(url: string): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' limit 1`.execute(
      database.db,
    );
    if (rows[0])
      throw new ConfigError(
        `The database of DATABASE_URL is not empty (it has the table ${rows[0].name}). Restore into an empty database.`,
      );
  } finally {
    await database.close();
  }
}

/** Undefined if the target has the key already. Throws if its folder has another one, which would stay there instead. */
function openKey(encrypted: Buffer, head: Head, { secretsKey, dataDir }: Target, passphrase: string | undefined) {
  const stored = readSecretFile(dataDir);
  const own = secretsKey ?? stored;
  if (own && fingerprintOf(own) === head.keyFingerprint) return undefined;
  if (passphrase) {
    const key = decryptRootKey(encrypted, passphrase);
    if (!stored || stored.equals(key)) return key;
    throw new ConfigError(
      `${secretFile(dataDir)} is the root key of another installation. Move it to another place and restore again: the backup contains its own root key.`,
    );
  }
  throw new ConfigError(
    "This backup contains the root key, encrypted. Set BACKUP_PASSPHRASE to the passphrase with which the backup was made, or SECRETS_KEY to the root key.",
  );
}

type Work = { database: Database; work: string; root: Buffer | undefined };

/** Writes the files and runs the statements. Calls `beforeCommit` just before the last one. */
async function restoreEntries(file: string, { database, work, root }: Work, beforeCommit: () => void): Promise<void> {
  let commit = "";
  try {
    await database.exec("set idle_in_transaction_session_timeout = 0");
    for await (const { name, bytes } of readEntries(file)) {
      if (name.startsWith(databaseFolder)) {
        for (const line of gunzipSync(bytes).toString("utf8").split("\n")) {
          const script = JSON.parse(line) as string;
          if (script === "commit;\n") commit = script;
          else await database.exec(script);
        }
      } else if (name.startsWith(filesFolderName))
        writeInside(path.join(work, "files"), name.slice(filesFolderName.length), bytes);
    }
    if (root) writeSecretFile(work, root);
    beforeCommit();
    await database.exec(commit);
  } finally {
    await database.close();
  }
}

function writeInside(folder: string, name: string, bytes: Buffer): void {
  const file = path.resolve(folder, name);
  if (!file.startsWith(`${path.resolve(folder)}${path.sep}`))
    throw new ConfigError(`The backup has a file outside its folder: ${name}.`);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, bytes, { mode: 0o600, flush: true });
}

function moveFiles(dataDir: string): void {
  const work = restoringFolder(dataDir);
  const files = path.join(work, "files");
  if (existsSync(files)) {
    rmSync(filesFolder(dataDir), { recursive: true, force: true });
    renameSync(files, filesFolder(dataDir));
  }
  const key = readSecretFile(work);
  if (key && !readSecretFile(dataDir)) writeSecretFile(dataDir, key);
}

function keyAdvice(head: Head, { dataDir, secretsKey }: Target, restored: Buffer | undefined): string[] {
  const root = secretsKey ?? readSecretFile(dataDir) ?? restored;
  if (!head.keyFingerprint || (root && fingerprintOf(root) === head.keyFingerprint)) return [];
  return [
    `The secrets in this database need the key of the installation that made the backup: copy its secrets.key to ${secretFile(dataDir)}, or set SECRETS_KEY, before you start the server.`,
  ];
}

const bucketAdvice = ({ bucket }: Head): string[] =>
  bucket
    ? [
        `The uploaded files are in the S3 bucket ${JSON.stringify(bucket)} and not in the backup: give this installation a copy of it.`,
      ]
    : [];
