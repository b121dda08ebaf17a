import { randomInt } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { encodeAvif, type Picture } from "#platform/files/pictures.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { systemClock } from "#platform/time/clock.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { lockAccount } from "#users/index.ts";
export type { FilesReleased } from "./store.ts";
import {
  addressOfFile,
  allFilesOf,
  fileName,
  filesOf,
  mediaBucket,
  type UploadKind,
  uploadOfFile,
} from "../media.rules.ts";
import { type FilesReleased, insertFile, markAvif, releaseForgottenFiles, claimFileWithoutAvif } from "./store.ts";
import { findKnownFiles } from "./views.ts";

type Storage = Pick<PlatformServices, "files">;
type Services = Pick<PlatformServices, "files" | "database" | "clock" | "log">;

const stored = (name: string): string => `${mediaBucket}/${name}`;

export async function storePicture(services: Services, upload: { userId: string; kind: UploadKind; picture: Picture }) {
  const { userId, kind, picture } = upload;
  const now = services.clock.now();
  const name = fileName(userId, kind, uniqueStamp(now));
  const { main, small } = filesOf(name);
  await storeFiles(services, name, { [small]: picture.small, [main]: picture.webp }, async (tx) => {
    await lockAccount(tx, userId);
    await insertFile(tx, { ...upload, name, now });
  });
  const { width, height, thumbhash } = picture;
  return { url: addressOfFile(name), kind, image: { width, height, thumbhash, avif: false } };
}

/** Returns the time in milliseconds with six random digits: two uploads in one millisecond get different names. */
export const uniqueStamp = (now: Date): string => `${now.getTime()}${String(randomInt(1_000_000)).padStart(6, "0")}`;

/** Stores an upload: the files first, then its row. Storage calls are outside transactions. If one fails, nothing of the upload remains. */
export async function storeFiles(
  services: Services,
  name: string,
  contents: Readonly<Record<string, Uint8Array>>,
  insertRow: (tx: Tx) => Promise<void>,
): Promise<void> {
  await writeFiles(services, name, contents);
  try {
    await services.database.transaction(insertRow);
  } catch (error) {
    await removeUnlessNamed(services, name);
    throw error;
  }
}

async function writeFiles(services: Services, name: string, contents: Readonly<Record<string, Uint8Array>>) {
  try {
    for (const [file, bytes] of Object.entries(contents)) await services.files.put(stored(file), bytes);
  } catch (error) {
    services.log.error({ err: error, file: name }, "an upload could not be written to the file storage");
    await removeLeftovers(services, name);
    throw new Problem("unavailable", "The file could not be stored. Try again in a few minutes.");
  }
}

/** Removes the files of an upload unless its row exists: a commit whose response was lost may have succeeded. */
async function removeUnlessNamed(services: Services, name: string): Promise<void> {
  try {
    if ((await findKnownFiles(services.database.db, [name])).has(name)) return;
  } catch (error) {
    services.log.warn({ err: error, file: name }, "files of a failed upload are left for the cleanup job");
    return;
  }
  await removeLeftovers(services, name);
}

/** Files that cannot be removed now have no row, and are removed by the sweep. */
const removeLeftovers = (services: Services, name: string): Promise<void> =>
  removeFiles(services, { names: [name] }).catch((error: unknown) =>
    services.log.warn({ err: error, file: name }, "files of a failed upload are left for the cleanup job"),
  );

export async function removeFiles(services: Storage, event: FilesReleased): Promise<void> {
  for (const name of event.names) for (const file of allFilesOf(name)) await services.files.remove(stored(file));
}

/** Encodes the next picture without AVIF files, between two transactions. Returns false if there is none. */
export async function encodeNextAvif(services: Services): Promise<boolean> {
  const { database, clock, files, log } = services;
  const name = await database.transaction((tx) => claimFileWithoutAvif(tx, clock.now()));
  if (!name) return false;
  const { main, small, avif, smallAvif } = filesOf(name);
  const pictures = await Promise.all([files.read(stored(main)), files.read(stored(small))]);
  const [large, little] = pictures;
  if (!large || !little) {
    log.error({ file: name }, "an uploaded picture is missing from the file storage");
    return true;
  }
  await files.put(stored(avif), await encodeAvif(large));
  await files.put(stored(smallAvif), await encodeAvif(little));
  const marked = await database.transaction((tx) => markAvif(tx, name, clock.now()));
  if (!marked) await removeFiles(services, { names: [name] });
  return true;
}

/** The row of a younger file may not be written yet. */
const youngestMs = hourMs;

/** Removes uploads that are not displayed, and files without a row, which a process leaves behind if it ends during an upload. */
export async function sweepFiles(services: Services): Promise<void> {
  const { database, clock, files, log } = services;
  await database.transaction((tx) => releaseForgottenFiles(tx, clock.now()));
  // The age of a file is real time, which the demo clock does not change.
  const before = new Date(systemClock.now().getTime() - youngestMs);
  let removed = 0;
  for await (const page of files.pages(mediaBucket)) {
    const named = page
      .filter(({ changedAt }) => changedAt < before)
      .map(({ name }) => ({ name, upload: uploadOfFile(name.slice(mediaBucket.length + 1))?.upload }));
    const known = await findKnownFiles(
      database.db,
      named.flatMap(({ upload }) => upload ?? []),
    );
    for (const { name, upload } of named) {
      if (upload !== undefined && known.has(upload)) continue;
      await files.remove(name);
      removed++;
    }
  }
  if (removed > 0) log.info({ files: removed }, "files without a row were removed");
}
