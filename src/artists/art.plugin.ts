import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import { notFound } from "#platform/errors.ts";
import { renderDrawing } from "#platform/files/pictures.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { drawMark, drawPoster, drawLinkPreview, drawStill, type PosterOptions } from "./artwork/poster.ts";
import { type ArtFormat, artFormats, artHash, isGenre, type PosterSubject, townOf } from "./rules.ts";
import { findPosterSubject } from "./views.ts";

export { freePosterVariant, type PosterOptions, posterSignature } from "./artwork/poster.ts";

type Drawn = PosterSubject & { poster_variant?: number };

const optionsOf = (artist: Drawn): PosterOptions => ({
  slug: artist.slug,
  name: artist.name,
  genre: isGenre(artist.genre) ? artist.genre : "other",
  town: townOf(artist.location),
  variant: artist.poster_variant ?? 0,
});

export function drawArt(artist: Drawn, format: ArtFormat): string {
  const options = optionsOf(artist);
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

/** The numbers of cached pictures. The least recently used ones are dropped. A drawing has about 20 kB, a rendered one about 60 kB. */
const maxDrawn = 400;
const maxRendered = 50;

const cachingFor = (isFresh: boolean) => ({
  "cache-control": isFresh ? "public, max-age=31536000, immutable" : "no-cache",
});

/** Serves `/art/{slug}/{poster|still-N|mark}.svg?v=hash` and `share.png`: cached for a year under its hash, not cached under another or none. */
export const artPlugin = (services: Pick<PlatformServices, "database">) => async (app: FastifyInstance) => {
  const drawn = new LRUCache<string, string>({ max: maxDrawn });
  const rendered = new LRUCache<string, Promise<Buffer>>({ max: maxRendered });
  app.get<{ Params: { slug: string }; Querystring: { v?: string } }>("/art/:slug/share.png", async (request, reply) => {
    const artist = await findPosterSubject(services.database.db, request.params.slug);
    if (!artist) throw notFound("This picture does not exist.");
    const hash = artHash(artist, "poster");
    const key = `${artist.slug}/${hash}/${artist.poster_variant}`;
    let picture = rendered.get(key);
    if (!picture) {
      picture = renderDrawing(drawLinkPreview(optionsOf(artist)));
      rendered.set(key, picture);
      picture.catch(() => rendered.delete(key));
    }
    return reply
      .headers({ ...cachingFor(request.query.v === hash), "x-content-type-options": "nosniff" })
      .type("image/png")
      .send(await picture);
  });
  app.get<{ Params: { slug: string; file: string }; Querystring: { v?: string } }>(
    "/art/:slug/:file",
    async (request, reply) => {
      const format = artFormats.find((known) => `${known}.svg` === request.params.file);
      const artist = format && (await findPosterSubject(services.database.db, request.params.slug));
      if (!format || !artist) throw notFound("This picture does not exist.");
      const hash = artHash(artist, format);
      const key = `${artist.slug}/${format}/${hash}`;
      const picture = drawn.get(key) ?? drawArt(artist, format);
      drawn.set(key, picture);
      return reply.headers({ ...inert, ...cachingFor(request.query.v === hash) }).send(picture);
    },
  );
};
