import { sql } from "kysely";

export const artistObject = sql`jsonb_build_object('slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location)`;
export const artistColumn = sql`${artistObject} as artist`;

export const bookingColumn = sql`
  jsonb_build_object('id', b.id, 'number', b.number, 'promoter_name', b.promoter_name, 'event_date', b.event_date) as booking`;

export const paymentTables = sql`payments p join payment_figures f on f.payment_id = p.id
  join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id`;
