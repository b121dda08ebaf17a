/** GET /api/admin/{bookings|payments|documents|logs}.csv: a list as a file, with the filters of its screen. For admins. */
import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { record } from "#activity/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { allowCall } from "#platform/http/access.ts";
import { requireActor } from "#platform/http/context.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { authenticate } from "#users/index.ts";
import { byteOrderMark, csvLine } from "./csv.ts";
import { type ExportedList, exportedLists, type Position } from "./lists.ts";

/** How many rows are read at a time: memory stays the same however long the list is. */
const batchSize = 1_000;

export const exportPlugin =
  (services: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    const serve = async <Row, Filters>(
      name: string,
      list: ExportedList<Row, Filters>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      const bearer = bearerOf(request.headers);
      const actor = bearer ? await authenticate(services, bearer) : null;
      allowCall("admin", { actor, services });
      const { userId } = requireActor({ actor });
      request.accountId = userId;
      const filters = list.filters.safeParse(request.query);
      if (!filters.success) throw new Problem("invalid", "These filters are not those of the list.");
      await services.database.transaction((tx) =>
        record(tx, { type: "system", refId: name, message: `The list of ${name} was exported`, actorId: userId }),
      );
      const now = services.clock.now();
      const day = now.toISOString().slice(0, 10);
      return reply
        .header("cache-control", "no-store")
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}-${day}.csv"`)
        .send(Readable.from(linesOf(services.database.db, list, filters.data, now)));
    };
    const { bookings, payments, documents, logs } = exportedLists;
    app.get("/api/admin/bookings.csv", (request, reply) => serve("bookings", bookings, request, reply));
    app.get("/api/admin/payments.csv", (request, reply) => serve("payments", payments, request, reply));
    app.get("/api/admin/documents.csv", (request, reply) => serve("documents", documents, request, reply));
    app.get("/api/admin/logs.csv", (request, reply) => serve("logs", logs, request, reply));
  };

/** The file in pieces: the next rows are read when the ones before have been sent. */
async function* linesOf<Row, Filters>(
  reader: Reader,
  list: ExportedList<Row, Filters>,
  filters: Filters,
  now: Date,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(list.columns);
  let after: Position | undefined;
  for (;;) {
    const { rows } = await list.batch(filters, after, batchSize, now).execute(reader);
    if (rows.length > 0) yield rows.map((row) => csvLine(list.cells(row))).join("");
    after = rows.at(-1);
    if (rows.length < batchSize || !after) return;
  }
}
