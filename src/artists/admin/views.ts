import { type RawBuilder, sql } from "kysely";
import { rowsOf, type Reader, containing, countRows, onPage, orderOf } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { cardColumns } from "../card.views.ts";
import { genres } from "../rules.ts";
import type { AdminArtist, EditedArtist } from "./api.ts";
import type { AdminArtistSort } from "./rules.ts";

const columns = sql`${cardColumns}, a.is_active, a.is_public, a.featured_rank is not null as is_featured, a.booked_count, a.created_at,
  a.is_active and a.is_public and a.allowed_name is distinct from a.name_text and exists (
    select 1 from artists o where o.name_text = a.name_text and o.id <> a.id and o.is_active and o.is_public) as shares_name,
  (select jsonb_build_object('id', p.user_id, 'name', p.name, 'email', p.email) from profiles p where p.user_id = a.user_id) as owner`;

type Filters = { search?: string | undefined; active?: "active" | "inactive" | undefined };
type Query = Filters & { sort?: AdminArtistSort | undefined; page: number };

const newestFirst = sql`a.created_at desc, a.id desc`;
const ordered = {
  name: sql`lower(a.name)`,
  genre: sql`a.genre`,
  active: sql`a.is_active`,
  rate: sql`a.base_rate`,
  featured: sql`(a.featured_rank is not null)`,
};

/** Returns the condition "name or genre contains the text". Active and inactive names have an index each, and the condition names both. */
function matches(search: string): RawBuilder<boolean> {
  const pattern = sql`without_accents(${containing(search)}::text)`;
  const matching = genres.filter((genre) => genre.includes(search.toLowerCase()));
  const named = sql`(a.is_active and a.name_text like ${pattern}) or (not a.is_active and a.name_text like ${pattern})`;
  return matching.length > 0
    ? sql<boolean>`(${named} or a.genre in (${sql.join(matching)}))`
    : sql<boolean>`(${named})`;
}

export const allArtistsWhere = ({ search, active }: Filters): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(active ? [active === "active" ? sql`a.is_active` : sql`not a.is_active`] : []),
      ...(search ? [matches(search)] : []),
    ],
    sql` and `,
  );

export async function listAllArtists(reader: Reader, { sort, page, ...filters }: Query) {
  const found = sql`from artists a where ${allArtistsWhere(filters)}`;
  const order = orderOf(sort, ordered, sql`a.id`, newestFirst);
  const [items, counted] = await Promise.all([
    sql<AdminArtist>`select ${columns} ${found} order by ${order} ${onPage(page)}`.execute(reader),
    countRows(reader, sql`select 1 ${found}`),
  ]);
  return { items: items.rows, ...counted };
}

export async function readArtist(reader: Reader, id: string): Promise<EditedArtist> {
  const rows = await rowsOf<EditedArtist>(reader)`
    select ${columns}, a.bio, a.video_url from artists a where a.id = ${id}`;
  const [artist] = rows;
  if (!artist) throw notFound("Artist not found");
  return artist;
}
