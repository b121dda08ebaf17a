import { sql } from "kysely";
import { z } from "zod";
import { bookingFilters } from "#bookings/api.ts";
import { bookingsWhere } from "#bookings/index.ts";
import { paymentTables } from "../lists/columns.ts";
import { ownPaymentFilters } from "../own-payments.api.ts";
import { ownPaymentsWhere } from "../own-payments.views.ts";
import { bookingSums, list, localTime, money, nextRows, platformTime } from "./lists.ts";

const ownBookings = (side: "promoter" | "artist") =>
  list<Parameters<typeof bookingsWhere>[0]>({
    columns: `Number, Status, Artist, Promoter, Venue, Event date, Event time, Time zone, Event type, Guests, Currency, Price,
      Paid, Refunded, Returned by the bank, Requested`,
    filters: z.strictObject(bookingFilters),
    batch: (filters, batch) => sql`
      select b.id, b.created_at::text as position, jsonb_build_array(b.number, b.status, a.name, b.promoter_name, b.venue_name,
        b.event_date, b.event_time, b.time_zone, b.event_type, b.guest_count, b.currency, ${money("b.fee_cents")},
        ${money("sums.paid")}, ${money("sums.refunded")}, ${money("sums.disputed")}, ${localTime(sql`b.created_at`, sql`b.time_zone`)}) as cells
      from bookings b join artists a on a.id = b.artist_id ${bookingSums}
      where ${bookingsWhere(filters, { ...batch, side })} ${nextRows(batch, "b.created_at", "b.id")}`,
  });

const promoterPayments = list<Parameters<typeof ownPaymentsWhere>[1]>({
  columns: `Booking, Artist, Venue, Event date, Kind, Status, Currency, Amount, Refunded, Returned by the bank,
    Paid, Created, Time zone`,
  filters: z.strictObject(ownPaymentFilters),
  batch: (filters, batch) => sql`
    select p.id, p.created_at::text as position, jsonb_build_array(b.number, a.name, b.venue_name, b.event_date, p.kind, p.status,
      p.currency, ${money("f.amount")}, ${money("f.refunded_cents")}, ${money("f.disputed_cents")},
      ${platformTime("p.payment_date", batch)},
      ${platformTime("p.created_at", batch)}, ${batch.timeZone}::text) as cells
    from ${paymentTables}
    where ${ownPaymentsWhere(batch.userId, filters)} ${nextRows(batch, "p.created_at", "p.id")}`,
});

export const ownLists = {
  artist: { bookings: ownBookings("artist") },
  promoter: { bookings: ownBookings("promoter"), payments: promoterPayments },
};
