import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { rowsOf, type Reader, containing, orderOf } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { maxCounted } from "#platform/list.rules.ts";
import { type FilterReading, savedFilter } from "../conditions/saved-filters.views.ts";
import type { BookingStatus } from "../rules/flow.rules.ts";
import type { BookingColumn, BookingSort, SavedFilter } from "../rules/list.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import { byStatus, defaultLimit, listQuery, noRelation, toListedBooking } from "../views.ts";

type Filters = { search?: string | undefined; status?: BookingStatus | undefined; show?: SavedFilter | undefined };
type Input = Filters & {
  limit?: number | undefined;
  cursor?: string | undefined;
  page?: number | undefined;
  sort?: BookingSort | undefined;
};

const newest = sql`b.created_at desc, b.id desc`;
const columns: Readonly<Record<BookingColumn, RawBuilder<unknown>>> = {
  event: sql`b.event_date`,
  amount: sql`b.fee_cents`,
  artist: sql`(select lower(by_name.name) from artists by_name where by_name.id = b.artist_id)`,
  promoter: sql`lower(b.promoter_name)`,
  venue: sql`lower(b.venue_name)`,
  status: byStatus,
};

const narrowedTo = (
  show: SavedFilter | undefined,
  now: Date,
  side: FilterReading["side"] = "admin",
): RawBuilder<boolean> => (show ? savedFilter(show, { side, now, payments: true }) : sql<boolean>`true`);

/** Returns the condition that a booking `b` matches in artist, promoter, venue or number. Artists are looked up first, because then both parts use an index (migration 0120). */
export function bookingMatches(text: string): RawBuilder<boolean> {
  const pattern = sql`${containing(text)}::text`;
  const name = sql`without_accents(${pattern})`;
  return sql<boolean>`(lower(b.promoter_name || chr(10) || b.venue_name || chr(10) || b.number) like lower(${pattern})
    or b.artist_id = any (array(
      select a.id from artists a
      where (a.is_active and a.name_text like ${name}) or (not a.is_active and a.name_text like ${name}))))`;
}

/** Returns the filters of a list as a condition on `bookings b`, for a promoter also on `artists a`. `side` selects the saved filters. */
export const bookingsWhere = ({ search, status, show }: Filters, now: Date, side?: FilterReading["side"]) =>
  sql<boolean>`${search ? bookingMatches(search) : sql`true`} and ${narrowedTo(show, now, side)}${status ? sql` and b.status = ${status}` : sql``}`;

/** Returns one page of all bookings. The ids are found by an index first, then the rows are read. A cursor continues in the default order. */
export async function listAllBookings(reader: Reader, input: Input, at: ReadingTime) {
  const { search, status, show, sort, limit = defaultLimit, page = 1 } = input;
  const after = readCursor(input.cursor, z.tuple([cursorKeys.micros, cursorKeys.id]));
  const order = orderOf(after ? undefined : sort, columns, sql`b.id`, newest);
  const beyond = after
    ? sql`and (b.created_at, b.id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
    : sql``;
  const ids = sql`
    select b.id from bookings b where ${bookingsWhere({ search, status, show }, at.now)} ${beyond}
    order by ${order} limit ${limit + 1}::int offset ${after ? 0 : (page - 1) * limit}::int`;
  const [rows, counted] = await Promise.all([
    listQuery(reader, at.now)
      .where(sql<boolean>`b.id in (${ids})`)
      .orderBy(order)
      .execute(),
    countByStatus(reader, { search, show }, at.now),
  ]);
  const displayed = status ? counted.rows.filter((row) => row.status === status) : counted.rows;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && order === newest;
  return {
    items: shown.map((row) => toListedBooking(row, { ...at, relation: { ...noRelation, admin: true } })),
    nextCursor: hasNext && last ? cursorFor([last.micros, last.id]) : null,
    total: counted.capped ? maxCounted : countOf(displayed),
    capped: counted.capped,
    by_status: counted.capped ? null : statusCounts(counted.rows),
    sums: counted.capped ? null : sumsOf(displayed),
  };
}

type Counted = {
  rows: { status: BookingStatus; currency: string; count: number; fee_cents: number }[];
  capped: boolean;
};

/** Counts the bookings of the filters by status. A search is counted up to the last page only, because the counts are requested often. */
async function countByStatus(reader: Reader, { search, show }: Omit<Filters, "status">, now: Date): Promise<Counted> {
  const found = search
    ? sql`(select b.* from bookings b where ${bookingsWhere({ search, show }, now)} limit ${maxCounted + 1}::int) b`
    : sql`bookings b where ${narrowedTo(show, now)}`;
  const rows = await rowsOf<Counted["rows"][number]>(reader)`
    select b.status, b.currency, count(*)::int as count, sum(b.fee_cents)::bigint as fee_cents
    from ${found} group by b.status, b.currency order by b.status, count(*) desc`;
  return { rows, capped: search !== undefined && countOf(rows) > maxCounted };
}

const countOf = (rows: Counted["rows"]): number => rows.reduce((sum, { count }) => sum + count, 0);

const statusCounts = (rows: Counted["rows"]) =>
  Array.from(
    Map.groupBy(rows, ({ status }) => status),
    ([status, group]) => ({ status, count: countOf(group) }),
  );

/** Returns the fees of the displayed bookings, one entry per currency. Canceled bookings add no fee. */
const sumsOf = (rows: Counted["rows"]) =>
  Array.from(
    Map.groupBy(rows, ({ currency }) => currency),
    ([currency, group]) => {
      const others = group.filter((row) => row.status !== "canceled");
      const bookings = countOf(group);
      const fee_cents = others.reduce((sum, row) => sum + row.fee_cents, 0);
      return { currency, bookings, canceled: bookings - countOf(others), fee_cents };
    },
  );
