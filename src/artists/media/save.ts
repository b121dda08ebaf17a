import type { Insertable } from "kysely";
import { type DB, json, type Tx } from "#platform/db/index.ts";
import { conflict, invalidField } from "#platform/errors.ts";
import { broadcastChange } from "#realtime/index.ts";
import { changeArtist } from "../store.ts";
import type { MediaInput } from "./api.ts";
import { lockOwnFiles, releaseFiles, replaceMedia } from "./store.ts";
import { isWebAddress, videoAddress, videoAddressMessage } from "./video.rules.ts";
import { readOwnMedia } from "./views.ts";

type Artist = { id: string; photo_url: string | null; photo_image: unknown };

/** Returns the columns of a photo: an own upload, an https address, or the unchanged address. Null for none. */
export async function photoColumns(tx: Tx, userId: string, given: string | null, before: Artist | undefined) {
  const address = given?.trim();
  if (!address) return { photo_url: null, photo_image: null };
  if (before && address === before.photo_url)
    return { photo_url: address, photo_image: before.photo_image === null ? null : json(before.photo_image) };
  const own = (await lockOwnFiles(tx, userId, [address])).get(address);
  if (own?.kind === "photo") return { photo_url: address, photo_image: json(own.image) };
  if (!isWebAddress(address))
    throw invalidField("photo_url", "Please upload a photo, or enter an address that starts with https://.");
  return { photo_url: address, photo_image: null };
}

export function videoColumn(given: string | null): string | null {
  const text = given?.trim();
  if (!text) return null;
  const address = videoAddress(text);
  if (address !== undefined) return address;
  throw invalidField("video_url", videoAddressMessage);
}

/** Saves photo, video, video poster and portfolio in order. Pictures must be own uploads or portfolio pictures. Files left out are removed. Throws a conflict (409) if the version is outdated. */
export async function saveOwnMedia(tx: Tx, owner: { userId: string; name: string }, input: MediaInput): Promise<void> {
  const { userId } = owner;
  const artist = await tx
    .selectFrom("artists")
    .select(["id", "photo_url", "photo_image"])
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!artist) throw conflict("Save your profile first, then add pictures.");
  const stored = await readOwnMedia(tx, owner);
  if (input.version !== undefined && input.version !== stored.version)
    throw conflict("Your media has changed. Here is the latest.", { data: stored });
  const before = await tx.selectFrom("artist_media").selectAll().where("artist_id", "=", artist.id).execute();
  const video = videoColumn(input.video_url);
  await changeArtist(tx, artist.id, { ...(await photoColumns(tx, userId, input.photo_url, artist)), video_url: video });
  const rows = await portfolioRows(tx, userId, artist.id, { ...input, before });
  await replaceMedia(tx, artist.id, rows);
  await releaseFiles(tx, userId, [artist.photo_url, ...before.map(({ url }) => url)]);
  await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
}

type StoredMedium = { id: string; kind: string; url: string; image: unknown; created_at: Date };

async function portfolioRows(
  tx: Tx,
  userId: string,
  artistId: string,
  given: Pick<MediaInput, "items" | "video_poster"> & { before: readonly StoredMedium[] },
): Promise<Insertable<DB["artist_media"]>[]> {
  const wanted = [
    ...(given.video_poster ? [{ ...given.video_poster, kind: "video" as const }] : []),
    ...given.items.map((item) => ({ ...item, kind: "photo" as const })),
  ];
  if (new Set(wanted.map(({ url }) => url)).size < wanted.length)
    throw invalidField("items", "The portfolio contains the same picture twice.");
  const files = await lockOwnFiles(
    tx,
    userId,
    wanted.map(({ url }) => url),
  );
  return wanted.map(({ url, kind, alt, caption }, position) => {
    const known = given.before.find((row) => row.url === url && row.kind === kind);
    const upload = files.get(url);
    if (!known && upload?.kind !== kind)
      throw invalidField("items", "A picture of the portfolio no longer exists. Upload it again.");
    const image = upload?.image ?? known?.image ?? null;
    return {
      ...(known ? { id: known.id, created_at: known.created_at } : {}),
      artist_id: artistId,
      kind,
      url,
      alt,
      caption,
      position,
      image: image === null ? null : json(image),
    };
  });
}
