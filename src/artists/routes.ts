/** The handlers of the public endpoints of artists. */
import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { adminArtistsRoutes } from "./admin/routes.ts";
import { artistsApi } from "./api.ts";
import { presentCard } from "./card.views.ts";
import { mediaRoutes } from "./media/routes.ts";
import { ownProfileRoutes } from "./own-profile/routes.ts";
import { findProfile, presentProfile } from "./profile.views.ts";
import { countArtists, searchArtists } from "./search.views.ts";
import { featuredArtists } from "./views.ts";
import { artistSettingsRoutes } from "./settings/settings.routes.ts";

const on = implement(artistsApi).$context<Context>();

export const artistsRoutes = on.router({
  admin: adminArtistsRoutes,
  settings: artistSettingsRoutes,
  list: on.list.handler(async ({ input, context }) => {
    const { rows, nextCursor } = await searchArtists(context.db, input);
    return { items: rows.map(presentCard), nextCursor };
  }),
  count: on.count.handler(({ input, context }) => countArtists(context.db, input)),
  featured: on.featured.handler(async ({ context }) => ({
    items: (await featuredArtists(context.db)).map(presentCard),
  })),
  get: on.get.handler(async ({ input, context }) => {
    const profile = await findProfile(context.db, input.slug, context.services.clock.now());
    if (!profile) throw notFound("Artist not found");
    return presentProfile(profile);
  }),
  own: ownProfileRoutes,
  media: mediaRoutes,
});
