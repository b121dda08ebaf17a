import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { logFilters } from "#activity/api.ts";
import { logMatches, shownMessage } from "#activity/index.ts";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { paymentTables } from "../lists/columns.ts";
import { paymentsWhere } from "../lists/payments-search.views.ts";
import { paymentFilters } from "../lists/payments.api.ts";
import { type Cell, decimal } from "./csv.ts";

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

type Row = Readonly<Record<string, string | number | Date | null>>;

/** One exported list, newest first. Columns by title, each a column of the query or a function of the row. */
export type ExportedList<Filters = never> = Readonly<{
  columns: Readonly<Record<string, string | ((row: Row) => Cell)>>;
  filters: z.ZodType<Filters>;
  batch(filters: Filters, batch: Batch): RawBuilder<Row & Position>;
}>;

function valueIn(row: Row, name: string): Row[string] {
  const value = row[name];
  if (value === undefined) throw new Error(`The query of this list has no column ${name}.`);
  return value;
}

export const money =
  (name: string) =>
  (row: Row): Cell =>
    decimal(Number(valueIn(row, name)));

export const cellsOf = ({ columns }: Pick<ExportedList, "columns">, row: Row): Cell[] =>
  Object.values(columns).map((column) => (typeof column === "string" ? valueIn(row, column) : column(row)));

/** Ends a query: the rows after the position, newest first by a time and an id, and only the selected ones. `type`: of the id. */
export function nextRows(
  { after, only, limit }: Batch,
  time: string,
  id: string,
  type: "uuid" | "text" = "uuid",
): RawBuilder<unknown> {
  const [at, key] = [sql.ref(time), sql.ref(id)];
  return sql`
    ${after ? sql`and (${at}, ${key}) < (${after.position}::timestamptz, ${after.id}::${sql.raw(type)})` : sql``}
    ${only ? sql`and ${key} = any (${only}::uuid[])` : sql``}
    order by ${at} desc, ${key} desc limit ${limit}::int`;
}

export const localTime = (moment: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${moment} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS')`;

export const bookingSums = sql`cross join lateral (
  select coalesce(sum(f.amount) filter (where p.payment_date is not null), 0)::int as paid,
    coalesce(sum(f.refunded_cents), 0)::int as refunded, coalesce(sum(f.disputed_cents), 0)::int as disputed
  from payments p join payment_figures f on f.payment_id = p.id where p.booking_id = b.id) sums`;

export const list = <Filters>(given: ExportedList<Filters>): ExportedList<Filters> => given;

export const bookings = list<Parameters<typeof bookingsWhere>[0]>({
  columns: {
    Number: "number",
    Status: "status",
    Artist: "artist",
    Promoter: "promoter_name",
    Email: "promoter_email",
    Phone: "promoter_phone",
    Venue: "venue_name",
    "Event date": "event_date",
    "Event time": "event_time",
    "Time zone": "time_zone",
    "Event type": "event_type",
    Guests: "guest_count",
    Currency: "currency",
    Fee: money("fee_cents"),
    Deposit: money("deposit_cents"),
    Balance: money("balance_cents"),
    Paid: money("paid"),
    Refunded: money("refunded"),
    "Lost in disputes": money("disputed"),
    Contract: "contract",
    Requested: "requested",
  },
  filters: z.object(bookingFilters),
  batch: (filters, batch) => sql`
    select b.id, b.created_at::text as position, b.number, b.status, a.name as artist, b.promoter_name, b.promoter_email,
      b.promoter_phone, b.venue_name, b.event_date, b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency,
      b.fee_cents, b.deposit_cents, b.balance_cents, ${localTime(sql`b.created_at`, sql`b.time_zone`)} as requested, c.signed_status as contract, sums.*
    from bookings b join artists a on a.id = b.artist_id left join contracts c on c.booking_id = b.id ${bookingSums}
    where ${bookingsWhere(filters, { ...batch, side: "admin" })} ${nextRows(batch, "b.created_at", "b.id")}`,
});

export const payments = list<Parameters<typeof paymentsWhere>[0]>({
  columns: {
    Booking: "number",
    Artist: "artist",
    Promoter: "promoter_name",
    "Event date": "event_date",
    Kind: "kind",
    Status: "status",
    Currency: "currency",
    Amount: money("amount"),
    Refunded: money("amount_refunded"),
    "Lost in disputes": money("disputed"),
    Provider: "provider",
    "Provider reference": "provider_ref",
    "Payment intent": "provider_payment",
    Paid: "paid",
    Created: "created",
    "Time zone": "time_zone",
  },
  filters: z.object(paymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, b.number, a.name as artist, b.promoter_name, b.event_date, p.kind, p.status,
      p.currency, f.amount, f.refunded_cents as amount_refunded, f.disputed_cents as disputed, p.provider, p.provider_ref, p.provider_payment,
      ${localTime(sql`p.payment_date`, sql`${batch.timeZone}::text`)} as paid,
      ${localTime(sql`p.created_at`, sql`${batch.timeZone}::text`)} as created, ${batch.timeZone}::text as time_zone
    from ${paymentTables}
    where ${paymentsWhere(filters, batch.timeZone)} ${nextRows(batch, "p.created_at", "p.id")}`,
});

/** Newest transaction first. Returned amounts are negative. */
export const documents = list<Record<string, never>>({
  columns: {
    Number: "number",
    Date: "issued_on",
    Kind: "kind",
    Seller: "seller",
    Buyer: "buyer",
    Net: money("net"),
    Tax: money("tax"),
    Gross: money("gross"),
    Currency: "currency",
    "Tax label": "tax_label",
    "Tax percent": "tax_percent",
    "Date of the transaction": "occurred_on",
    Booking: "booking",
    Corrects: "corrects",
  },
  filters: z.strictObject({}),
  batch: (_filters, batch) => sql`
    select d.id, d.occurred_at::text as position, d.number, d.kind, d.currency, d.gross, d.gross - d.tax as net, d.tax,
      d.tax_label, d.tax_bps / 100.0::float8 as tax_percent,
      d.details->>'issuedOn' as issued_on, d.details->>'occurredOn' as occurred_on, d.details->'booking'->>'number' as booking,
      coalesce(nullif(d.details->'seller'->>'legalName', ''), d.details->'seller'->>'name') as seller,
      coalesce(nullif(d.details->'buyer'->>'legalName', ''), d.details->'buyer'->>'name') as buyer,
      d.details->'corrects'->>'number' as corrects
    from documents d where true ${nextRows(batch, "d.occurred_at", "d.id")}`,
});

export const logs = list<Parameters<typeof logMatches>[0]>({
  columns: {
    Time: "created_at",
    Type: "type",
    Message: "message",
    "Reference id": "ref_id",
    "Done by": "actor",
    Details: "meta",
  },
  filters: z.object(logFilters),
  batch: (filters, batch) => sql`
    select l.id, l.created_at::text as position, l.created_at, l.type, ${shownMessage} as message, l.ref_id, l.meta::text as meta,
      (select coalesce(nullif(who.name, ''), who.email) from profiles who where who.user_id = l.actor_id) as actor
    from activity l where ${logMatches(filters)} ${nextRows(batch, "l.created_at", "l.id")}`,
});
