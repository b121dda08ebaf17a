/** What is exported: the columns of each list, its filters, which are those of its screen, and its rows newest first. */
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { logFilters } from "#activity/api.ts";
import { logMatches, shownMessage } from "#activity/index.ts";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { paymentFilters } from "../lists/payments.api.ts";
import { paymentsWhere } from "../lists/payments-search.views.ts";
import { type Cell, decimal } from "./csv.ts";

/** The last row of a batch; the next one begins behind it. */
export type Position = Readonly<{ position: string; id: string }>;

/** Which rows are read next: those behind a position, at most so many; `only` are the rows that the reader chose. `now` is when the file was asked for. */
export type Batch = Readonly<{
  after: Position | undefined;
  only: readonly string[] | undefined;
  limit: number;
  now: Date;
  userId: string;
}>;

/** One exported list, newest first. */
export type ExportedList<Row = never, Filters = never> = Readonly<{
  columns: readonly string[];
  filters: z.ZodType<Filters>;
  batch(filters: Filters, batch: Batch): RawBuilder<Row & Position>;
  cells(row: Row): Cell[];
}>;

/** What narrows a list to its next batch: its moment and id behind a position, and the chosen rows. */
export const behind = (table: RawBuilder<unknown>, { after, only }: Batch): RawBuilder<unknown> => sql`
  ${after ? sql`and (${table}.created_at, ${table}.id) < (${after.position}::timestamptz, ${after.id}::uuid)` : sql``}
  ${only ? sql`and ${table}.id = any (${only}::uuid[])` : sql``}`;

export const list = <Row, Filters>(given: ExportedList<Row, Filters>): ExportedList<Row, Filters> => given;

type BookingRow = Record<
  "number" | "status" | "artist" | "promoter_name" | "promoter_email" | "promoter_phone",
  string
> &
  Record<"venue_name" | "event_date" | "event_time" | "time_zone" | "event_type" | "currency", string> &
  Record<"fee_cents" | "deposit_cents" | "balance_cents" | "paid" | "refunded", number> & {
    guest_count: number | null;
    contract: string | null;
    created_at: Date;
  };

const b = sql`b`;
const bookings = list<BookingRow, Parameters<typeof bookingsWhere>[0]>({
  columns: [
    "Number",
    "Status",
    "Artist",
    "Promoter",
    "Email",
    "Phone",
    "Venue",
    "Event date",
    "Event time",
    "Time zone",
    "Event type",
    "Guests",
    "Currency",
    "Fee",
    "Deposit",
    "Balance",
    "Paid",
    "Refunded",
    "Contract",
    "Requested",
  ],
  filters: z.object(bookingFilters),
  batch: (filters, batch) => sql`
    select b.id, b.created_at::text as position, b.number, b.status, a.name as artist, b.promoter_name, b.promoter_email,
      b.promoter_phone, b.venue_name, b.event_date, b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency,
      b.fee_cents, b.deposit_cents, b.balance_cents, b.created_at, c.signed_status as contract,
      (select coalesce(sum(f.amount), 0)::int from payments p join payment_figures f on f.payment_id = p.id
       where p.booking_id = b.id and p.payment_date is not null) as paid,
      (select coalesce(sum(f.refunded_cents), 0)::int from payments p join payment_figures f on f.payment_id = p.id
       where p.booking_id = b.id) as refunded
    from bookings b join artists a on a.id = b.artist_id left join contracts c on c.booking_id = b.id
    where ${bookingsWhere(filters, batch.now)} ${behind(b, batch)}
    order by b.created_at desc, b.id desc limit ${batch.limit}::int`,
  cells: (row) => [
    row.number,
    row.status,
    row.artist,
    row.promoter_name,
    row.promoter_email,
    row.promoter_phone,
    row.venue_name,
    row.event_date,
    row.event_time,
    row.time_zone,
    row.event_type,
    row.guest_count,
    row.currency,
    ...[row.fee_cents, row.deposit_cents, row.balance_cents, row.paid, row.refunded].map(decimal),
    row.contract,
    row.created_at,
  ],
});

type PaymentRow = Record<
  "number" | "artist" | "promoter_name" | "event_date" | "kind" | "status" | "currency",
  string
