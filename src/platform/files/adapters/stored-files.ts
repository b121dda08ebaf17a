import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Disk } from "flydrive";
import type { Files, FoundFile } from "./disk.ts";

export const undefinedIfMissing =
  (isMissing: (error: unknown) => boolean) =>
  async <T>(look: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await look();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

/** Makes the storage of a disk. `pages` is the storage's own, because flydrive's is slow. */
export function filesOn(disk: Disk, found: ReturnType<typeof undefinedIfMissing>, pages: Files["pages"]): Files {
  return {
    put: (name, bytes) => disk.put(name, bytes),
    putFile: async (name, file) => {
      const { size: contentLength } = await stat(file);
      await disk.putStream(name, createReadStream(file), { contentLength });
    },
    read: (name) => found(async () => buffer(await disk.getStream(name))),
    open: (name) =>
      found(async () => {
        const { contentLength: bytes } = await disk.getMetaData(name);
        return { stream: await disk.getStream(name), bytes };
      }),
    has: (name) => disk.exists(name),
    remove: (name) => disk.delete(name),
    pages,
    list: async (folder) => {
      const files: FoundFile[] = [];
      for await (const page of pages(folder)) files.push(...page);
      return files;
    },
  };
}
