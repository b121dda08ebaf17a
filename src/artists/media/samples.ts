import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import type { Sample } from "#platform/files/sound/sounds.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { maxSamples, sampleName } from "../media.rules.ts";
import { storeFiles, uniqueStamp } from "./files.ts";
import {
  deleteSample,
  insertSample,
  lockSamples,
  writeSamplePositions,
  renameSample,
  replaceSampleFile,
} from "./samples.store.ts";
import { publishRelease } from "./store.ts";

type Services = Pick<PlatformServices, "files" | "database" | "clock" | "log">;
type Upload = { userId: string; artistId: string; sample: Sample; title: string; replaces: string | undefined };

/** Stores a sample after the artist's others, or in the place of the replaced one. Throws a conflict (409) at five. */
export async function storeSample(services: Services, upload: Upload): Promise<void> {
  const { userId, artistId, sample, title, replaces } = upload;
  const now = services.clock.now();
  const name = sampleName(artistId, uniqueStamp(now));
  await storeFiles(services, name, { [name]: sample.mp3 }, async (tx) => {
    const { samples } = await requireSampleSlot(tx, userId, replaces);
    const before = samples.find(({ id }) => id === replaces);
    if (before) {
      await replaceSampleFile(tx, before.id, { name, sample });
      await publishRelease(tx, [before]);
    } else {
      const position = (samples.at(-1)?.position ?? -1) + 1;
      await insertSample(tx, { artistId, name, title, sample, position, now });
    }
    await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
  });
}

type OwnWork = { artistId: string; sample: Sample; title: string; position: number };

export async function storeDemoSample(services: Services, made: OwnWork): Promise<void> {
  const now = services.clock.now();
  const name = sampleName(made.artistId, uniqueStamp(now));
  await storeFiles(services, name, { [name]: made.sample.mp3 }, (tx) => insertSample(tx, { ...made, name, now }));
}

/** Returns the artist with their samples, locked. Throws if there are five and none is replaced, or if the replaced one does not exist. */
export async function requireSampleSlot(tx: Tx, userId: string, replaces: string | undefined) {
  const own = await requireSamples(tx, userId, replaces);
  if (replaces === undefined && own.samples.length >= maxSamples)
    throw conflict(`You have ${maxSamples} samples, which is the limit. Delete one first.`);
  return own;
}

async function requireSamples(tx: Tx, userId: string, id: string | undefined) {
  const own = await lockSamples(tx, userId);
  if (!own) throw conflict("Save your profile first. Your samples belong to it.");
  if (id !== undefined && !own.samples.some((sample) => sample.id === id)) throw notFound("Sample not found");
  return own;
}

export async function changeTitle(tx: Tx, userId: string, { id, title }: { id: string; title: string }): Promise<void> {
  await requireSamples(tx, userId, id);
  await renameSample(tx, id, title);
  await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
}

export async function removeSample(tx: Tx, userId: string, id: string): Promise<void> {
  const { samples } = await requireSamples(tx, userId, id);
  await deleteSample(tx, id);
  await publishRelease(
    tx,
    samples.filter((sample) => sample.id === id),
  );
  await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
}

/** Throws a conflict (409) unless these are exactly the artist's samples. */
export async function orderSamples(tx: Tx, userId: string, ids: readonly string[]): Promise<void> {
  const { samples } = await requireSamples(tx, userId, undefined);
  const known = new Set(samples.map(({ id }) => id));
  if (new Set(ids).size !== ids.length || ids.length !== known.size || !ids.every((id) => known.has(id)))
    throw conflict("Your samples have changed. Reload the page.");
  await writeSamplePositions(tx, ids);
  await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
}
