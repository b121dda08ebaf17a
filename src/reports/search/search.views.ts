import { sql } from "kysely";
import { bookingsWhere } from "#bookings/index.ts";
import { rowsOf, type Reader, containing } from "#platform/db/index.ts";
import { artistColumn } from "../lists/columns.ts";
import type { SearchHits } from "./search.api.ts";

export type SearchCaller = Readonly<{ userId: string; role: "admin" | "artist" | "promoter" }>;

const maxHits = 5;
/** Maximum number of the newest matching bookings that are sorted. A common text would otherwise sort the whole table. */
const maxSorted = 200;
/** Minimum length of a search. Shorter texts match nearly every name. */
const minLength = 2;

const nothing: SearchHits = { bookings: [], artists: [], users: [] };

export async function searchAll(
  reader: Reader,
  { text, who, ...at }: { text: string; who: SearchCaller; now: Date; payments: boolean },
): Promise<SearchHits> {
  if (text.length < minLength) return nothing;
  const [bookings, artists, users] = await Promise.all([
    findBookings(reader, text, { ...at, side: who.role, userId: who.userId }),
    findArtists(reader, text, who),
    who.role === "admin" ? findPeople(reader, text) : [],
  ]);
  return { bookings, artists, users };
}

function numberIn(text: string): string {
  const [, number = ""] = /^(?:sd[- ]?)?([0-9a-z]{6})$/i.exec(text) ?? [];
  return `SD-${number.toUpperCase()}`;
}

function findBookings(reader: Reader, text: string, reading: Parameters<typeof bookingsWhere>[1]) {
  const number = numberIn(text);
  return rowsOf<SearchHits["bookings"][number]>(reader)`
    select f.id, f.number, f.event_date, f.promoter_name, f.venue_name, f.status,
      ${artistColumn}
    from (
      (select b.* from bookings b where b.number = ${number} and ${bookingsWhere({}, reading)})
      union
      (select b.* from bookings b where ${bookingsWhere({ search: text }, reading)}
        order by b.created_at desc, b.id desc limit ${sql.lit(maxSorted)})
    ) f join artists a on a.id = f.artist_id
    order by f.number = ${number} desc, abs(extract(epoch from f.starts_at - ${reading.now}::timestamptz)), f.id
    limit ${sql.lit(maxHits)}`;
}

function findArtists(reader: Reader, text: string, { role }: SearchCaller) {
  const pattern = sql`without_accents(${containing(text)}::text)`;
  const more = role === "admin" ? sql`or (not a.is_active and a.name_text like ${pattern})` : sql`and a.is_public`;
  return rowsOf<SearchHits["artists"][number]>(reader)`
    select a.slug, a.name, a.genre, a.location, a.is_active, a.is_public from artists a
    where (a.is_active and a.name_text like ${pattern}) ${more}
    order by starts_with(a.name_text, without_accents(${text}::text)) desc, a.booked_count desc, a.id
    limit ${sql.lit(maxHits)}`;
}

const findPeople = (reader: Reader, text: string) =>
  rowsOf<SearchHits["users"][number]>(reader)`
    select p.user_id as id, p.name, p.email, p.role from profiles p join users u on u.id = p.user_id
    where u.deleted_at is null and without_accents(p.name || ' ' || p.email) like without_accents(${containing(text)}::text)
    order by starts_with(without_accents(p.name), without_accents(${text}::text)) desc, p.created_at desc, p.user_id
    limit ${sql.lit(maxHits)}`;
