/** The handlers of the overviews. */
import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { overviewsApi } from "./api.ts";
import { readAdminOverview, readArtistOverview } from "./views.ts";

const route = implement(overviewsApi).$context<Context>();

export const overviewsRoutes = {
  admin: route.admin.handler(({ context }) => readAdminOverview(context.db, context.services.clock.now())),
  artist: route.artist.handler(({ context }) =>
    readArtistOverview(context.db, requireActor(context).userId, context.services.clock.now()),
  ),
};
