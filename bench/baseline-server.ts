/**
 * The least that could answer the same requests from the same database: node:http and pg, one statement for each, no checks and no
 * response shapes. The API's throughput is measured as a share of this server's, in the same run.
 */
import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 });
const cardColumns = "id, slug, name, genre, location, photo_url, base_rate, top_rate, rating_x10, review_count";
const byMostBooked = "order by booked_count desc, id desc limit 24";

const insertBooking = `
  insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type, guest_count, duration,
    duration_minutes, special_requests, venue_name, venue_address, time_zone, starts_at, ends_at, fee_cents, currency, deposit_percent,
    deposit_cents, balance_cents, commission_bps, policy_name, policy)
  select id, $2, $3, $4, $5::date, $6::text, $7, $8, $9, 120, $10, $11, $11, time_zone, $5::date + $6::text::time,
    $5::date + $6::text::time + interval '2 hours',
    base_rate, 'usd', 0, 0, base_rate, 1000, 'standard', '{}'
  from artists where slug = $1 returning *`;

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text) as Record<string, unknown>;
}

async function answer(request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  if (request.method === "POST") {
    const form = await readJson(request);
    const names = [
      "artistId",
      "clientName",
      "clientEmail",
      "clientPhone",
      "eventDate",
      "eventTime",
      "eventType",
      "guestCount",
      "duration",
      "specialRequests",
      "eventLocation",
    ];
    const { rows } = await pool.query(
      insertBooking,
      names.map((name) => form[name]),
    );
    return rows[0];
  }
  const slug = /^\/artists\/([\w-]+)$/.exec(pathname)?.[1];
  if (slug) return (await pool.query("select * from artists where slug = $1 and is_active", [slug])).rows[0];
  const search = searchParams.get("search");
  const { rows } = search
    ? await pool.query(
        `select ${cardColumns} from artists where is_active and (name ilike $1 or genre ilike $1) ${byMostBooked}`,
        [`%${search}%`],
      )
    : await pool.query(`select ${cardColumns} from artists where is_active ${byMostBooked}`);
  return { items: rows };
}

createServer((request, response) => {
  answer(request).then(
    (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env["PORT"]), "127.0.0.1");
