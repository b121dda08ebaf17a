import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { suggestPlaces } from "../gazetteer/index.ts";
import { ownProfileApi } from "./api.ts";
import { saveOwnProfile } from "./save.ts";
import { readOwnProfile } from "./views.ts";

const on = implement(ownProfileApi).$context<Context>();

export const ownProfileRoutes = on.router({
  read: on.read.handler(({ context }) => readOwnProfile(context.db, requireActor(context))),
  save: on.save.handler(({ input, context }) => {
    const actor = requireActor(context);
    return context.transaction(async (tx) => {
      await saveOwnProfile(tx, actor, input);
      return readOwnProfile(tx, actor);
    });
  }),
  places: on.places.handler(({ input }) => ({
    items: suggestPlaces(input.search).map(({ id, name }) => ({ id, name })),
  })),
});
