/** What promoters and artists export: their own bookings and payments, with the filters of their screens. */
import { sql } from "kysely";
import { z } from "zod";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { ownPaymentFilters } from "../own-payments.api.ts";
import { ownPaymentsWhere } from "../own-payments.views.ts";
import { decimal } from "./csv.ts";
import { behind, list } from "./lists.ts";

type BookingRow = Record<
  "number" | "status" | "artist" | "promoter_name" | "venue_name" | "event_date" | "event_time",
  string
> &
  Record<"time_zone" | "event_type" | "currency", string> &
  Record<"fee_cents" | "paid" | "refunded", number> & { guest_count: number | null; created_at: Date };

const ownBookings = (side: "promoter" | "artist") =>
  list<BookingRow, Parameters<typeof bookingsWhere>[0]>({
    columns: [
      "Number",
      "Status",
      "Artist",
      "Promoter",
      "Venue",
      "Event date",
      "Event time",
      "Time zone",
      "Event type",
      "Guests",
      "Currency",
      "Price",
      "Paid",
      "Refunded",
      "Requested",
    ],
    filters: z.object(bookingFilters),
    batch: (filters, batch) => sql`
      select b.id, b.created_at::text as position, b.number, b.status, a.name as artist, b.promoter_name, b.venue_name, b.event_date,
        b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency, b.fee_cents, b.created_at,
        (select coalesce(sum(f.amount), 0)::int from payments p join payment_figures f on f.payment_id = p.id
         where p.booking_id = b.id and p.payment_date is not null) as paid,
        (select coalesce(sum(f.refunded_cents), 0)::int from payments p join payment_figures f on f.payment_id = p.id
         where p.booking_id = b.id) as refunded
      from bookings b join artists a on a.id = b.artist_id
      where ${side === "artist" ? sql`a.user_id` : sql`b.promoter_user_id`} = ${batch.userId}::uuid
        and ${bookingsWhere(filters, batch.now, side)} ${behind(sql`b`, batch)}
      order by b.created_at desc, b.id desc limit ${batch.limit}::int`,
    cells: (row) => [
      row.number,
      row.status,
      row.artist,
      row.promoter_name,
      row.venue_name,
      row.event_date,
      row.event_time,
      row.time_zone,
      row.event_type,
      row.guest_count,
      row.currency,
      ...[row.fee_cents, row.paid, row.refunded].map(decimal),
      row.created_at,
    ],
  });

type PaymentRow = Record<"number" | "artist" | "venue_name" | "event_date" | "kind" | "status" | "currency", string> &
  Record<"amount" | "refunded", number> & { payment_date: Date | null; created_at: Date };

const promoterPayments = list<PaymentRow, Parameters<typeof ownPaymentsWhere>[1]>({
  columns: [
    "Booking",
    "Artist",
    "Venue",
    "Event date",
    "Kind",
    "Status",
    "Currency",
    "Amount",
    "Refunded",
    "Paid",
    "Created",
  ],
  filters: z.object(ownPaymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, b.number, a.name as artist, b.venue_name, b.event_date, p.kind, p.status, p.currency,
      f.amount, f.refunded_cents as refunded, p.payment_date, p.created_at
    from payments p join payment_figures f on f.payment_id = p.id
      join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id
    where ${ownPaymentsWhere(batch.userId, filters)} ${behind(sql`p`, batch)}
    order by p.created_at desc, p.id desc limit ${batch.limit}::int`,
  cells: (row) => [
    row.number,
    row.artist,
    row.venue_name,
    row.event_date,
    row.kind,
    row.status,
    row.currency,
    decimal(row.amount),
    decimal(row.refunded),
    row.payment_date,
    row.created_at,
  ],
});

export const ownLists = {
  artist: { bookings: ownBookings("artist") },
  promoter: { bookings: ownBookings("promoter"), payments: promoterPayments },
};
