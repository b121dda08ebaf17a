import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { matchPlace, suggestPlaces } from "../gazetteer/index.ts";
import { findArtistOf } from "../views.ts";
import { ownProfileApi } from "./api.ts";
import { saveOwnProfile } from "./save.ts";
import { readOwnProfile } from "./views.ts";

const on = implement(ownProfileApi).$context<Context>();

export const ownProfileRoutes = on.router({
  read: on.read.handler(({ context }) => readOwnProfile(context.db, requireActor(context))),
  save: on.save.handler(({ input, context }) => {
    const actor = requireActor(context);
    return context.transaction(async (tx) => {
      await saveOwnProfile(tx, actor, input, context.services.clock.now());
      return readOwnProfile(tx, actor);
    });
  }),
  places: on.places.handler(async ({ input, context }) => {
    const artist = await findArtistOf(context.db, requireActor(context).userId);
    const country = (artist?.place_id ?? matchPlace(artist?.location ?? "")?.id)?.split(".")[0];
    return { items: suggestPlaces(input.search, country).map(({ id, name }) => ({ id, name })) };
  }),
});
