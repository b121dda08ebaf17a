import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { adminArtistsApi } from "./api.ts";
import { changeArtist, createArtist } from "./store.ts";
import { listAllArtists, readArtist } from "./views.ts";

const on = implement(adminArtistsApi).$context<Context>();

export const adminArtistsRoutes = on.router({
  list: on.list.handler(({ input, context }) => listAllArtists(context.db, input)),
  get: on.get.handler(({ input, context }) => readArtist(context.db, input.id)),
  create: on.create.handler(({ input, context }) =>
    context.transaction(async (tx) => readArtist(tx, await createArtist(tx, input, requireActor(context).userId))),
  ),
  change: on.change.handler(({ input: { id, ...changes }, context }) =>
    context.transaction(async (tx) => {
      await changeArtist(tx, id, changes, {
        actorId: requireActor(context).userId,
        now: context.services.realClock.now(),
      });
      return readArtist(tx, id);
    }),
  ),
});
