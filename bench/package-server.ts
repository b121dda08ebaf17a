/**
 * The packages that the product is built of (Fastify, oRPC, zod, Kysely, pg) around one statement: no rules, no checks of the caller, no
 * prepared statements, no cache. The product as a share of this server is what our own code costs or saves (decision 0099).
 */
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import { oc } from "@orpc/contract";
import { OpenAPIHandler } from "@orpc/openapi/fastify";
import { implement } from "@orpc/server";
import Fastify from "fastify";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { z } from "zod";

const db = new Kysely<unknown>({
  dialect: new PostgresDialect({
    pool: new pg.Pool({ connectionString: process.env["DATABASE_URL"] ?? "", max: 20 }),
  }),
});

const card = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  genre: z.string(),
  location: z.string(),
  photo_url: z.string().nullable(),
  base_rate: z.int(),
  top_rate: z.int().nullable(),
  rating_x10: z.int(),
  review_count: z.int(),
});
const cardColumns = sql.raw(Object.keys(card.shape).join(", "));

const api = {
  list: oc
    .route({ method: "GET", path: "/artists" })
    .input(
      z.object({ search: z.string().max(200).optional(), limit: z.coerce.number().int().min(1).max(100).optional() }),
    )
    .output(z.object({ items: z.array(card) })),
  get: oc
    .route({ method: "GET", path: "/artists/{slug}" })
    .input(z.object({ slug: z.string() }))
    .output(z.looseObject({ slug: z.string(), name: z.string() })),
};

const on = implement(api);
const handler = new OpenAPIHandler(
  on.router({
    list: on.list.handler(async ({ input }) => {
      const words = input.search === undefined ? undefined : `%${input.search}%`;
      const matching = words === undefined ? sql`` : sql`and (name ilike ${words} or genre ilike ${words})`;
      const { rows } = await sql<z.infer<typeof card>>`
        select ${cardColumns} from artists where is_active ${matching} order by booked_count desc, id desc limit 24`.execute(
        db,
      );
      return { items: rows };
    }),
    get: on.get.handler(async ({ input }) => {
      const { rows } = await sql<{ slug: string; name: string }>`
        select * from artists where slug = ${input.slug} and is_active`.execute(db);
      return rows[0] ?? { slug: "", name: "" };
    }),
  }),
);

const app = Fastify();
await app.register(cookie);
await app.register(compress, { globalDecompression: false, encodings: ["br", "gzip"], threshold: 1_024 });
app.all("/*", async (request, reply) => {
  await handler.handle(request, reply, { context: {} });
  return reply;
});
await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
