import type { Reader } from "#platform/db/index.ts";

/** Returns a user's artist with the user's own payout account, never a former owner's. Undefined without an artist. */
export const accountOfUser = (reader: Reader, userId: string) =>
  reader
    .selectFrom("artists as a")
    .leftJoin("artist_connect as c", (on) => on.onRef("c.artist_id", "=", "a.id").onRef("c.user_id", "=", "a.user_id"))
    .select(["a.id as artistId", "c.provider_account as account", "c.onboarding_status as status"])
    .where("a.user_id", "=", userId)
    .executeTakeFirst();

/** Returns the user who manages an artist. Null if the artist has no manager. */
export async function ownerOf(reader: Reader, artistId: string): Promise<string | null> {
  const row = await reader.selectFrom("artists").select("user_id").where("id", "=", artistId).executeTakeFirst();
  return row?.user_id ?? null;
}
