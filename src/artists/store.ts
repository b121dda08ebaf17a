import { type Insertable, sql, type Updateable } from "kysely";
import { hasRow, chunks, updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import { invalid, invalidField } from "#platform/errors.ts";
import { broadcastChange } from "#realtime/index.ts";
import { freePosterVariant, posterSignature } from "./artwork/poster.ts";
import { matchPlace } from "./gazetteer/index.ts";
import { type Genre, highestRate, isGenre } from "./rules.ts";
import { cleanName, freeSlug, slugOf } from "./slug.ts";

/** The data of a new artist. Rates are cents. A location that the gazetteer knows adds coordinates and a time zone. */
export type NewArtist = {
  name: string;
  userId?: string | null;
  genre?: Genre;
  bio?: string;
  photoUrl?: string | null;
  videoUrl?: string | null;
  baseRate?: number;
  topRate?: number | null;
  isActive?: boolean;
  yearsExperience?: number | null;
  location?: string;
  timeZone?: string;
  specialties?: readonly string[];
  equipment?: readonly string[];
  featuredRank?: number | null;
  createdAt?: Date;
};

const maxNameLength = 120;

export async function insertArtist(tx: Tx, given: NewArtist) {
  const row = artistRow(given);
  const neighbours = await posterSignatures(tx);
  for (;;) {
    const slug = await findFreeSlug(tx, row.name);
    const stored = await tx
      .insertInto("artists")
      .values({ ...row, slug, poster_variant: freePosterVariant({ slug, genre: row.genre }, neighbours) })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returningAll()
      .executeTakeFirst();
    // Another request took the slug, and the next read sees it.
    if (stored) return stored;
  }
}

const comparedPosters = 200;

async function posterSignatures(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom("artists")
    .select(["slug", "genre", "poster_variant"])
    .where("is_active", "=", true)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(comparedPosters)
    .execute();
  return new Set(rows.map((row) => posterSignature({ ...row, genre: genreOf(row.genre) }, row.poster_variant)));
}

const genreOf = (genre: string): Genre => (isGenre(genre) ? genre : "other");

export function artistRow(given: NewArtist) {
  const name = cleanName(given.name);
  if (name === "") throw invalidField("name", "Enter the artist's name.");
  if (Array.from(name).length > maxNameLength)
    throw invalidField("name", `A name has at most ${maxNameLength} characters.`);
  const base = rate(given.baseRate ?? 0);
  const top = given.topRate === undefined || given.topRate === null ? null : rate(given.topRate);
  if (top !== null && top < base) throw invalidField("top_rate", "The top rate is lower than the base rate.");
  const place = given.location ? matchPlace(given.location) : null;
  return {
    user_id: given.userId ?? null,
    name,
    genre: given.genre ?? "other",
    bio: given.bio ?? "",
    photo_url: given.photoUrl ?? null,
    video_url: given.videoUrl ?? null,
    base_rate: base,
    top_rate: top,
    is_active: given.isActive ?? true,
    years_experience: given.yearsExperience ?? null,
    location: given.location ?? "",
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
    time_zone: given.timeZone ?? place?.timeZone ?? "UTC",
    specialties: [...(given.specialties ?? [])],
    equipment: [...(given.equipment ?? [])],
    featured_rank: given.featuredRank ?? null,
    ...(given.createdAt ? { created_at: given.createdAt, updated_at: given.createdAt } : {}),
  };
}

function rate(cents: number): number {
  if (Number.isInteger(cents) && cents >= 0 && cents <= highestRate) return cents;
  throw invalid("A rate is a whole number of cents between 0 and 99,999,999.");
}

/** Returns the slug that a name would get now. Another artist may take it before it is stored: the unique index decides. */
async function findFreeSlug(tx: Tx, name: string): Promise<string> {
  const slug = slugOf(name);
  const rows = await tx
    .selectFrom("artists")
    .select("slug")
    .where((where) =>
      where.or([where("slug", "=", slug), where(sql<boolean>`slug ~ ${`^${slug}-[0-9]+$`}`, "=", true)]),
    )
    .execute();
  return freeSlug(name, new Set(rows.map((row) => row.slug)));
}

export const changeArtist = (tx: Tx, artistId: string, columns: Updateable<DB["artists"]>) =>
  updateById(tx, "artists", artistId, { ...columns, updated_at: sql<Date>`installation_now()` });

export const countBooking = (tx: Tx, artistId: string, step: 1 | -1) =>
  tx
    .updateTable("artists")
    .set((row) => ({ booked_count: sql<number>`greatest(0, ${row.ref("booked_count")} + ${step}::int)` }))
    .where("id", "=", artistId)
    .execute();

/** Recalculates rating and number of reviews of an artist that the caller has locked: the second of two publications counts the first. */
export async function recountReviews(tx: Tx, artistId: string): Promise<void> {
  await sql`
    update artists set (rating_x10, review_count) = (
      select coalesce(round(avg(rating) * 10), 0)::int, count(*)::int from public_reviews where artist_id = ${artistId})
    where id = ${artistId}`.execute(tx);
}

export type KnownArtist = ReturnType<typeof artistRow> & {
  id: string;
  slug: string;
  rating_x10: number;
  review_count: number;
  booked_count: number;
};

export async function insertArtists(
  tx: Tx,
  artists: readonly KnownArtist[],
  media: readonly Insertable<DB["artist_media"]>[],
): Promise<void> {
  for (const rows of chunks(artists)) await tx.insertInto("artists").values(rows).execute();
  for (const rows of chunks(media)) await tx.insertInto("artist_media").values(rows).execute();
}

/** Assigns an artist without an owner to a user without an artist. Returns false if either has changed or the user may no longer be an artist. */
export async function assignOwner(tx: Tx, gift: { artistId: string; userId: string; now: Date }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update artists set user_id = ${gift.userId}, updated_at = installation_now()
    where id = ${gift.artistId} and user_id is null and not exists (select from artists own where own.user_id = ${gift.userId})
      and exists (select from profiles p join users u on u.id = p.user_id
        where u.id = ${gift.userId} and p.role = 'artist' and u.deleted_at is null and u.email_confirmed_at is not null
          and coalesce(u.banned_until <= ${gift.now}, true))`.execute(tx);
  return numAffectedRows === 1n;
}

/** Shows or hides the artist's page, search result and booking form: the artist's setting publicProfile. */
export const setPublic = (tx: Tx, artistId: string, isPublic: boolean) =>
  tx
    .updateTable("artists")
    .set({ is_public: isPublic, updated_at: sql<Date>`installation_now()` })
    .where("id", "=", artistId)
    .where("is_public", "<>", isPublic)
    .execute();

/** Makes the artist of a user who is suspended or has another role inactive, because nobody can answer its requests, and active again afterwards. An artist that an admin made inactive remains inactive. */
export async function applyOwnerAccess(tx: Tx, userId: string, now: Date): Promise<void> {
  const isClosed = (await isSuspended(tx, userId, now)) || !(await hasRoleArtist(tx, userId));
  const changed = await tx
    .updateTable("artists")
    .set({ is_active: !isClosed, inactive_by_suspension: isClosed, updated_at: sql<Date>`installation_now()` })
    .where("user_id", "=", userId)
    .where("is_active", "=", isClosed)
    .where("inactive_by_suspension", "=", !isClosed)
    .returning("id")
    .execute();
  if (changed.length > 0) await broadcastChange(tx, "artists", { userIds: [userId], admins: true });
}

const hasRoleArtist = (reader: Reader, userId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from profiles where user_id = ${userId} and role = 'artist'`;

export const isSuspended = (reader: Reader, userId: string, now: Date): Promise<boolean> =>
  hasRow(reader)`select 1 from users where id = ${userId} and banned_until > ${now}`;

/** Removes the owner of an artist and makes it inactive after the owner deleted the account. Returns the artist's id, if there was one. */
export const retireArtistOf = async (tx: Tx, userId: string): Promise<string | undefined> => {
  const retired = await tx
    .updateTable("artists")
    .set({
      user_id: null,
      is_active: false,
      inactive_by_suspension: false,
      contact_phone: null,
      updated_at: sql<Date>`installation_now()`,
    })
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return retired?.id;
};

/** Returns the artist of a user, locked. Locks the user first, because two concurrent first saves have no artist to lock. */
export async function lockArtistOf(tx: Tx, userId: string) {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  return tx.selectFrom("artists").selectAll().where("user_id", "=", userId).forUpdate().executeTakeFirst();
}
