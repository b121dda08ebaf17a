import { sql } from "kysely";
import { z } from "zod";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { paymentTables } from "../lists/columns.ts";
import { ownPaymentFilters } from "../own-payments.api.ts";
import { ownPaymentsWhere } from "../own-payments.views.ts";
import { bookingSums, list, localTime, money, nextRows } from "./lists.ts";

const ownBookings = (side: "promoter" | "artist") =>
  list<Parameters<typeof bookingsWhere>[0]>({
    columns: {
      Number: "number",
      Status: "status",
      Artist: "artist",
      Promoter: "promoter_name",
      Venue: "venue_name",
      "Event date": "event_date",
      "Event time": "event_time",
      "Time zone": "time_zone",
      "Event type": "event_type",
      Guests: "guest_count",
      Currency: "currency",
      Price: money("fee_cents"),
      Paid: money("paid"),
      Refunded: money("refunded"),
      "Returned by the bank": money("disputed"),
      Requested: "requested",
    },
    filters: z.object(bookingFilters),
    batch: (filters, batch) => sql`
      select b.id, b.created_at::text as position, b.number, b.status, a.name as artist, b.promoter_name, b.venue_name, b.event_date,
        b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency, b.fee_cents,
        ${localTime(sql`b.created_at`, sql`b.time_zone`)} as requested, sums.*
      from bookings b join artists a on a.id = b.artist_id ${bookingSums}
      where ${bookingsWhere(filters, { ...batch, side })} ${nextRows(batch, "b.created_at", "b.id")}`,
  });

const promoterPayments = list<Parameters<typeof ownPaymentsWhere>[1]>({
  columns: {
    Booking: "number",
    Artist: "artist",
    Venue: "venue_name",
    "Event date": "event_date",
    Kind: "kind",
    Status: "status",
    Currency: "currency",
    Amount: money("amount"),
    Refunded: money("refunded"),
    "Returned by the bank": money("disputed"),
    Paid: "paid",
    Created: "created",
    "Time zone": "time_zone",
  },
  filters: z.object(ownPaymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, b.number, a.name as artist, b.venue_name, b.event_date, p.kind, p.status, p.currency,
      f.amount, f.refunded_cents as refunded, f.disputed_cents as disputed,
      ${localTime(sql`p.payment_date`, sql`b.time_zone`)} as paid, ${localTime(sql`p.created_at`, sql`b.time_zone`)} as created, b.time_zone
    from ${paymentTables}
    where ${ownPaymentsWhere(batch.userId, filters)} ${nextRows(batch, "p.created_at", "p.id")}`,
});

export const ownLists = {
  artist: { bookings: ownBookings("artist") },
  promoter: { bookings: ownBookings("promoter"), payments: promoterPayments },
};
