import { readdir, rm } from "node:fs/promises";
import path from "node:path";

/** Names begin with their purpose and the time in UTC: the oldest come first. */
export const backupName = (start: string, at: Date) =>
  `${start}${at.toISOString().replaceAll(/[:-]/g, "").slice(0, 15)}-${process.pid}.tar`;

export const expiredArchives = (names: readonly string[], start: string, keep: number): string[] =>
  names
    .filter((name) => name.startsWith(start) && name.endsWith(".tar"))
    .toSorted()
    .slice(0, -keep);

export async function removeOldest(folder: string, start: string, keep: number): Promise<void> {
  for (const name of expiredArchives(await readdir(folder), start, keep))
    await rm(path.join(folder, name), { force: true });
}
