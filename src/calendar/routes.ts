import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { calendarApi } from "./api.ts";
import { nightsOf } from "./night.views.ts";
import { findPublicArtist } from "./views.ts";

const on = implement(calendarApi).$context<Context>();

export const calendarRoutes = on.router({
  availability: on.availability.handler(async ({ input, context }) => {
    const artist = await findPublicArtist(context.db, input.slug);
    if (!artist) throw notFound("Artist not found");
    return { items: await nightsOf(context.db, artist.id, input, context.services.clock.now()) };
  }),
});
