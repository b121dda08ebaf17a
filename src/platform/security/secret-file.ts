import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { ConfigError } from "../config.ts";
import { errorCode } from "../errors.ts";
import { restrictToOwner } from "../file-modes.ts";

const keyBytes = 32;

export const secretFile = (dataDir: string): string => path.join(dataDir, "secrets.key");

/** Reads the key of a data folder, or returns undefined. Throws for any other content. */
export function readSecretFile(dataDir: string): Buffer | undefined {
  const file = secretFile(dataDir);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw new ConfigError(`DATA_DIR: ${file} cannot be read (${errorCode(error) || "error"}).`);
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === keyBytes) {
    restrictToOwner(file, 0o600);
    return key;
  }
  throw new ConfigError(`DATA_DIR: ${file} does not contain ${keyBytes} bytes in base64. Restore it from your backup.`);
}

/** Writes the key atomically and durably before anything uses it. Returns the key of a faster process, if any. */
export function writeSecretFile(dataDir: string, key: Buffer): Buffer {
  const file = secretFile(dataDir);
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeThrough(draft, `${key.toString("base64")}\n`);
    linkOrCreate(draft, file, `${key.toString("base64")}\n`);
    syncFolder(dataDir);
    return key;
  } catch (error) {
    const faster = errorCode(error) === "EEXIST" ? readSecretFile(dataDir) : undefined;
    if (faster) return faster;
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `DATA_DIR: the key of this installation cannot be written to ${file} (${errorCode(error) || "error"}). Make the folder writable, or set SECRETS_KEY.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

function linkOrCreate(draft: string, file: string, text: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) === "EEXIST" || errorCode(error) === "ENOENT") throw error;
    writeThrough(file, text);
  }
}

function writeThrough(file: string, text: string): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes the folder's entry durable, because the database deletes its copy right after. Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
