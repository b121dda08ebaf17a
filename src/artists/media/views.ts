import { createHash } from "node:crypto";
import { sql } from "kysely";
import { chunks, type Reader, type Tx } from "#platform/db/index.ts";
import { addressOfFile, type PictureImage } from "../media.rules.ts";
import { posterUrl } from "../rules.ts";
import type { OwnMedia } from "./api.ts";
import type { OwnSample } from "./samples.api.ts";

export async function countFiles(reader: Reader, userId: string): Promise<number> {
  const { count } = await reader
    .selectFrom("artist_files")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findKnownFiles(reader: Reader, names: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const some of chunks(names)) {
    const rows = await reader
      .selectFrom("artist_files")
      .select("name")
      .where("name", "in", some)
      .unionAll(reader.selectFrom("artist_samples").select("name").where("name", "in", some))
      .execute();
    for (const { name } of rows) known.add(name);
  }
  return known;
}

/** Returns the files of an account in the bucket, the first 100 by name. */
export async function listFiles(
  reader: Reader,
  userId: string,
  page: { limit: number; offset: number; order: "asc" | "desc" },
) {
  const rows = await reader
    .selectFrom("artist_files")
    .select(["name", "kind", "bytes", "width", "height", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("name", page.order)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, url: addressOfFile(row.name) }));
}

export async function listOwnSamples(reader: Reader, userId: string): Promise<OwnSample[]> {
  const rows = await reader
    .selectFrom("artist_samples as s")
    .innerJoin("artists as a", "a.id", "s.artist_id")
    .select(["s.id", "s.name", "s.title", "s.seconds", "s.bars", "s.loudness", "s.gain"])
    .where("a.user_id", "=", userId)
    .orderBy("s.position")
    .orderBy("s.id")
    .execute();
  return rows.map(({ name, ...sample }) => ({ ...sample, url: addressOfFile(name) }));
}

export async function readOwnMedia(reader: Reader | Tx, owner: { userId: string; name: string }): Promise<OwnMedia> {
  const artist = await reader.selectFrom("artists").selectAll().where("user_id", "=", owner.userId).executeTakeFirst();
  if (!artist)
    return {
      slug: null,
      is_active: true,
      is_public: true,
      name: owner.name,
      photo_url: null,
      photo_image: null,
      poster_url: null,
      video_url: null,
      video_poster: null,
      items: [],
      version: "",
    };
  const media = await reader
    .selectFrom("artist_media")
    .select(["id", "kind", "url", "alt", "caption", "image"])
    .where("artist_id", "=", artist.id)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const pictures = media.map((row) => ({ ...row, image: row.image as PictureImage | null }));
  return {
    ...artist,
    photo_image: artist.photo_image as PictureImage | null,
    poster_url: posterUrl(artist),
    video_poster: pictures.find(({ kind }) => kind === "video") ?? null,
    items: pictures.filter(({ kind }) => kind === "photo"),
    version: versionOf(artist, media),
  };
}

type SavedTexts = { kind: string; url: string; alt: string; caption: string };

/** Returns a hash of what the artist saves. The server's later AVIF files do not change it. */
function versionOf(artist: { photo_url: string | null; video_url: string | null }, media: readonly SavedTexts[]) {
  const saved = [
    artist.photo_url,
    artist.video_url,
    ...media.flatMap(({ kind, url, alt, caption }) => [kind, url, alt, caption]),
  ];
  return createHash("sha256").update(JSON.stringify(saved)).digest("base64url");
}
