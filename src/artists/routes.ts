/** Answers the public questions about artists. */
import { implement } from "@orpc/server";
import { notFound } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { type ArtistProfile, artistsApi } from "./api.ts";
import { presentCard } from "./card.ts";
import { countArtists, searchArtists } from "./search.ts";
import { featuredArtists, findBookableArtist, platformCurrency, profileParts } from "./views.ts";

const on = implement(artistsApi).$context<Context>();

export const artistsRoutes = on.router({
  list: on.list.handler(async ({ input, context }) => {
    const { rows, nextCursor } = await searchArtists(context.db, input);
    const currency = await platformCurrency(context.db);
    return { items: rows.map((row) => presentCard(row, currency)), nextCursor };
  }),
  count: on.count.handler(({ input, context }) => countArtists(context.db, input)),
  featured: on.featured.handler(async ({ context }) => {
    const currency = await platformCurrency(context.db);
    return { items: (await featuredArtists(context.db)).map((row) => presentCard(row, currency)) };
  }),
  get: on.get.handler(async ({ input, context }) => {
    const artist = await findBookableArtist(context.db, input.slug);
    if (!artist) throw notFound("Artist not found");
    const currency = await platformCurrency(context.db);
    return presentProfile(artist, await profileParts(context.db, artist, context.services.clock.now()), currency);
  }),
});

type Row = NonNullable<Awaited<ReturnType<typeof findBookableArtist>>>;
type Parts = Awaited<ReturnType<typeof profileParts>>;

function presentProfile(artist: Row, parts: Parts, currency: string): ArtistProfile {
  const { bio, video_url, years_experience, specialties, equipment, time_zone, is_active, created_at } = artist;
  return {
    ...presentCard(artist, currency),

    bio,
    video_url,
    years_experience,
    specialties,
    equipment,
    time_zone,
    is_active,
    created_at,

    media: parts.media.map((medium) => ({
      ...medium,
      kind: medium.kind === "video" ? ("video" as const) : ("photo" as const),
    })),
    reviews: parts.reviews,
    taken: parts.taken,
    similar: parts.similar.map((row) => presentCard(row, currency)),
    ...parts.notice,
  };
}
