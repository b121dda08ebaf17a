import { sql } from "kysely";
import { recordActivity } from "#activity/index.ts";
import { lockQueues } from "#calendar/holds/index.ts";
import { updateById, type Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { broadcastChange } from "#realtime/index.ts";
import { platformSettings } from "#settings/index.ts";
import { matchPlace } from "../gazetteer/index.ts";
import { moveCalendar } from "../move-calendar.ts";
import { artistRow, insertArtist, isSuspended } from "../store.ts";
import type { ArtistChanges } from "./api.ts";

export async function createArtist(tx: Tx, given: ArtistChanges & { name: string }, actorId: string): Promise<string> {
  const artist = await insertArtist(tx, {
    name: given.name,
    genre: given.genre ?? "other",
    bio: given.bio ?? "",
    baseRate: given.base_rate ?? 0,
    topRate: given.top_rate ?? null,
    location: given.location ?? "",
    photoUrl: given.photo_url ?? null,
    videoUrl: given.video_url ?? null,
    isActive: given.is_active ?? true,
    featuredRank: given.is_featured ? await firstRank(tx) : null,
  });
  await recordActivity(tx, {
    type: "system",
    refId: artist.id,
    message: `The artist ${artist.name} was created`,
    actorId,
  });
  await broadcastChange(tx, "artists", { admins: true });
  return artist.id;
}

/** Changes only the named fields. The slug stays, and links remain valid. Throws for a missing artist, invalid rates, and a conflict (409) to activate the artist of a suspended user. */
export async function changeArtist(
  tx: Tx,
  id: string,
  changes: ArtistChanges,
  { actorId, now }: Readonly<{ actorId: string; now: Date }>,
): Promise<void> {
  if (changes.location !== undefined) await lockQueues(tx, id);
  const before = await tx.selectFrom("artists").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (!before) throw notFound("Artist not found");
  if (changes.is_active && before.user_id && (await isSuspended(tx, before.user_id, now)))
    throw conflict(`The account of ${before.name} is suspended. Restore the user first.`);
  const { currency } = await platformSettings(tx);
  const becomesConfirmed = changes.base_rate !== undefined && before.price_currency !== currency;
  const storedTopRate = becomesConfirmed ? null : before.top_rate;
  const row = artistRow({
    name: changes.name ?? before.name,
    genre: changes.genre ?? before.genre,
    bio: changes.bio ?? before.bio,
    baseRate: changes.base_rate ?? before.base_rate,
    topRate: changes.top_rate === undefined ? storedTopRate : changes.top_rate,
    photoUrl: changes.photo_url === undefined ? before.photo_url : changes.photo_url,
    videoUrl: changes.video_url === undefined ? before.video_url : changes.video_url,
    isActive: changes.is_active ?? before.is_active,
    location: changes.location ?? before.location,
    timeZone: before.time_zone,
  });
  const { name, genre, bio, base_rate, top_rate, photo_url, video_url, is_active, location, lat, lon } = row;
  const moved = changes.location !== undefined && changes.location !== before.location;
  const town = moved ? matchPlace(row.location) : null;
  await updateById(tx, "artists", id, {
    name,
    genre,
    bio,
    base_rate,
    top_rate,
    ...(becomesConfirmed ? { price_currency: currency } : {}),
    photo_url,
    ...(photo_url === before.photo_url ? {} : { photo_image: null }),
    video_url,
    is_active,
    ...(changes.is_active === undefined ? {} : { inactive_by_suspension: false }),
    // A location that the gazetteer does not know keeps the time zone, because shows and deadlines depend on it.
    ...(moved && { location, lat, lon, place_id: town?.id ?? null, time_zone: town?.timeZone ?? before.time_zone }),
    ...(changes.is_featured === undefined ? {} : { featured_rank: await rankFor(tx, before, changes.is_featured) }),
    version: before.version + 1,
    updated_at: sql<Date>`installation_now()`,
  });
  if (town) await moveCalendar(tx, before, town.timeZone, now);
  if (changes.allow_shared_name) await allowName(tx, before.name_text);
  await recordActivity(tx, {
    type: "system",
    refId: id,
    message: messageOf(before, { ...changes, name }),
    meta: { changed: Object.keys(changes) },
    actorId,
  });
  await broadcastChange(tx, "artists", { userIds: [before.user_id], admins: true });
}

/** Allows the published artists of a name to share it. A later one requires an admin again. */
const allowName = (tx: Tx, name_text: string) =>
  tx
    .updateTable("artists")
    .set({ allowed_name: name_text })
    .where("name_text", "=", name_text)
    .where("is_active", "=", true)
    .where("is_public", "=", true)
    .execute();

function messageOf(before: { name: string; is_active: boolean }, changes: ArtistChanges & { name: string }): string {
  if (changes.is_active !== undefined && changes.is_active !== before.is_active)
    return `The artist ${changes.name} was made ${changes.is_active ? "active" : "inactive"}`;
  if (changes.is_featured !== undefined && Object.keys(changes).length === 2)
    return `The artist ${changes.name} was ${changes.is_featured ? "featured" : "removed from the featured artists"}`;
  if (changes.allow_shared_name) return `Several published artists may have the name ${changes.name}`;
  return `The artist ${changes.name} was edited`;
}

async function firstRank(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom("artists")
    .select((one) => one.fn.min("featured_rank").as("first"))
    .executeTakeFirst();
  return (row?.first ?? 1) - 1;
}

const rankFor = async (tx: Tx, before: { featured_rank: number | null }, featured: boolean): Promise<number | null> =>
  featured ? (before.featured_rank ?? firstRank(tx)) : null;
