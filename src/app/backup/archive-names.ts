import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { hourMs } from "#platform/time/durations.rules.ts";

/** Names begin with their purpose and the time in UTC: the oldest come first. */
export const backupName = (start: string, at: Date) =>
  `${start}${at.toISOString().replaceAll(/[:-]/g, "").slice(0, 15)}-${process.pid}.tar`;

export const fetchedPrefix = "fetched-";

export const expiredArchives = (names: readonly string[], start: string, keep: number): string[] =>
  names
    .filter((name) => name.startsWith(start) && name.endsWith(".tar"))
    .toSorted()
    .slice(0, -keep);

export async function removeOldest(folder: string, start: string, keep: number): Promise<void> {
  for (const name of expiredArchives(await readdir(folder), start, keep))
    await rm(path.join(folder, name), { force: true });
}

export const trialPrefix = "stagedoor-restore-";
/** The names that mkdtemp makes of the prefix. The operator's own folders may begin with it. */
const trialName = new RegExp(`^${trialPrefix}[A-Za-z0-9]{6}$`);

/** A younger one may belong to a backup that is still being written. */
const leftoverMs = 12 * hourMs;

/** Removes what an aborted backup has left in its folder: its draft, its copy from the bucket, and its trial restore. */
export async function removeLeftovers(folder: string, start: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const isPart =
      (name.startsWith(start) && name.endsWith(".tar.part")) ||
      name.startsWith(`${fetchedPrefix}${start}`) ||
      trialName.test(name);
    if (!isPart) continue;
    const place = path.join(folder, name);
    const found = statSync(place, { throwIfNoEntry: false });
    if (found && now.getTime() - found.mtimeMs > leftoverMs) await rm(place, { recursive: true, force: true });
  }
}
