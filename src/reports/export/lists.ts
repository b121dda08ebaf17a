import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { logFilters } from "#activity/api.ts";
import { logMatches, shownMessage } from "#activity/index.ts";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { paymentTables } from "../lists/columns.ts";
import { paymentsWhere } from "../lists/payments-search.views.ts";
import { paymentFilters } from "../lists/payments.api.ts";
import type { Cell } from "./csv.ts";

export type Position = Readonly<{ position: string; id: string }>;

/** The rows to read next: at most `limit` after a position. `only`: the selected rows. `now`: the time of the request. `payments`: a card provider is set up. `timeZone`: of the platform. */
export type Batch = Readonly<{
  after: Position | undefined;
  only: readonly string[] | undefined;
  limit: number;
  now: Date;
  payments: boolean;
  timeZone: string;
  userId: string;
}>;

/** One exported list, newest first. Each title of `columns` has a cell of the row at the same index. */
export type ExportedList<Filters = never> = Readonly<{
  columns: string;
  filters: z.ZodType<Filters>;
  ids?: z.ZodType<string>;
  batch(filters: Filters, batch: Batch): RawBuilder<Position & { cells: Cell[] }>;
}>;

export const money = (cents: string): RawBuilder<unknown> =>
  sql`jsonb_build_object('decimal', ((${sql.raw(cents)}) / 100.0)::numeric(20, 2)::text)`;

const instant = (moment: string): RawBuilder<unknown> =>
  sql`to_char(${sql.raw(moment)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Ends a query: the rows after the position, newest first by a time and an id, and only the selected ones. `type`: of the id. */
export function nextRows(
  { after, only, limit }: Batch,
  time: string,
  id: string,
  type: "uuid" | "text" | "bigint" = "uuid",
): RawBuilder<unknown> {
  const [at, key] = [sql.ref(time), sql.ref(id)];
  return sql`
    ${after ? sql`and (${at}, ${key}) < (${after.position}::timestamptz, ${after.id}::${sql.raw(type)})` : sql``}
    ${only ? sql`and ${key} = any (${only}::${sql.raw(type)}[])` : sql``}
    order by ${at} desc, ${key} desc limit ${limit}::int`;
}

export const localTime = (moment: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${moment} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS')`;

export const platformTime = (moment: string, { timeZone }: Batch): RawBuilder<unknown> =>
  localTime(sql.raw(moment), sql`${timeZone}::text`);

export const bookingSums = sql`cross join lateral (
  select coalesce(sum(f.amount) filter (where p.payment_date is not null), 0)::int as paid,
    coalesce(sum(f.refunded_cents), 0)::int as refunded, coalesce(sum(f.disputed_cents), 0)::int as disputed
  from payments p join payment_figures f on f.payment_id = p.id where p.booking_id = b.id) sums`;

export const list = <Filters>(given: ExportedList<Filters>): ExportedList<Filters> => given;

export const bookings = list<Parameters<typeof bookingsWhere>[0]>({
  columns: `Number, Status, Artist, Promoter, Email, Phone, Venue, Event date, Event time, Time zone, Event type, Guests,
    Currency, Fee, Deposit, Balance, Paid, Refunded, Lost in disputes, Contract, Requested, Time zone of the request`,
  filters: z.strictObject(bookingFilters),
  batch: (filters, batch) => sql`
    select b.id, b.created_at::text as position, jsonb_build_array(b.number, b.status, a.name, b.promoter_name, b.promoter_email,
      b.promoter_phone, b.venue_name, b.event_date, b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency,
      ${money("b.fee_cents")}, ${money("b.deposit_cents")}, ${money("b.balance_cents")}, ${money("sums.paid")}, ${money("sums.refunded")},
      ${money("sums.disputed")}, c.signed_status, ${platformTime("b.created_at", batch)}, ${batch.timeZone}::text) as cells
    from bookings b join artists a on a.id = b.artist_id left join contracts c on c.booking_id = b.id ${bookingSums}
    where ${bookingsWhere(filters, { ...batch, side: "admin" })} ${nextRows(batch, "b.created_at", "b.id")}`,
});

export const payments = list<Parameters<typeof paymentsWhere>[0]>({
  columns: `Booking, Artist, Promoter, Event date, Kind, Status, Currency, Amount, Refunded, Lost in disputes,
    Provider, Provider reference, Payment intent, Paid, Created, Time zone`,
  filters: z.strictObject(paymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, jsonb_build_array(b.number, a.name, b.promoter_name, b.event_date, p.kind, p.status,
      p.currency, ${money("f.amount")}, ${money("f.refunded_cents")}, ${money("f.disputed_cents")},
      p.provider, p.provider_ref, p.provider_payment, ${platformTime("p.payment_date", batch)},
      ${platformTime("p.created_at", batch)}, ${batch.timeZone}::text) as cells
    from ${paymentTables}
    where ${paymentsWhere(filters, batch.timeZone)} ${nextRows(batch, "p.created_at", "p.id")}`,
});

export const logs = list<Parameters<typeof logMatches>[0]>({
  columns: "Time, Type, Message, Reference id, Done by, Details",
  filters: z.strictObject(logFilters),
  batch: (filters, batch) => sql`
    select l.id, l.created_at::text as position, jsonb_build_array(${instant("l.created_at")}, l.type, ${shownMessage}, l.ref_id,
      (select coalesce(nullif(who.name, ''), who.email) from profiles who where who.user_id = l.actor_id), l.meta::text) as cells
    from activity l where ${logMatches(filters)} ${nextRows(batch, "l.created_at", "l.id")}`,
});
