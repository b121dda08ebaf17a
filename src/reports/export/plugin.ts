/** /api/{role}/{list}.csv: a list as a file. GET returns it with the filters of its screen, POST only the selected rows (`ids`), because their ids do not fit into an address. */

import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { invalidInput } from "#platform/http/problems.ts";
import { maxCounted } from "#platform/list.rules.ts";
import { dayIn, isDay } from "#platform/time/calendar.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { requireRole } from "#users/index.ts";
import type { Role } from "#users/rules.ts";
import { artists, contractTemplates, contracts, holds, users } from "./account-lists.ts";
import { byteOrderMark, csvLine } from "./csv.ts";
import { type Batch, bookings, type ExportedList, logs, payments, type Position } from "./lists.ts";
import { documentsFor, ledger } from "./money-lists.ts";
import { ownLists } from "./own-lists.ts";

/** Rows per query, so memory use is independent of the list's length. */
const batchSize = 1_000;

const idBytes = 42;

export const exportPlugin = (services: Payments) => async (app: FastifyInstance) => {
  const serve = <Filters>(role: Role, name: string, list: ExportedList<Filters>) =>
    app.route({
      method: ["GET", "POST"],
      url: `/api/${role}/${name}.csv`,
      bodyLimit: maxCounted * idBytes,
      handler: async (request, reply) => {
        const { userId } = await requireRole(services, request, role);
        // The address of a page of the list is accepted. An unknown filter is not: the file would have all rows.
        const { page: _page, sort: _sort, ...given } = request.query as Record<string, unknown>;
        const filters = list.filters.safeParse(given);
        if (!filters.success) throw invalidInput(filters.error);
        const choice = z.strictObject({
          ids: z
            .array(list.ids ?? z.uuid())
            .max(maxCounted)
            .optional(),
        });
        const chosen = choice.safeParse(request.body ?? {});
        if (!chosen.success) throw invalidInput(chosen.error);
        if (role === "admin")
          await services.database.transaction((tx) =>
            recordActivity(tx, {
              type: "system",
              refId: name,
              message: `The list of ${name} was exported`,
              actorId: userId,
            }),
          );
        const now = services.clock.now();
        const { timeZone } = await platformSettings(services.database.db);
        const period = [given["from"], given["to"]].filter((day) => typeof day === "string" && isDay(day));
        const days = period.length === 2 ? period.join("-to-") : dayIn(timeZone, now);
        const payments = services.gateway !== null;
        const options = { only: chosen.data.ids, limit: batchSize, now, payments, timeZone, userId };
        return reply
          .header("cache-control", "no-store")
          .header("content-type", "text/csv; charset=utf-8")
          .header("content-disposition", `attachment; filename="${name}-${days}.csv"`)
          .send(Readable.from(linesOf(services.database.db, list, filters.data, options)));
      },
    });
  serve("admin", "bookings", bookings);
  serve("admin", "payments", payments);
  for (const role of ["admin", "artist", "promoter"] as const) serve(role, "documents", documentsFor(role));
  serve("admin", "ledger", ledger);
  serve("admin", "logs", logs);
  serve("admin", "contracts", contracts);
  serve("admin", "contract-templates", contractTemplates);
  serve("admin", "users", users);
  serve("admin", "artists", artists);
  serve("admin", "holds", holds);
  serve("artist", "bookings", ownLists.artist.bookings);
  serve("promoter", "bookings", ownLists.promoter.bookings);
  serve("promoter", "payments", ownLists.promoter.payments);
};

/** Yields the file in parts. The next rows are read after the previous ones are sent. */
async function* linesOf<Filters>(
  reader: Reader,
  list: ExportedList<Filters>,
  filters: Filters,
  batch: Omit<Batch, "after">,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(list.columns.split(/,\s*/));
  let after: Position | undefined;
  for (;;) {
    const { rows } = await list.batch(filters, { ...batch, after }).execute(reader);
    if (rows.length > 0) yield rows.map(({ cells }) => csvLine(cells)).join("");
    after = rows.at(-1);
    if (rows.length < batchSize || !after) return;
  }
}
