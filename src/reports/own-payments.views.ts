import { sql } from "kysely";
import { z } from "zod";
import { documentsOf } from "#invoicing/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { PromoterPayment } from "./own-payments.api.ts";

type Row = Omit<PromoterPayment, "documents"> & { micros: string };

/** The payments of the bookings that belong to an account: by the day of the payment, an attempt by the day it was begun. */
export async function listPromoterPayments(
  reader: Reader,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: PromoterPayment[]; nextCursor: string | null }> {
  const after = readCursor(cursor, z.tuple([cursorKeys.micros, cursorKeys.id]));
  const beyond = after
    ? sql`and (coalesce(p.payment_date, p.created_at), p.id)
        < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<Row>`
    select p.id, p.kind, f.amount, p.currency, p.status, p.payment_date, p.created_at,
      (select coalesce(sum(r.amount), 0)::int from refunds r where r.payment_id = p.id and r.status <> 'failed') as refunded_cents,
      f.disputed_cents,
      jsonb_build_object('id', b.id, 'number', b.number, 'event_date', b.event_date, 'venue_name', b.venue_name) as booking,
      jsonb_build_object('slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location) as artist,
      (extract(epoch from coalesce(p.payment_date, p.created_at)) * 1000000)::bigint as micros
    from payments p
    join payment_figures f on f.payment_id = p.id
    join bookings b on b.id = p.booking_id
    join artists a on a.id = b.artist_id
    where b.promoter_user_id = ${userId}::uuid ${beyond}
    order by coalesce(p.payment_date, p.created_at) desc, p.id desc
    limit ${sql.lit(limit + 1)}`.execute(reader);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const bookingIds = [...new Set(page.map((row) => row.booking.id))];
  const documents = await documentsOf(reader, bookingIds, { promoter: true });
  return {
    // The reply is cut to its shape: the sort value does not leave the server.
    items: page.map((row) => ({ ...row, documents: documents.filter((one) => one.payment_id === row.id) })),
    nextCursor: rows.length > limit && last ? cursorFor([Number(last.micros), last.id]) : null,
  };
}
