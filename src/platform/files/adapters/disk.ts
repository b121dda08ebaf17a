/** Stores uploaded files in folders below DATA_DIR, through flydrive. A bucket is the first part of a name. */

import { accessSync, constants, mkdirSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import { ConfigError } from "../../config.ts";
import { errorCode } from "../../errors.ts";
import { restrictToOwner } from "../../file-modes.ts";
import { filesOn, undefinedIfMissing } from "./stored-files.ts";

/** The files of this installation. Names are `bucket/folder/file`. flydrive rejects any that would leave the folder. */
export type Files = {
  put(name: string, bytes: Uint8Array): Promise<void>;
  putFile(name: string, file: string): Promise<void>;
  read(name: string): Promise<Buffer | undefined>;
  open(name: string): Promise<{ stream: Readable; bytes: number } | undefined>;
  has(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  list(folder: string): Promise<FoundFile[]>;
  /** Lists all files below a folder ("": all), page by page: at most 1,000 at a time from a bucket, one folder at a time from a disk. */
  pages(folder: string): AsyncIterable<FoundFile[]>;
};

/** `changedAt` is the time of the last change by the clock of the file system. */
export type FoundFile = { name: string; changedAt: Date };

export const filesFolder = (dataDir: string): string => path.join(dataDir, "files");

export function openFiles(dataDir: string): Files {
  const folder = filesFolder(dataDir);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`DATA_DIR: uploaded files cannot be stored in ${folder} (${errorCode(error) || "error"}).`);
  }
  restrictToOwner(folder, 0o700);
  const disk = new Disk(new FSDriver({ location: folder, visibility: "private" }));
  const found = undefinedIfMissing(isMissing);
  async function* pages(within: string): AsyncGenerator<FoundFile[]> {
    const { objects } = await disk.listAll(within);
    const files: FoundFile[] = [];
    const folders: string[] = [];
    for (const object of objects) {
      if (object.isDirectory) folders.push(object.prefix);
      if (!object.isFile) continue;
      const meta = await found(() => disk.getMetaData(object.key));
      if (meta) files.push({ name: object.key, changedAt: meta.lastModified });
    }
    if (files.length > 0) yield files;
    for (const inner of folders) yield* pages(inner);
  }
  return filesOn(disk, found, pages);
}

/** flydrive wraps the file system's error as the cause of its own. */
const isMissing = (error: unknown): boolean =>
  errorCode(error) === "ENOENT" || errorCode(error instanceof Error ? error.cause : undefined) === "ENOENT";
