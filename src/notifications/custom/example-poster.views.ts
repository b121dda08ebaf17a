import { type PosterSubject, shareUrl } from "#artists/rules.ts";
import type { Reader } from "#platform/db/index.ts";

/** Returns the poster's whole address of the examples' artist, or null if this installation does not have the demo's artist. */
export async function examplePoster(reader: Reader, publicUrl: string): Promise<string | null> {
  const artist: PosterSubject | undefined = await reader
    .selectFrom("artists")
    .select(["slug", "name", "genre", "location"])
    .where("slug", "=", "electric-dreams")
    .where("is_active", "=", true)
    .executeTakeFirst();
  return artist ? `${publicUrl}${shareUrl(artist)}` : null;
}
