/** The bare minimum on the same database: node:http and pg, no checks, no shapes. The bar our API is held against. */
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 });
const columns = "id, slug, name, genre, location, photo_url, base_rate, top_rate, rating_x10, review_count";

createServer((request, response) => {
  const slug = /^\/artists\/([\w-]+)$/.exec(request.url ?? "")?.[1];
  const query = slug
    ? pool.query(`select * from artists where slug = $1 and is_active`, [slug])
    : pool.query(`select ${columns} from artists where is_active order by booked_count desc, id desc limit 24`);
  query.then(
    ({ rows }) => response.setHeader("content-type", "application/json").end(JSON.stringify({ items: rows })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env["PORT"]), "127.0.0.1");
