import { implement } from "@orpc/server";
import { findArtistOf } from "#artists/index.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { travelApi } from "./travel.api.ts";
import { travelWarningsOf } from "./travel.views.ts";

const on = implement(travelApi).$context<Context>();

export const travelRoutes = on.router({
  warnings: on.warnings.handler(async ({ context }) => {
    const artist = await findArtistOf(context.db, requireActor(context).userId);
    return { items: artist ? await travelWarningsOf(context.db, artist.id, context.services.clock.now()) : [] };
  }),
});
