import { sql } from "kysely";
import { hasRow, type Reader } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { sameName } from "../rules.ts";

/** Finds by the index. Databases also fold the case of some look-alikes (the Kelvin sign becomes a k), and sameName decides. */
const nearName = (name: string) =>
  sql<boolean>`lower(regexp_replace(trim(artists.name), '\\s+', ' ', 'g')) = lower(regexp_replace(trim(${name}), '\\s+', ' ', 'g'))`;

export async function listClaimableArtists(reader: Reader, name: string) {
  const rows = await reader
    .selectFrom("artists")
    .select(["id as artistId", "name", "slug", "genre"])
    .where("user_id", "is", null)
    .where(nearName(name))
    .orderBy("created_at")
    .limit(100)
    .execute();
  return rows.filter((row) => sameName(row.name, name)).slice(0, 10);
}

export const ownsArtist = (reader: Reader, userId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from artists where user_id = ${userId}`;

const selectClaims = (reader: Reader) =>
  reader
    .selectFrom("profile_claims as c")
    .innerJoin("artists as a", "a.id", "c.artist_id")
    .innerJoin("users as u", "u.id", "c.user_id")
    .innerJoin("profiles as p", "p.user_id", "c.user_id")
    .select(["c.id", "c.artist_id as artistId", "a.name as artistName", "c.evidence", "c.granted", "c.note"])
    .select(["c.created_at as createdAt", "c.decided_at as decidedAt"]);

export async function requireClaim(reader: Reader, id: string) {
  const row = await selectClaims(reader).where("c.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("There is no such claim.");
  return row;
}

export const listProfileClaimsOf = (reader: Reader, userId: string) =>
  selectClaims(reader).where("c.user_id", "=", userId).orderBy("c.created_at", "desc").limit(100).execute();

/** Returns the claims that an admin could grant now, at most 100, and how many there are. Those of suspended users are hidden until they are restored. */
export async function listOpenProfileClaims(reader: Reader, now: Date) {
  const items = await selectClaims(reader)
    .select(["c.user_id as userId", "p.name as userName", "p.email as userEmail"])
    .select(sql<boolean>`u.email_confirmed_at is not null`.as("emailVerified"))
    .select(sql<number>`(count(*) over ())::int`.as("total"))
    .where("c.decided_at", "is", null)
    .where("p.role", "=", "artist")
    .where("u.deleted_at", "is", null)
    .where(sql<boolean>`coalesce(u.banned_until <= ${now}, true)`)
    .orderBy("c.created_at")
    .limit(100)
    .execute();
  return { items, total: items[0]?.total ?? 0 };
}