> &
  Record<"provider", string> &
  Record<"provider_ref" | "provider_payment", string | null> &
  Record<"amount" | "amount_refunded", number> & { payment_date: Date | null; created_at: Date };

const p = sql`p`;
const payments = list<PaymentRow, Parameters<typeof paymentsWhere>[0]>({
  columns: [
    "Booking",
    "Artist",
    "Promoter",
    "Event date",
    "Kind",
    "Status",
    "Currency",
    "Amount",
    "Refunded",
    "Provider",
    "Provider reference",
    "Payment intent",
    "Paid",
    "Created",
  ],
  filters: z.object(paymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, b.number, a.name as artist, b.promoter_name, b.event_date, p.kind, p.status,
      p.currency, f.amount, f.refunded_cents as amount_refunded, p.provider, p.provider_ref, p.provider_payment, p.payment_date, p.created_at
    from payments p join payment_figures f on f.payment_id = p.id
    join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id
    where ${paymentsWhere(filters)} ${behind(p, batch)}
    order by p.created_at desc, p.id desc limit ${batch.limit}::int`,
  cells: (row) => [
    row.number,
    row.artist,
    row.promoter_name,
    row.event_date,
    row.kind,
    row.status,
    row.currency,
    decimal(row.amount),
    decimal(row.amount_refunded),
    row.provider,
    row.provider_ref,
    row.provider_payment,
    row.payment_date,
    row.created_at,
  ],
});

type DocumentRow = Record<"number" | "kind" | "booking" | "seller" | "buyer" | "currency" | "issued_on", string> &
  Record<"tax_label" | "occurred_on", string> & {
    corrects: string | null;
    gross: number;
    tax: number;
    tax_bps: number;
  };

/** Newest transaction first; what was given back is negative. */
const documents = list<DocumentRow, Record<string, never>>({
  columns: [
    "Number",
    "Date",
    "Kind",
    "Seller",
    "Buyer",
    "Net",
    "Tax",
    "Gross",
    "Currency",
    "Tax label",
    "Tax percent",
    "Date of the transaction",
    "Booking",
    "Corrects",
  ],
  filters: z.strictObject({}),
  batch: (_filters, { after, limit }) => sql`
    select d.id, d.occurred_at::text as position, d.number, d.kind, d.currency, d.gross, d.tax, d.tax_label, d.tax_bps,
      d.details->>'issuedOn' as issued_on, d.details->>'occurredOn' as occurred_on, d.details->'booking'->>'number' as booking,
      coalesce(nullif(d.details->'seller'->>'legalName', ''), d.details->'seller'->>'name') as seller,
      coalesce(nullif(d.details->'buyer'->>'legalName', ''), d.details->'buyer'->>'name') as buyer,
      d.details->'corrects'->>'number' as corrects
    from documents d
    where true ${after ? sql`and (d.occurred_at, d.id) < (${after.position}::timestamptz, ${after.id}::uuid)` : sql``}
    order by d.occurred_at desc, d.id desc limit ${limit}::int`,
  cells: (row) => [
    row.number,
    row.issued_on,
    row.kind,
    row.seller,
    row.buyer,
    decimal(row.gross - row.tax),
    decimal(row.tax),
    decimal(row.gross),
    row.currency,
    row.tax_label,
    row.tax_bps / 100,
    row.occurred_on,
    row.booking,
    row.corrects,
  ],
});

type LogRow = Record<"type" | "message" | "meta", string> &
  Record<"ref_id" | "actor", string | null> & { created_at: Date };

const l = sql`l`;
const logs = list<LogRow, Parameters<typeof logMatches>[0]>({
  columns: ["Time", "Type", "Message", "Reference id", "Done by", "Details"],
  filters: z.object(logFilters),
  batch: (filters, batch) => sql`
    select l.id, l.created_at::text as position, l.created_at, l.type, ${shownMessage} as message, l.ref_id, l.meta::text as meta,
      (select coalesce(nullif(who.name, ''), who.email) from profiles who where who.user_id = l.actor_id) as actor
    from activity l where ${logMatches(filters)} ${behind(l, batch)}
    order by l.created_at desc, l.id desc limit ${batch.limit}::int`,
  cells: (row) => [row.created_at, row.type, row.message, row.ref_id, row.actor, row.meta],
});

export const exportedLists = { bookings, payments, documents, logs };
