import { describe, expect, it } from "vitest";
import {
  artFormats,
  artHash,
  experienceText,
  pictureUrl,
  posterUrl,
  priceFrom,
  priceRange,
  searchTerm,
  townOf,
} from "./rules.ts";
import { cleanName } from "./slug.ts";

const dreams = { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic", location: "Austin, Texas" };

describe("price as text", () => {
  it.each([
    [150_000, 350_000, "$1,500 to $3,500"],
    [150_000, null, "From $1,500"],
    [150_000, 150_000, "From $1,500"],
    [0, null, "On request"],
    [0, 350_000, "On request"],
    [149_999, null, "From $1,499.99"],
  ])("returns for %i cents with a top of %s: %s", (base_rate, top_rate, text) => {
    expect(priceRange({ base_rate, top_rate, currency: "usd" })).toBe(text);
  });

  it("follows the currency", () => {
    expect(priceFrom({ base_rate: 90_000, currency: "eur" })).toBe("From €900");
  });
});

describe("address of a drawn picture", () => {
  it("has slug, format and a hash of what is drawn", () => {
    expect(posterUrl(dreams)).toMatch(/^\/art\/electric-dreams\/poster\.svg\?v=[0-9a-z]+$/);
  });

  it("changes only with the name, the town and the genre", () => {
    const hash = artHash(dreams, "poster");
    for (const change of [{ name: "Electric Dream" }, { location: "Boston" }, { genre: "pop" }]) {
      expect(artHash({ ...dreams, ...change }, "poster")).not.toBe(hash);
    }
    expect(artHash({ ...dreams, location: "Austin, TX" }, "poster")).toBe(hash);
    // Browsers cache pictures under these addresses for a year.
    expect(artHash(dreams, "poster")).toBe("16i6qoc");
    expect(artHash({ ...dreams, name: "Zoë 🎷 Blåsare", slug: "zoe" }, "still-3")).toBe("n5mr4j");
    expect(new Set(artFormats.map((format) => artHash(dreams, format))).size).toBe(artFormats.length);
  });

  it("is not used if there is a photo", () => {
    expect(pictureUrl({ ...dreams, photo_url: "/storage/artist-media/1/photo_1.webp" })).toBe(
      "/storage/artist-media/1/photo_1.webp",
    );
    expect(pictureUrl({ ...dreams, photo_url: null })).toBe(posterUrl(dreams));
  });
});

it("trims a search, collapses its spaces and composes its characters", () => {
  expect(searchTerm("  electric \t dreams\n")).toBe("electric dreams");
  expect(searchTerm("Bjo\u0308rk")).toBe("Björk");
});

it("removes control characters of a name", () => {
  expect(cleanName("The\u0007 Blue\r\nNote\u0000 Trio ")).toBe("The Blue Note Trio");
  expect(cleanName("\u202eThe Blue\u200b Note\u2066 Tr\u00adio")).toBe("The Blue Note Trio");
});

it("formats years and towns as text", () => {
  expect([experienceText(8), experienceText(1), experienceText(0), experienceText(null)]).toEqual([
    "8 years",
    "1 year",
    "New this year",
    undefined,
  ]);
  expect([townOf("Austin, Texas"), townOf("Washington"), townOf("")]).toEqual(["Austin", "Washington", ""]);
});
