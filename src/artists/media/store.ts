import { type Insertable, sql } from "kysely";
import { announce, type DB, json, type Tx } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import type { Picture } from "#platform/files/pictures.ts";
import { addressOfFile, type PictureImage, pictureOfAddress, type UploadKind } from "../media.rules.ts";
import { deleteSamplesOf } from "./samples.store.ts";

/** Uploads that are no longer shown: their rows are gone, and their files go when the event is handled. */
export type FilesReleased = { names: readonly string[] };

/** Enters an upload whose files have been written. Fails when its name is taken, which a unique name never is. */
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

/** The uploads of a person among these addresses, by address. Locked, so that the AVIF job does not change them meanwhile. */
export async function lockOwnFiles(
  tx: Tx,
  userId: string,
  addresses: readonly string[],
): Promise<Map<string, { kind: string; image: PictureImage }>> {
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

/** The artist of the owner shows the picture of a row `f` of artist_files; nobody else can. */
const isShown = sql<boolean>`exists (
  select from artists a left join artist_media m on m.artist_id = a.id
  where a.user_id = f.user_id and ${addressOfFile("")}::text || f.name in (a.photo_url, m.url))`;

/** Deletes the rows of those pictures of a person that nothing shows now, and publishes that their files are to go. */
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

/** Deletes every picture and sample of a person who is deleting the account. Called while the artist is still theirs. */
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

/** Deletes uploads that were never saved, or are shown nowhere any more, a day after they came. */
export async function releaseForgottenFiles(tx: Tx, now: Date): Promise<void> {
  const released = await tx
    .deleteFrom("artist_files as f")
    .where("f.created_at", "<", new Date(now.getTime() - 86_400_000))
    .where(sql<boolean>`not ${isShown}`)
    .returning("f.name")
    .execute();
  await publishRelease(tx, released);
}

/** Publishes that the files of these uploads, whose rows are deleted, are to go. */
export async function publishRelease(tx: Tx, released: readonly { name: string }[]): Promise<void> {
  if (released.length === 0) return;
  const event: FilesReleased = { names: released.map(({ name }) => name) };
  await publish(tx, "artist.files_released", event);
}

export async function replaceMedia(
  tx: Tx,
  artistId: string,
  rows: readonly Insertable<DB["artist_media"]>[],
): Promise<void> {
  await tx.deleteFrom("artist_media").where("artist_id", "=", artistId).execute();
  if (rows.length > 0) await tx.insertInto("artist_media").values(rows).execute();
}

/** A picture without AVIF files, taken by this process: no other one tries it for ten minutes. */
export async function claimFileWithoutAvif(tx: Tx, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    update artist_files set avif_tries = avif_tries + 1, avif_try_at = ${new Date(now.getTime() + 600_000)}
    where name = (
      select name from artist_files where avif_at is null and avif_tries < 3 and avif_try_at <= ${now}
      order by avif_try_at limit 1 for update skip locked)
    returning name`.execute(tx);
  return rows[0]?.name;
}

/** The AVIF files of a picture exist now: pages may offer them. False when the picture was deleted meanwhile. */
export async function markAvif(tx: Tx, name: string, now: Date): Promise<boolean> {
  const [userId = ""] = name.split("/");
  // The artist first, as whoever saves the profile locks them: it sees the picture either before or after this.
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
