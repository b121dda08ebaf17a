import type { Reader } from "#platform/db/index.ts";

/**
 * The artist of a person, and the person's own account that payouts go to; a former owner's is nobody's here. Undefined for somebody
 * without an artist.
 */
export const accountOfUser = (reader: Reader, userId: string) =>
  reader
    .selectFrom("artists as a")
    .leftJoin("artist_connect as c", (on) => on.onRef("c.artist_id", "=", "a.id").onRef("c.user_id", "=", "a.user_id"))
    .select(["a.id as artistId", "c.provider_account as account", "c.onboarding_status as status"])
    .where("a.user_id", "=", userId)
    .executeTakeFirst();

/** The account of the person who manages an artist; null when nobody does. */
export async function ownerOf(reader: Reader, artistId: string): Promise<string | null> {
  const row = await reader.selectFrom("artists").select("user_id").where("id", "=", artistId).executeTakeFirst();
  return row?.user_id ?? null;
}
