import { sql } from "kysely";
import { type Reader, countRows, onPage, orderOf } from "#platform/db/index.ts";
import type { ListedHold } from "./holds.api.ts";
import type { HoldSort } from "./list.rules.ts";
import { isBeingBooked } from "./queue.views.ts";

const promoterName = sql`coalesce(h.entered_name, nullif(p.name, ''), 'A promoter')`;
const openFirst = sql`
  n.state = 'active' desc, case when n.state = 'active' then coalesce(n.challenge_ends_at, n.expires_at) end, n.ended_at desc, n.id`;
const columns = {
  artist: sql`lower(a.name)`,
  promoter: sql`lower(${promoterName})`,
  night: sql`n.night`,
  state: sql`n.state`,
};

export async function listHolds(
  reader: Reader,
  { sort, page = 1 }: { sort?: HoldSort | undefined; page?: number | undefined },
): Promise<{ items: ListedHold[]; total: number; capped: boolean }> {
  const [{ rows }, counted] = await Promise.all([
    sql<Omit<ListedHold, "can"> & { being_booked: boolean }>`
      select n.id, n.hold_id, to_char(n.night, 'YYYY-MM-DD') as night, coalesce(n.rank, n.ended_rank) as rank, n.state,
        coalesce(n.ended_at, n.challenge_ends_at, n.expires_at) as ends_at,
        n.challenge_ends_at is not null or n.must_pay as must_pay, n.booking_id,
        json_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location) as artist,
        ${promoterName} as promoter_name, h.promoter_user_id is not null as has_account,
        n.state = 'active' and ${isBeingBooked("n")} as being_booked
      from hold_nights n join holds h on h.id = n.hold_id join artists a on a.id = n.artist_id
        left join profiles p on p.user_id = n.promoter_user_id
      order by ${orderOf(sort, columns, sql`n.id`, openFirst)} ${onPage(page)}`.execute(reader),
    countRows(reader, sql`select 1 from hold_nights`),
  ]);
  return {
    items: rows.map(({ being_booked, ...row }) => ({
      ...row,
      can: { release: row.state === "active" && !being_booked },
    })),
    ...counted,
  };
}
