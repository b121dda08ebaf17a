import { randomUUID } from "node:crypto";
import { updateById, type Tx } from "#platform/db/index.ts";
import type { Sample } from "#platform/files/sound/sounds.ts";

export async function insertSample(
  tx: Tx,
  given: { artistId: string; name: string; title: string; sample: Sample; position: number; now: Date },
): Promise<void> {
  const { artistId, name, title, sample, position, now } = given;
  await tx
    .insertInto("artist_samples")
    .values({ id: randomUUID(), artist_id: artistId, title, position, created_at: now, ...fileColumns(name, sample) })
    .execute();
}

const fileColumns = (name: string, { mp3, seconds, loudness, gain, bars }: Sample) => ({
  name,
  bytes: mp3.length,
  seconds,
  loudness,
  gain,
  bars,
});

export async function lockSamples(tx: Tx, userId: string) {
  const artist = await tx
    .selectFrom("artists")
    .select("id")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!artist) return undefined;
  const samples = await tx
    .selectFrom("artist_samples")
    .select(["id", "name", "position"])
    .where("artist_id", "=", artist.id)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return { artistId: artist.id, samples };
}

export const replaceSampleFile = (tx: Tx, id: string, file: { name: string; sample: Sample }) =>
  updateById(tx, "artist_samples", id, fileColumns(file.name, file.sample));

export const renameSample = (tx: Tx, id: string, title: string) => updateById(tx, "artist_samples", id, { title });

export const deleteSample = (tx: Tx, id: string) => tx.deleteFrom("artist_samples").where("id", "=", id).execute();

export const deleteSamplesOf = (tx: Tx, userId: string): Promise<{ name: string }[]> =>
  tx
    .deleteFrom("artist_samples")
    .where("artist_id", "in", (from) => from.selectFrom("artists").select("id").where("user_id", "=", userId))
    .returning("name")
    .execute();

export async function writeSamplePositions(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const [position, id] of ids.entries()) await updateById(tx, "artist_samples", id, { position });
}
