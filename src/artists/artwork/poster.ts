/** One deterministic poster per artist, as a standalone SVG: the same slug gives the same poster on every machine, without font or DOM. */

import { entryAt, seededRandom, escaped, hash, type Picture } from "./drawing.ts";
import { type Ink, inks, isDark } from "./inks.ts";
import { composeMark, composePoster, type Sheet } from "./layouts.ts";
import { printable } from "./lettering.ts";
import { hills, phases, ridges } from "./pictures-land.ts";
import { keys, record, ribbons, slabs, strings } from "./pictures-music.ts";
import { cutouts, discs, halftone, tiles } from "./pictures-print.ts";
import { arches, beams, curtain, seats, spot } from "./pictures-theatre.ts";

const pictures: readonly Picture[] = [
  beams,
  discs,
  record,
  ridges,
  tiles,
  hills,
  arches,
  strings,
  halftone,
  cutouts,
  slabs,
  ribbons,
  keys,
  phases,
  seats,
  curtain,
  spot,
];

const picturesByGenre = {
  acoustic: [strings, hills, spot, phases, cutouts, seats],
  blues: [record, ribbons, phases, slabs, halftone, curtain],
  classical: [strings, arches, seats, keys, ridges, curtain],
  country: [hills, ribbons, beams, arches, slabs, spot],
  electronic: [ridges, halftone, beams, tiles, discs, strings],
  folk: [cutouts, hills, arches, phases, tiles, strings],
  jazz: [keys, discs, tiles, record, cutouts, spot],
  pop: [tiles, discs, ribbons, halftone, seats, curtain],
  rock: [slabs, halftone, beams, ridges, record, spot],
  soul: [ribbons, record, discs, cutouts, curtain, spot],
  other: [tiles, phases, strings, curtain, seats, keys],
} satisfies Record<string, readonly Picture[]>;

/** `variant` 0 is the poster's own picture, 1 and more are the stills. */
export type PosterOptions = {
  slug: string;
  name: string;
  genre: keyof typeof picturesByGenre;
  town: string;
  variant?: number;
};

/** The poster has 600×800. Without printable characters in the name it is only the picture. */
export const drawPoster = (options: PosterOptions): string => print(600, 800, options, composePoster);

export function drawLinkPreview(options: PosterOptions): string {
  const poster = drawPoster(options).replace("<svg ", '<svg x="396" y="43" width="408" height="544" ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630"><rect width="1200" height="630" fill="#201a29"/><path d="M360 0h480l160 630H200z" fill="#2d2539"/><path d="M390 37h420v556H390z" fill="#120e17"/>${poster}</svg>`;
}

export const drawStill = (options: PosterOptions): string =>
  print(800, 600, options, (sheet) => sheet.draw(0, 0, 800, 600));

export const drawMark = (options: PosterOptions): string => print(200, 200, options, composeMark);

function print(width: number, height: number, options: PosterOptions, compose: (sheet: Sheet) => string): string {
  const variant = options.variant ?? 0;
  const { ink, picture, chance } = choicesOf(options, variant);
  const id = `p${hash(`${options.slug}|${variant}|${width}`).toString(36)}`;
  let masks = 0;
  const body = compose({
    ink,
    chance,
    name: printable(options.name),
    genre: printable(options.genre),
    town: printable(options.town),
    nextId: () => `${id}k${masks++}`,
    draw: (x, y, w, h) => {
      const frame = `${id}f${masks++}`;
      const mask = `<clipPath id="${frame}"><path d="M${x} ${y}h${w}v${h}h${-w}z"/></clipPath>`;
      return `${mask}<g clip-path="url(#${frame})">${picture({ x, y, w, h, chance, ink, dark: isDark(ink.ground), id })}</g>`;
    },
  });
  const label = escaped(`Poster for ${options.name}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"><rect width="${width}" height="${height}" fill="${ink.ground}"/>${body}</svg>`;
}

function choicesOf({ slug, genre }: Pick<PosterOptions, "slug" | "genre">, variant: number) {
  const ink = inkOf(slug, variant);
  const chance = seededRandom(hash(`${slug}|${variant}`));
  for (let k = 0; k < 4; k++) chance();
  const suits = picturesByGenre[genre];
  const picture = entryAt(chance() < 0.84 ? suits : pictures, Math.floor(chance() * 1000));
  return { ink, picture, chance };
}

export function posterSignature(artist: Pick<PosterOptions, "slug" | "genre">, variant: number): string {
  const { ink, picture } = choicesOf(artist, variant);
  return `${ink.name}/${pictures.indexOf(picture)}`;
}

/** The variants that a poster can have: its first one, then those that no still of the portfolio has. */
const posterVariants = [0, ...Array.from({ length: 40 }, (_, at) => at + 20)];

export const freePosterVariant = (artist: Pick<PosterOptions, "slug" | "genre">, usedVariants: ReadonlySet<string>) =>
  posterVariants.find((variant) => !usedVariants.has(posterSignature(artist, variant))) ?? 0;

/** Returns the two inks of an artist's poster as #rrggbb. Each is legible on the other. */
export function posterInks(slug: string, variant: number): { ground: string; ink: string } {
  const { ground, letters: ink } = inkOf(slug, variant);
  return { ground, ink };
}

const inkOf = (slug: string, variant: number): Ink => entryAt(inks, hash(`${slug}#ink`) + variant * 5);
