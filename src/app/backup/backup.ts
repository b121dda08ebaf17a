import { gzipSync } from "node:zlib";
import { type Config, ConfigError } from "#platform/config.ts";
import type { Database, Tx } from "#platform/db/index.ts";
import type { Files } from "#platform/files/adapters/disk.ts";
import { openStorage } from "#platform/files/open-files.ts";
import { readSecretFile } from "#platform/security/secret-file.ts";
import { headName, keyName, writeArchive } from "./archive.ts";
import { describe, readInstallation, readSums } from "./backup.views.ts";
import { inSnapshot, writeScript } from "./dump.views.ts";
import { listNamedFiles, missingAmong, withoutAccepted } from "./named-files.views.ts";
import { encryptRootKey } from "./root-key.ts";

export type BackupSource = Readonly<{
  database: Database;
  config: Pick<Config, "dataDir" | "s3" | "secretsKey">;
  now: Date;
}>;
type Add = (name: string, bytes: Buffer) => Promise<void>;

export const databaseFolder = "database/";
export const filesFolderName = "files/";
const maxMissingNames = 100;
const partBytes = 4 * 1024 * 1024;

/** Writes the archive to a new file, with a passphrase also the encrypted root key. Throws ConfigError if the file cannot be written. */
export const writeBackup = ({ database, config, now }: BackupSource, file: string, passphrase?: string) =>
  writeArchive(file, async (add) => {
    const snapshot = await inSnapshot(database, async (tx) => {
      await add(headName, await describe(tx, config, now));
      return {
        rows: await addDatabase(tx, add),
        sums: await readSums(tx),
        named: await listNamedFiles(tx),
        ...(await readInstallation(tx)),
      };
    });
    const root = config.secretsKey ?? readSecretFile(config.dataDir);
    if (passphrase && root) await add(keyName, encryptRootKey(root, passphrase));
    if (config.s3 && !snapshot.installation)
      throw new ConfigError("The files in the bucket cannot be listed for a database of this early version.");
    const storage = await openStorage(config, snapshot.installation ?? "");
    const files = await (config.s3 ? listFiles(storage, add) : addFiles(storage, add));
    const absent = await missingAmong(database.db, snapshot.named, new Set(files));
    const missing = await withoutAccepted(database.db, absent);
    const { rows, sums } = snapshot;
    return {
      rows,
      sums,
      files: files.length,
      missing: { count: missing.length, example: missing[0] ?? "", names: missing.slice(0, maxMissingNames) },
    };
  });

async function addDatabase(tx: Tx, add: Add): Promise<Record<string, number>> {
  let lines: string[] = [];
  let size = 0;
  let number = 0;
  const flush = async () => {
    if (size === 0) return;
    number += 1;
    await add(`${databaseFolder}${String(number).padStart(6, "0")}.gz`, gzipSync(lines.join("\n"), { level: 5 }));
    [lines, size] = [[], 0];
  };
  const rows = await writeScript(tx, async (script) => {
    if (script.trim() === "") return;
    lines.push(JSON.stringify(script));
    size += script.length;
    if (size >= partBytes) await flush();
  });
  await flush();
  return rows;
}

/** A file that is deleted during the backup is left out. One that is added is included and belongs to no row. */
async function addFiles(storage: Files, add: Add): Promise<string[]> {
  const names: string[] = [];
  for await (const page of storage.pages("")) {
    for (const { name } of page) {
      const bytes = await storage.read(name);
      if (!bytes) continue;
      await add(`${filesFolderName}${name}`, bytes);
      names.push(name);
    }
  }
  return names;
}

async function listFiles(storage: Files, add: Add): Promise<string[]> {
  const names: string[] = [];
  for await (const page of storage.pages("")) names.push(...page.map((file) => file.name));
  await add("files.txt", Buffer.from(names.map((name) => `${name}\n`).join("")));
  return names;
}
