/**
 * A minimal server for the same requests and bytes: node:http and pg, one plain statement per request, no checks and no rules. It is the
 * reference of the API's throughput. `PUT` stores the product's response for a path, which it then serializes after its statement.
 */

import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 });
const card = "id, slug, name, genre, location, photo_url, photo_image, base_rate, top_rate, rating_x10, review_count";
const byMostBooked = "order by booked_count desc, id desc limit 24";
const responses = new Map<string, unknown>();

const insertBooking = `
  insert into bookings (artist_id, promoter_name, promoter_email, promoter_phone, event_date, event_time, event_type, guest_count, duration,
    duration_minutes, special_requests, venue_name, venue_address, time_zone, starts_at, ends_at, fee_cents, currency, deposit_percent,
    deposit_cents, balance_cents, commission_bps, policy_name, policy)
  select id, $2, $3, $4, $5::date, $6::text, $7, $8, $9, 120, $10, $11, $11, time_zone, $5::date + $6::text::time,
    $5::date + $6::text::time + interval '2 hours',
    base_rate, 'usd', 0, 0, base_rate, 1000, 'standard', '{}'
  from artists where slug = $1 returning *`;
const formFields = [
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

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return JSON.parse(text) as Record<string, unknown>;
}

async function readRows(request: IncomingMessage, url: URL): Promise<unknown[]> {
  if (request.method === "POST") {
    const form = await readJson(request);
    const values = formFields.map((name) => form[name]);
    return (await pool.query(insertBooking, values)).rows;
  }
  const slug = /^\/artists\/([\w-]+)$/.exec(url.pathname)?.[1];
  if (slug) return (await pool.query("select * from artists where slug = $1 and is_active", [slug])).rows;
  const search = url.searchParams.get("search");
  const { rows } = search
    ? await pool.query(
        `select ${card} from artists where is_active and (name ilike $1 or genre ilike $1) ${byMostBooked}`,
        [`%${search}%`],
      )
    : await pool.query(`select ${card} from artists where is_active ${byMostBooked}`);
  return rows;
}

async function handleRequest(request: IncomingMessage): Promise<unknown> {
  const path = request.url ?? "/";
  if (request.method === "PUT") return void responses.set(path, await readJson(request));
  const rows = await readRows(request, new URL(path, "http://127.0.0.1"));
  return responses.get(path) ?? rows;
}

const pages = new Map<string, string>();

async function answerPage(request: IncomingMessage, path: string): Promise<string> {
  if (request.method === "PUT") {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    pages.set(path, text);
  }
  return pages.get(path) ?? "";
}

createServer((request, response) => {
  const path = request.url ?? "/";
  if (path.startsWith("/pages/"))
    return void answerPage(request, path).then((page) => response.setHeader("content-type", "text/html").end(page));
  handleRequest(request).then(
    (body) => response.setHeader("content-type", "application/json").end(JSON.stringify(body)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env["PORT"]), "127.0.0.1");
