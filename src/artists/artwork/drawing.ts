/** Shared drawing helpers. Numbers are SVG units, and all text is SVG source. */

import type { Ink } from "./inks.ts";

/** A stream of numbers from 0 up to 1. The same seed gives the same stream on every machine. */
export type Chance = () => number;

export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const character of text) h = Math.imul(h ^ (character.codePointAt(0) ?? 0), 0x01000193);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

export function seededRandom(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The box of a picture, its random numbers and its inks. `id` begins every id in the file, because one page may inline several posters. */
export type Frame = { x: number; y: number; w: number; h: number; chance: Chance; ink: Ink; dark: boolean; id: string };

export type Picture = (frame: Frame) => string;

const short = (value: number): string =>
  String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10);

/** Returns SVG source with short numbers: one decimal below a hundred, none above. */
export const svg = (parts: TemplateStringsArray, ...values: readonly (number | string)[]): string =>
  parts
    .map(
      (part, at) =>
        part + (values[at] === undefined ? "" : typeof values[at] === "number" ? short(values[at]) : values[at]),
    )
    .join("");

export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, "")
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const path = (d: string, fill: string, more = ""): string => `<path d="${d}" fill="${fill}"${more}/>`;

export const rect = (x: number, y: number, w: number, h: number, fill: string): string =>
  path(svg`M${x} ${y}h${w}v${h}h${-w}z`, fill);

export const disc = (x: number, y: number, r: number, fill: string, more = ""): string =>
  svg`<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"${more}/>`;

export const overprint = (dark: boolean): string => ` style="mix-blend-mode:${dark ? "screen" : "multiply"}"`;

export function entryAt<T>(list: readonly T[], index: number): T {
  const found = list[((index % list.length) + list.length) % list.length];
  if (found === undefined) throw new RangeError("an empty list has no entries");
  return found;
}

export const randomInteger = (chance: Chance, from: number, to: number): number =>
  from + Math.floor(chance() * (to - from + 1));
