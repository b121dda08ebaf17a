import type { FastifyPluginAsync } from "fastify";
import { notFound } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { type ArtFormat, artFormats, artHash, isGenre, type PosterSubject, townOf } from "./rules.ts";
import { findPosterSubject } from "./views.ts";
import { drawMark, drawPoster, drawStill, type PosterOptions } from "./artwork/poster.ts";

export { freePosterVariant, type PosterOptions, posterSignature } from "./artwork/poster.ts";

export function drawArt(artist: PosterSubject & { poster_variant?: number }, format: ArtFormat): string {
  const options: PosterOptions = {
    slug: artist.slug,
    name: artist.name,
    genre: isGenre(artist.genre) ? artist.genre : "other",
    town: townOf(artist.location),
    variant: artist.poster_variant ?? 0,
  };
  if (format === "poster") return drawPoster(options);
  if (format === "mark") return drawMark(options);
  return drawStill({ ...options, variant: Number(format.slice("still-".length)) });
}

/** Nothing in a picture may run or load, even when it is opened as a page. */
const inert = {
  "content-type": "image/svg+xml; charset=utf-8",
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

const cacheSize = 400;

/** Serves `/art/{slug}/{poster|still-N|mark}.svg?v=hash`: cached for a year under its hash, not cached under another or none. */
export const artPlugin =
  (services: Pick<PlatformServices, "database">): FastifyPluginAsync =>
  async (app) => {
    const drawn = new Map<string, string>();
    app.get<{ Params: { slug: string; file: string }; Querystring: { v?: string } }>(
      "/art/:slug/:file",
      async (request, reply) => {
        const format = artFormats.find((known) => `${known}.svg` === request.params.file);
        const artist = format && (await findPosterSubject(services.database.db, request.params.slug));
        if (!format || !artist) throw notFound("This picture does not exist.");
        const hash = artHash(artist, format);
        const key = `${artist.slug}/${format}/${hash}`;
        const picture = drawn.get(key) ?? drawArt(artist, format);
        drawn.delete(key);
        drawn.set(key, picture);
        if (drawn.size > cacheSize)
          for (const oldest of drawn.keys()) {
            drawn.delete(oldest);
            break;
          }
        const fresh = request.query.v === hash;
        return reply
          .headers({ ...inert, "cache-control": fresh ? "public, max-age=31536000, immutable" : "no-cache" })
          .send(picture);
      },
    );
  };
