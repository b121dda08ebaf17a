import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { rowsOf, type Reader, orderOf } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { maxCounted } from "#platform/list.rules.ts";
import { bookingsWhere, type Filters, type ListReading } from "../conditions/filters.views.ts";
import type { BookingStatus } from "../rules/flow.rules.ts";
import type { BookingColumn, BookingSort } from "../rules/list.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import { byStatus, defaultLimit, listQuery, noRelation, toListedBooking } from "../views.ts";

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
  artist: sql`lower(a.name)`,
  promoter: sql`lower(b.promoter_name)`,
  venue: sql`lower(b.venue_name)`,
  status: byStatus,
};

/** Returns one page of all bookings. The ids are found by an index first, then the rows are read. A cursor continues in the default order. */
export async function listAllBookings(reader: Reader, input: Input, at: ReadingTime) {
  const { search, status, show, from, to, sort, limit = defaultLimit, page = 1 } = input;
  const filters = { search, show, from, to };
  const reading = { ...at, side: "admin" as const };
  const after = readCursor(input.cursor, z.tuple([cursorKeys.micros, cursorKeys.id]));
  const order = orderOf(after ? undefined : sort, columns, sql`b.id`, newest);
  const beyond = after
    ? sql`and (b.created_at, b.id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
    : sql``;
  const ids = sql`
    select b.id from bookings b join artists a on a.id = b.artist_id where ${bookingsWhere({ ...filters, status }, reading)} ${beyond}
    order by ${order} limit ${limit + 1}::int offset ${after ? 0 : (page - 1) * limit}::int`;
  const [rows, counted] = await Promise.all([
    listQuery(reader, at.now)
      .where(sql<boolean>`b.id in (${ids})`)
      .orderBy(order)
      .execute(),
    countByStatus(reader, filters, reading),
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
async function countByStatus(reader: Reader, filters: Omit<Filters, "status">, reading: ListReading): Promise<Counted> {
  const matching = sql`bookings b where ${bookingsWhere(filters, reading)}`;
  const found = filters.search ? sql`(select b.* from ${matching} limit ${maxCounted + 1}::int) b` : matching;
  const rows = await rowsOf<Counted["rows"][number]>(reader)`
    select b.status, b.currency, count(*)::int as count, sum(b.fee_cents)::bigint as fee_cents
    from ${found} group by b.status, b.currency order by b.status, count(*) desc`;
  return { rows, capped: filters.search !== undefined && countOf(rows) > maxCounted };
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
