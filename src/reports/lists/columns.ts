import { sql } from "kysely";

export const artistColumn = sql`
  jsonb_build_object('slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location) as artist`;

export const bookingColumn = sql`
  jsonb_build_object('id', b.id, 'number', b.number, 'promoter_name', b.promoter_name, 'event_date', b.event_date) as booking`;
