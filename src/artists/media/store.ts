import { type Insertable, sql } from "kysely";
import { firstRowOf, announce, type DB, json, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import type { Picture } from "#platform/files/pictures.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { addressOfFile, pictureOfAddress, type UploadKind } from "../media.rules.ts";
import { deleteSamplesOf } from "./samples.store.ts";

/** Uploads that are no longer displayed. Their rows are deleted, and the event's handler removes the files. */
export type FilesReleased = { names: readonly string[] };

export async function insertFile(
  tx: Tx,
  upload: { name: string; userId: string; kind: UploadKind; picture: Picture; now: Date },
): Promise<void> {
  const { name, userId, kind, picture, now } = upload;
  announce(tx, "pictures");
  await tx
    .insertInto("artist_files")
    .values({
      name,
      user_id: userId,
      kind,
      bytes: picture.webp.length,
      width: picture.width,
      height: picture.height,
      thumbhash: picture.thumbhash,
      created_at: now,
    })
    .execute();
}

/** Returns the user's uploads among these addresses, by address. Locked, because the AVIF job changes them. */
export async function lockOwnFiles(tx: Tx, userId: string, addresses: readonly string[]) {
  const names = addresses.map(pictureOfAddress).filter((name) => name !== undefined);
  if (names.length === 0) return new Map();
  const rows = await tx
    .selectFrom("artist_files")
    .selectAll()
    .where("user_id", "=", userId)
    .where("name", "in", names)
    .orderBy("name")
    .forUpdate()
    .execute();
  return new Map(
    rows.map(({ name, kind, width, height, thumbhash, avif_at }) => [
      addressOfFile(name),
      { kind, image: { width, height, thumbhash, avif: avif_at !== null } },
    ]),
  );
}

/** True if the owner's artist shows the picture of a row `f` of artist_files. No other artist can. */
const isShown = sql<boolean>`exists (
  select from artists a left join artist_media m on m.artist_id = a.id
  where a.user_id = f.user_id and ${addressOfFile("")}::text || f.name in (a.photo_url, m.url))`;

/** Deletes the user's rows of those pictures that are no longer displayed, and publishes the removal of their files. */
export async function releaseFiles(tx: Tx, userId: string, addresses: readonly (string | null)[]): Promise<void> {
  const names = addresses.map((address) => address && pictureOfAddress(address)).filter((name) => !!name) as string[];
  if (names.length === 0) return;
  const released = await tx
    .deleteFrom("artist_files as f")
    .where("f.user_id", "=", userId)
    .where("f.name", "in", names)
    .where(sql<boolean>`not ${isShown}`)
    .returning("f.name")
    .execute();
  await publishRelease(tx, released);
}

/** Deletes every picture and sample of a user who deletes the account. Call it while the user still owns the artist. */
export async function releaseFilesOf(tx: Tx, userId: string): Promise<void> {
  const released = await tx.deleteFrom("artist_files").where("user_id", "=", userId).returning("name").execute();
  const samples = await deleteSamplesOf(tx, userId);
  await publishRelease(tx, [...released, ...samples]);
  if (released.length === 0) return;
  const addresses = released.map(({ name }) => addressOfFile(name));
  await tx
    .updateTable("artists")
    .set({ photo_url: null, photo_image: null })
    .where("user_id", "=", userId)
    .where("photo_url", "in", addresses)
    .execute();
  await tx
    .deleteFrom("artist_media")
    .where("artist_id", "in", (from) => from.selectFrom("artists").select("id").where("user_id", "=", userId))
    .where("url", "in", addresses)
    .execute();
}

/** Deletes uploads that are not displayed, a day after they were stored. */
export async function releaseForgottenFiles(tx: Tx, now: Date): Promise<void> {
  // A profile that is being saved may show one: what it has locked is left out, what it has saved is compared again.
  const forgotten = await tx
    .selectFrom("artist_files as f")
    .select("f.name")
    .where("f.created_at", "<", new Date(now.getTime() - dayMs))
    .where(sql<boolean>`not ${isShown}`)
    .limit(10_000)
    .forUpdate()
    .skipLocked()
    .execute();
  if (forgotten.length === 0) return;
  const released = await tx
    .deleteFrom("artist_files as f")
    .where(
      "f.name",
      "in",
      forgotten.map(({ name }) => name),
    )
    .where(sql<boolean>`not ${isShown}`)
    .returning("f.name")
    .execute();
  await publishRelease(tx, released);
}

export async function publishRelease(tx: Tx, released: readonly { name: string }[]): Promise<void> {
  if (released.length === 0) return;
  const event: FilesReleased = { names: released.map(({ name }) => name) };
  await publish(tx, "artist.files_released", event);
}

export async function replaceMedia(tx: Tx, artistId: string, rows: readonly Insertable<DB["artist_media"]>[]) {
  await tx.deleteFrom("artist_media").where("artist_id", "=", artistId).execute();
  if (rows.length > 0) await tx.insertInto("artist_media").values(rows).execute();
}

/** Claims a picture without AVIF files. No other process tries it for ten minutes. */
export async function claimFileWithoutAvif(tx: Tx, now: Date): Promise<string | undefined> {
  const row = await firstRowOf<{ name: string }>(tx)`
    update artist_files set avif_tries = avif_tries + 1, avif_try_at = ${new Date(now.getTime() + 600_000)}
    where name = (
      select name from artist_files where avif_at is null and avif_tries < 3 and avif_try_at <= ${now}
      order by avif_try_at limit 1 for update skip locked)
    returning name`;
  return row?.name;
}

/** Marks a picture with AVIF files, and pages offer them. Returns false if the picture was deleted. */
export async function markAvif(tx: Tx, name: string, now: Date): Promise<boolean> {
  const [userId = ""] = name.split("/");
  // Locks the artist first, as saving the profile does, which sees the picture before or after this change.
  const artist = await tx
    .selectFrom("artists")
    .select("id")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  const { numUpdatedRows } = await tx
    .updateTable("artist_files")
    .set({ avif_at: now })
    .where("name", "=", name)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (!artist) return true;
  const address = addressOfFile(name);
  const avif = json({ avif: true });
  await tx
    .updateTable("artists")
    .set({ photo_image: sql`photo_image || ${avif}` })
    .where("id", "=", artist.id)
    .where("photo_url", "=", address)
    .execute();
  await tx
    .updateTable("artist_media")
    .set({ image: sql`image || ${avif}` })
    .where("artist_id", "=", artist.id)
    .where("url", "=", address)
    .execute();
  return true;
}
