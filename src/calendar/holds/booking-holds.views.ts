import { sql } from "kysely";
import { firstRowOf, rowsOf, type Reader } from "#platform/db/index.ts";
import { artistSettings } from "#settings/index.ts";
import type { HoldsOfBooking } from "../api.ts";
import { expiredHoldsBefore } from "../checkout-hold.rules.ts";
import { nightOfShow, promoterName } from "../views.ts";

type Row = {
  night: string;
  from: (Omit<NonNullable<HoldsOfBooking["from"]>, "until"> & { until: string }) | null;
  queue: { rank: number; promoter_name: string; until: string }[];
};

export async function holdsOfBooking(
  reader: Reader,
  { id, artist_id: artistId, starts_at: startsAt }: { id: string; artist_id: string; starts_at: Date },
): Promise<HoldsOfBooking | null> {
  const { nightEndsAt } = await artistSettings(reader, artistId);
  const rows = await rowsOf<Row>(reader)`
    with own as (
      select * from hold_nights where booking_id = ${id}::uuid
      order by state = 'booked' desc, state = 'active' desc, ended_at desc limit 1),
    place as (select coalesce((select night from own), ${nightOfShow({ artistId, startsAt, nightEndsAt })}) as night)
    select to_char(place.night, 'YYYY-MM-DD') as night,
      (select jsonb_build_object('rank', coalesce(own.rank, own.ended_rank), 'state', own.state, 'until', coalesce(own.challenge_ends_at, own.expires_at),
        'released_nights', (select coalesce(jsonb_agg(to_char(n.night, 'YYYY-MM-DD') order by n.night), '[]') from hold_nights n
          where n.hold_id = own.hold_id and n.id <> own.id and own.state = 'booked' and n.state = 'released' and n.ended_at = own.ended_at),
        'ended_others', (select count(*) from hold_nights n
          where n.artist_id = own.artist_id and n.night = own.night and own.state = 'booked' and n.state = 'superseded' and n.ended_at = own.ended_at)) from own) as from,
      (select coalesce(jsonb_agg(jsonb_build_object('rank', n.rank, 'promoter_name', ${promoterName()},
          'until', coalesce(n.challenge_ends_at, n.expires_at)) order by n.rank), '[]')
        from hold_nights n join holds h on h.id = n.hold_id left join profiles p on p.user_id = n.promoter_user_id
        where n.artist_id = ${artistId}::uuid and n.night = place.night and n.state = 'active' and n.booking_id is distinct from ${id}::uuid) as queue
    from place`;
  const [row] = rows;
  if (!row || (!row.from && row.queue.length === 0)) return null;
  return {
    night: row.night,
    from: row.from && { ...row.from, until: new Date(row.from.until) },
    queue: row.queue.map((one) => ({ ...one, until: new Date(one.until) })),
  };
}

/** Returns the ends of what reserves the date for an unpaid booking: of its open checkout, and of its promoter's hold. Null for neither. */
export async function reservedUntil(reader: Reader, bookingId: string, now: Date) {
  const row = await firstRowOf<{ checkout: Date | null; hold: Date | null }>(reader)`
    select
      (select expires_at from date_reservations
        where booking_id = ${bookingId}::uuid and kind = 'hold' and expires_at > ${expiredHoldsBefore(now)}::timestamptz) as checkout,
      (select max(coalesce(n.challenge_ends_at, n.expires_at)) filter (where n.state = 'active') from hold_nights n
        where n.booking_id = ${bookingId}::uuid having not bool_or(n.state = 'booked')) as hold`;
  return row ?? { checkout: null, hold: null };
}

export const findHoldNotice = (reader: Reader, holdNightId: string) =>
  reader
    .selectFrom("hold_nights as n")
    .innerJoin("holds as h", "h.id", "n.hold_id")
    .innerJoin("artists as a", "a.id", "n.artist_id")
    .leftJoin("profiles as p", "p.user_id", "n.promoter_user_id")
    .leftJoin("users as u", "u.id", "n.promoter_user_id")
    .select([
      "u.deleted_at",
      "n.night",
      "n.promoter_user_id",
      "n.artist_id",
      "n.hold_id",
      "n.booking_id",
      "h.entered_name",
      "h.created_at as held_at",
    ])
    .select(
      sql<
        string[]
      >`array(select to_char(o.night, 'YYYY-MM-DD') from hold_nights o where o.hold_id = n.hold_id order by o.night)`.as(
        "hold_nights",
      ),
    )
    .select(["a.name as artist_name", "a.user_id as artist_user_id", "a.time_zone", "p.name as promoter_name"])
    .where("n.id", "=", holdNightId)
    .executeTakeFirst();
