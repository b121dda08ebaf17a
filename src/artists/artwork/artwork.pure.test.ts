import fc from "fast-check";
import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { drawArt, freePosterVariant, posterSignature } from "../art.plugin.ts";
import { artFormats, genres } from "../rules.ts";

const parser = new new JSDOM("").window.DOMParser();
const faultOf = (svg: string): string | undefined =>
  parser.parseFromString(svg, "image/svg+xml").querySelector("parsererror")?.textContent ?? undefined;
const artist = (name: string, more: { slug?: string; genre?: string; location?: string } = {}) => ({
  slug: "some-slug",
  genre: "rock",
  location: "Austin, Texas",
  ...more,
  name,
});

it("draws the same picture for the same artist and another one for another artist", () => {
  for (const format of artFormats) {
    expect(drawArt(artist("Iron Bloom"), format)).toBe(drawArt(artist("Iron Bloom"), format));
    expect(drawArt(artist("Iron Bloom"), format)).not.toBe(drawArt(artist("Iron Bloom", { slug: "other" }), format));
  }
});

it("gives an artist whose poster looks like another's a different one, always the same", () => {
  const first = { slug: "electric-dreams", genre: "electronic" } as const;
  const taken = new Set([posterSignature(first, 0)]);
  const variant = freePosterVariant(first, taken);
  expect(posterSignature(first, variant)).not.toBe(posterSignature(first, 0));
  expect(freePosterVariant(first, taken)).toBe(variant);
  expect(freePosterVariant(first, new Set())).toBe(0);
  const subject = artist("Iron Bloom");
  expect(drawArt({ ...subject, poster_variant: variant }, "poster")).not.toBe(drawArt(subject, "poster"));
});

it("names the artist of a picture as text", () => {
  const odd = `"><script>alert('x')</script>&`;
  const drawn = parser.parseFromString(drawArt(artist(odd), "poster"), "image/svg+xml").documentElement;
  expect(drawn.getAttribute("aria-label")).toBe(`Poster for ${odd}`);
  expect(drawn.querySelector("script")).toBeNull();
});

const oddNames = [
  "X",
  "Ö",
  "U2",
  "ДДТ",
  "東京",
  "!!!",
  "The",
  "",
  "\u0000\u0007",
  "\ud800",
  "a".repeat(120),
  "1",
  "&&",
  "- - -",
];

it.each([
  ...oddNames.map((name) => [name, "rock"] as const),
  ...genres.map((genre) => ["Jean-Luc-Marie-Antoinette", genre] as const),
])("draws well-formed pictures without invalid numbers for %j and %s", (name, genre) => {
  for (const format of artFormats) {
    const svg = drawArt(artist(name, { genre, slug: `x-${genre}` }), format);
    expect(faultOf(svg)).toBeUndefined();
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
  }
});

it("draws a well-formed picture under 40 kB for any name", () => {
  const names = (["binary", "grapheme"] as const).map((unit) => fc.string({ unit, maxLength: 130 }));
  const [name, location] = [fc.oneof(...names), fc.oneof(...names)];
  const subject = fc.record({
    name,
    location,
    slug: fc.stringMatching(/^[0-9a-f]{1,20}$/),
    genre: fc.constantFrom(...genres),
  });
  fc.assert(
    fc.property(subject, fc.constantFrom(...artFormats), (given, format) => {
      const svg = drawArt(given, format);
      expect(faultOf(svg)).toBeUndefined();
      expect(svg.length).toBeLessThan(40_000);
    }),
    { numRuns: 40 },
  );
});

it("gives different posters different ids, because one page may inline several", () => {
  const ids = ["one", "two"].flatMap((slug) =>
    [...drawArt(artist("Rook", { slug }), "poster").matchAll(/ id="([^"]+)"/g)].map((found) => found[1]),
  );
  expect(new Set(ids).size).toBe(ids.length);
});
