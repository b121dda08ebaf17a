import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { adminArtistsRoutes } from "./admin/routes.ts";
import { artistsApi } from "./api.ts";
import { type CardRow, toArtistCard } from "./card.views.ts";
import { namedSlugs } from "./compare/compare.rules.ts";
import { compareArtists } from "./compare/compare.views.ts";
import { mediaRoutes } from "./media/routes.ts";
import { samplesRoutes } from "./media/samples.routes.ts";
import type { AvailabilityRow } from "./nights/night.rules.ts";
import { type NightQuestion, toNightResponse } from "./nights/night.views.ts";
import { ownProfileRoutes } from "./own-profile/routes.ts";
import { findProfile, toArtistProfile } from "./profile.views.ts";
import { countArtists, nightOf, searchArtists } from "./search/search.views.ts";
import { artistSettingsRoutes } from "./settings/settings.routes.ts";
import { featuredArtists } from "./views.ts";

const toListedArtist = (row: CardRow & Partial<AvailabilityRow>, question: NightQuestion | undefined) => ({
  ...toArtistCard(row),
  ...(question && hasNight(row) ? { night: toNightResponse(row, question) } : {}),
});
const hasNight = <Row extends Partial<AvailabilityRow>>(row: Row): row is Row & AvailabilityRow =>
  row.night_state !== undefined;

const on = implement(artistsApi).$context<Context>();

export const artistsRoutes = on.router({
  admin: adminArtistsRoutes,
  settings: artistSettingsRoutes,
  list: on.list.handler(async ({ input, context }) => {
    const { rows, nextCursor } = await searchArtists(context.db, input, context.services.clock.now());
    return { items: rows.map((row) => toListedArtist(row, nightOf(input))), nextCursor };
  }),
  count: on.count.handler(({ input, context }) => countArtists(context.db, input, context.services.clock.now())),
  featured: on.featured.handler(async ({ input, context }) => {
    const question = nightOf(input);
    const rows = await featuredArtists(context.db, question, context.services.clock.now());
    return { items: rows.map((row) => toListedArtist(row, question)) };
  }),
  compare: on.compare.handler(async ({ input, context }) => {
    const slugs = namedSlugs(input.artists);
    const options = { question: nightOf(input), now: context.services.clock.now() };
    return { items: slugs.length === 0 ? [] : await compareArtists(context.db, slugs, options) };
  }),
  get: on.get.handler(async ({ input, context }) => {
    const profile = await findProfile(context.db, input.slug, context.services.clock.now());
    if (!profile) throw notFound("Artist not found");
    return toArtistProfile(profile);
  }),
  own: ownProfileRoutes,
  media: mediaRoutes,
  samples: samplesRoutes,
});
