/** Writes the files of a picture and removes them again. Rows say which files belong here; a sweep removes the others. */
import { randomInt } from "node:crypto";
import { Problem } from "#platform/errors.ts";
import { systemClock } from "#platform/time/clock.ts";
import { encodeAvif, type Picture } from "#platform/files/pictures.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { UploadedPicture } from "./api.ts";
export type { FilesReleased } from "./store.ts";
import { addressOfFile, fileName, filesOf, mediaBucket, pictureOfFile, type UploadKind } from "../media.rules.ts";
import { type FilesReleased, insertFile, markAvif, releaseForgottenFiles, claimFileWithoutAvif } from "./store.ts";
import { knownFiles } from "./views.ts";

type Storage = Pick<PlatformServices, "files">;
type Services = Pick<PlatformServices, "files" | "database" | "clock" | "log">;

const stored = (name: string): string => `${mediaBucket}/${name}`;

/** Stores an upload: the files first, then the row. Storage calls are outside transactions; if storage fails, nothing of the upload is left. */
export async function storePicture(
  services: Services,
  upload: { userId: string; kind: UploadKind; picture: Picture },
): Promise<UploadedPicture> {
  const { userId, kind, picture } = upload;
  const now = services.clock.now();
  const name = fileName(userId, kind, uniqueStamp(now));
  await writeFiles(services, name, picture);
  try {
    await services.database.transaction((tx) => insertFile(tx, { ...upload, name, now }));
  } catch (error) {
    await removeUnlessNamed(services, name);
    throw error;
  }
  const { width, height, thumbhash } = picture;
  return { url: addressOfFile(name), kind, image: { width, height, thumbhash, avif: false } };
}

/** The time in milliseconds with six random digits, so two uploads in one millisecond get different names. */
const uniqueStamp = (now: Date): string => `${now.getTime()}${String(randomInt(1_000_000)).padStart(6, "0")}`;

async function writeFiles(services: Services, name: string, picture: Picture): Promise<void> {
  const { main, small } = filesOf(name);
  try {
    await services.files.put(stored(small), picture.small);
    await services.files.put(stored(main), picture.webp);
  } catch (error) {
    services.log.error({ err: error, file: name }, "an uploaded picture could not be written to the file storage");
    await removeLeftovers(services, name);
    throw new Problem("unavailable", "The picture could not be stored just now. Please try again in a few minutes.");
  }
}

/** Removes the files of a picture whose row was not written, as far as anybody can tell: a commit whose answer was lost may have succeeded. */
async function removeUnlessNamed(services: Services, name: string): Promise<void> {
  try {
    if ((await knownFiles(services.database.db, [name])).has(name)) return;
  } catch (error) {
    services.log.warn({ err: error, file: name }, "files of a failed upload are left to the sweep");
    return;
  }
  await removeLeftovers(services, name);
}

/** What cannot be removed now has no row, and goes with the sweep. */
const removeLeftovers = (services: Services, name: string): Promise<void> =>
  removeFiles(services, { names: [name] }).catch((error: unknown) =>
    services.log.warn({ err: error, file: name }, "files of a failed upload are left to the sweep"),
  );

export async function removeFiles(services: Storage, event: FilesReleased): Promise<void> {
  for (const name of event.names)
    for (const file of Object.values(filesOf(name))) await services.files.remove(stored(file));
}

/** Encodes the next picture that has no AVIF files yet; false when there is none. The work is done between two transactions. */
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
  const kept = await database.transaction((tx) => markAvif(tx, name, clock.now()));
  if (!kept) await removeFiles(services, { names: [name] });
  return true;
}

/** A file that was written a moment ago may still get its row. */
const youngestMs = 3_600_000;

/** Removes uploads that nothing shows, and files without a row, a page of the storage at a time: what a process left behind that ended in the middle of an upload. */
export async function sweepFiles(services: Services): Promise<void> {
  const { database, clock, files, log } = services;
  await database.transaction((tx) => releaseForgottenFiles(tx, clock.now()));
  // The age of a file is by the clock of the file system, which the movable clock of the demo does not move.
  const before = new Date(systemClock.now().getTime() - youngestMs);
  let removed = 0;
  for await (const page of files.pages(mediaBucket)) {
    const named = page
      .filter(({ changedAt }) => changedAt < before)
      .map(({ name }) => ({ name, picture: pictureOfFile(name.slice(mediaBucket.length + 1))?.picture }));
    const known = await knownFiles(
      database.db,
      named.flatMap(({ picture }) => picture ?? []),
    );
    for (const { name, picture } of named) {
      if (picture !== undefined && known.has(picture)) continue;
      await files.remove(name);
      removed++;
    }
  }
  if (removed > 0) log.info({ files: removed }, "files that no row names were removed");
}
