import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { mediaApi } from "./api.ts";
import { saveOwnMedia } from "./save.ts";
import { listFiles, readOwnMedia } from "./views.ts";

const on = implement(mediaApi).$context<Context>();

export const mediaRoutes = on.router({
  read: on.read.handler(({ context }) => readOwnMedia(context.db, requireActor(context))),
  save: on.save.handler(({ input, context }) => {
    const actor = requireActor(context);
    return context.transaction(async (tx) => {
      await saveOwnMedia(tx, actor, input);
      return readOwnMedia(tx, actor);
    });
  }),
  files: on.files.handler(async ({ input, context }) => ({
    items: await listFiles(context.db, requireActor(context).userId, input),
  })),
});
