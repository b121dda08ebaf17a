import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { busyElsewhere } from "#calendar/import/index.ts";
import type { ContractSide } from "#contracts/rules.ts";
import { payoutsOf } from "#payouts/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { readSort } from "#platform/list.rules.ts";
import { bookingsWhere, type ListReading } from "../conditions/filters.views.ts";
import { paidCents, summarize } from "../conditions/saved-filters.views.ts";
import type { OwnBookingColumn, OwnBookingSort, SavedFilter } from "../rules/list.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import { byStatus, defaultLimit, listQuery, noRelation, toArtistBooking, toListedBooking } from "../views.ts";

type Own = {
  search?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  show?: SavedFilter | undefined;
  sort?: OwnBookingSort | undefined;
  month?: string | undefined;
};

/** Returns the bookings of an account's artist, by event date by default, and with the filter `past` the latest first. */
export async function listArtistBookings(reader: Reader, userId: string, input: Own, at: ReadingTime) {
  const { rows, ...page } = await listOwn(reader, input, { ...at, side: "artist", userId });
  const ids = rows.map(({ id }) => id);
  const [conflicts, payouts] = await Promise.all([busyElsewhere(reader, ids), payoutsOf(reader, ids, at.now)]);
  const busy = new Map(conflicts.map((entry) => [entry.booking_id, entry]));
  const items = rows.map((row) => ({
    ...toArtistBooking(row, { ...at, relation: { ...noRelation, artist: true } }),
    busy_elsewhere: busy.get(row.id) ?? null,
    payout_status: payouts.get(row.id)?.status ?? null,
  }));
  return { ...page, items };
}

export async function listPromoterBookings(reader: Reader, userId: string, input: Own, at: ReadingTime) {
  const { rows, ...page } = await listOwn(reader, input, { ...at, side: "promoter", userId });
  const reading = { ...at, relation: { ...noRelation, promoter: true } };
  return { ...page, items: rows.map((row) => toListedBooking(row, reading)) };
}

const keyShapes = { date: cursorKeys.day, int: cursorKeys.int, text: cursorKeys.text } as const;

const sortKeys: Readonly<
  Record<OwnBookingColumn, Readonly<{ by: RawBuilder<unknown>; type: keyof typeof keyShapes }>>
> = {
  event: { by: sql`b.event_date`, type: "date" },
  amount: { by: sql`b.fee_cents`, type: "int" },
  paid: { by: sql`(${paidCents})::int`, type: "int" },
  artist: { by: sql`lower(a.name)`, type: "text" },
  promoter: { by: sql`lower(b.promoter_name)`, type: "text" },
  venue: { by: sql`lower(b.venue_name)`, type: "text" },
  status: { by: byStatus, type: "int" },
};

/** Returns one page of a user's own bookings, equal ones by start. The first page includes the counts of the saved filters. */
async function listOwn(
  reader: Reader,
  { search, show, month, cursor, limit = defaultLimit, ...input }: Own,
  reading: ListReading & Readonly<{ side: ContractSide }>,
) {
  const sort = input.sort ?? (show === "past" ? "-event" : "event");
  const { column, down } = readSort(sort);
  const { by, type } = sortKeys[column];
  const direction = down ? "desc" : "asc";
  const after = readCursor<[string | number, number, string]>(
    cursor,
    z.tuple([keyShapes[type], cursorKeys.micros, cursorKeys.id]),
  );
  let found = listQuery(reader, reading.now)
    .select(sql<string | number>`${by}`.as("sort_key"))
    .where(bookingsWhere({ search, show }, reading))
    .orderBy(by, direction)
    .orderBy("b.starts_at", direction)
    .orderBy("b.id", direction)
    .limit(limit + 1);
  if (month) {
    const first = sql<string>`${`${month}-01`}::date`;
    found = found.where("b.event_date", ">=", first).where(sql<boolean>`b.event_date < ${first} + interval '1 month'`);
  }
  if (after) {
    const row = sql`(${after[0]}::${sql.raw(type)}, timestamptz 'epoch' + ${after[1]}::bigint * interval '1 microsecond', ${after[2]}::uuid)`;
    found = found.where(sql<boolean>`(${by}, b.starts_at, b.id) ${sql.raw(down ? "<" : ">")} ${row}`);
  }
  const [matching, summary] = await Promise.all([
    found.execute(),
    cursor || month ? null : summarize(reader, bookingsWhere({ search }, reading), show, reading),
  ]);
  const rows = matching.slice(0, limit);
  const last = rows.at(-1);
  const key = last && [last.sort_key, last.starts_at.getTime() * 1000, last.id];
  return { rows, nextCursor: matching.length > limit && key ? cursorFor(key) : null, summary };
}
