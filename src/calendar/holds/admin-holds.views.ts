/** The nights on hold of all artists, for admins. */
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { mostCounted, rowsPerPage } from "#platform/list.rules.ts";
import type { ListedHold } from "./holds.api.ts";
import { isBeingBooked } from "./holds.views.ts";

/** Returns a page of nights: the open ones first, the nearest deadline first, then those that ended, the newest first. */
export async function listHolds(
  reader: Reader,
  { page = 1 }: { page?: number | undefined },
): Promise<{ items: ListedHold[]; total: number; capped: boolean }> {
  const [{ rows }, counted] = await Promise.all([
    sql<Omit<ListedHold, "can"> & { being_booked: boolean }>`
      select n.id, n.hold_id, to_char(n.night, 'YYYY-MM-DD') as night, coalesce(n.rank, n.ended_rank) as rank, n.state,
        coalesce(n.ended_at, n.challenge_ends_at, n.expires_at) as ends_at,
        n.challenge_ends_at is not null or n.must_pay as must_pay, n.booking_id,
        json_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location) as artist,
        coalesce(h.entered_name, nullif(p.name, ''), 'A promoter') as promoter_name, h.promoter_user_id is not null as has_account,
        n.state = 'active' and ${isBeingBooked("n")} as being_booked
      from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id
        left join profiles p on p.user_id = n.promoter_user_id
      order by n.state = 'active' desc, case when n.state = 'active' then coalesce(n.challenge_ends_at, n.expires_at) end, n.ended_at desc, n.id
      limit ${rowsPerPage}::int offset ${(page - 1) * rowsPerPage}::int`.execute(reader),
    sql<{ total: number }>`
      select count(*)::int as total from (select 1 from hold_nights limit ${mostCounted + 1}::int) counted`.execute(
      reader,
    ),
  ]);
  const total = counted.rows[0]?.total ?? 0;
  return {
    items: rows.map(({ being_booked, ...row }) => ({
      ...row,
      can: { release: row.state === "active" && !being_booked },
    })),
    total: Math.min(total, mostCounted),
    capped: total > mostCounted,
  };
}
