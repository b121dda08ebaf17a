import type { Tx } from "#platform/db/index.ts";
import { removeSellerData } from "#settings/index.ts";
import { releaseFilesOf } from "../media/store.ts";
import { assignOwner, retireArtistOf } from "../store.ts";

/** Assigns an artist without an owner to the user of a granted claim. Returns false if it has one, or the user cannot have it. */
export async function giveArtist(tx: Tx, gift: Parameters<typeof assignOwner>[1]): Promise<boolean> {
  const given = await assignOwner(tx, gift);
  if (given) await removeSellerData(tx, gift.artistId);
  return given;
}

/** Removes owner, pictures and seller data of the artist of a user who deletes the account. It cannot be booked afterwards. */
export async function retireOwnArtist(tx: Tx, userId: string): Promise<void> {
  await releaseFilesOf(tx, userId);
  const artistId = await retireArtistOf(tx, userId);
  if (artistId) await removeSellerData(tx, artistId);
}
