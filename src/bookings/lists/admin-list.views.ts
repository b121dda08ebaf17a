import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { orderOf } from "#platform/db/pages.ts";
import { maxCounted } from "#platform/list.rules.ts";
import type { BookingColumn, BookingSort, SavedFilter } from "../rules/list.rules.ts";
import type { BookingStatus } from "../rules/flow.rules.ts";
import { type FilterReading, savedFilter } from "../saved-filters.views.ts";
import { bookingMatches } from "./search.views.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import { byStatus, defaultLimit, listQuery, nobody, toListedBooking } from "../views.ts";

type Filters = {
  search?: string | undefined;
  status?: BookingStatus | undefined;
  show?: SavedFilter | undefined;
};
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
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasNext = rows.length > limit && order === newest;
  return {
    items: shown.map((row) => toListedBooking(row, { ...at, relation: { ...nobody, admin: true } })),
    nextCursor: hasNext && last ? cursorFor([last.micros, last.id]) : null,
    ...totalOf(counted, status),
    by_status: counted.capped ? null : statusCounts(counted.rows),
    sums: counted.capped ? null : sumsOf(counted.rows, status),
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
  const { rows } = await sql<Counted["rows"][number]>`
    select b.status, b.currency, count(*)::int as count, sum(b.fee_cents)::bigint as fee_cents
    from ${found} group by b.status, b.currency order by b.status, count(*) desc`.execute(reader);
  return { rows, capped: search !== undefined && rows.reduce((sum, row) => sum + row.count, 0) > maxCounted };
}

function statusCounts(rows: Counted["rows"]): { status: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { status, count } of rows) counts.set(status, (counts.get(status) ?? 0) + count);
  return Array.from(counts, ([status, count]) => ({ status, count }));
}

/** Returns the fees of the displayed bookings, one entry per currency. Canceled bookings add no fee. */
function sumsOf(rows: Counted["rows"], status: BookingStatus | undefined) {
  const sums = new Map<string, { currency: string; bookings: number; canceled: number; fee_cents: number }>();
  for (const row of rows) {
    if (status && row.status !== status) continue;
    const sum = sums.get(row.currency) ?? { currency: row.currency, bookings: 0, canceled: 0, fee_cents: 0 };
    sum.bookings += row.count;
    if (row.status === "canceled") sum.canceled += row.count;
    else sum.fee_cents += row.fee_cents;
    sums.set(row.currency, sum);
  }
  return [...sums.values()];
}

function totalOf({ rows, capped }: Counted, status: BookingStatus | undefined): { total: number; capped: boolean } {
  if (capped) return { total: maxCounted, capped };
  const counted = status ? rows.filter((row) => row.status === status) : rows;
  return { total: counted.reduce((sum, row) => sum + row.count, 0), capped };
}
