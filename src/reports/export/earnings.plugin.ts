/** GET /api/artist/payouts.csv?year=: the earnings of the signed-in artist in one year, as a tax statement. */
import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { findArtistOf } from "#artists/index.ts";
import { invalid } from "#platform/errors.ts";
import { allowCall } from "#platform/http/access.ts";
import { requireActor } from "#platform/http/context.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { authenticate } from "#users/index.ts";
import { byteOrderMark, csvLine } from "./csv.ts";
import { earningsColumns, earningsLines } from "./earnings.views.ts";

const query = z.strictObject({ year: z.coerce.number().int().min(2000).max(2999).optional() });

export const earningsPlugin =
  (services: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    app.get("/api/artist/payouts.csv", async (request, reply) => {
      const bearer = bearerOf(request.headers);
      const actor = bearer ? await authenticate(services, bearer) : null;
      allowCall("artist", { actor, services });
      const { userId } = requireActor({ actor });
      request.accountId = userId;
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
