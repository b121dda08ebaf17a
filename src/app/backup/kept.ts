/** The names of the backups that the server makes by itself, and how many of them are kept. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";

/** The name begins with its purpose and the time, UTC, so the oldest come first. */
export const backupName = (start: string, at: Date) =>
  `${start}${at.toISOString().replaceAll(/[:-]/g, "").slice(0, 15)}-${process.pid}.tar`;

/** Removes all but the newest archives of one purpose. */
export async function removeOldest(folder: string, start: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(start) && name.endsWith(".tar")).toSorted();
  for (const name of names.slice(0, -keep)) await rm(path.join(folder, name), { force: true });
}
