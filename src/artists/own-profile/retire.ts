import type { Tx } from "#platform/db/index.ts";
import { removeSellerData } from "#settings/index.ts";
import { releaseFilesOf } from "../media/store.ts";
import { retireArtistOf } from "../store.ts";

/** Removes owner, pictures and seller data of the artist of a user who deletes the account. It cannot be booked afterwards. */
export async function retireOwnArtist(tx: Tx, userId: string): Promise<void> {
  await releaseFilesOf(tx, userId);
  const artistId = await retireArtistOf(tx, userId);
  if (artistId) await removeSellerData(tx, artistId);
}
