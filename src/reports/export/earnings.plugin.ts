import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findArtistOf } from "#artists/index.ts";
import { invalid } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { requireRole } from "#users/index.ts";
import { byteOrderMark, csvLine } from "./csv.ts";
import { earningsColumns, earningsLines } from "./earnings.views.ts";

const query = z.strictObject({ year: z.coerce.number().int().min(2000).max(2999).optional() });

export const earningsPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  app.get("/api/artist/payouts.csv", async (request, reply) => {
    const { userId } = await requireRole(services, request, "artist");
    const parsed = query.safeParse(request.query);
    if (!parsed.success) throw invalid("A year has four digits.");
    const { year } = parsed.data;
    const { db } = services.database;
    const artist = await findArtistOf(db, userId);
    const lines = artist ? await earningsLines(db, artist.id, year) : [];
    return reply
      .header("cache-control", "no-store")
      .header("content-type", "text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="earnings${year ? `-${year}` : ""}.csv"`)
      .send(byteOrderMark + [earningsColumns, ...lines].map(csvLine).join(""));
  });
};
