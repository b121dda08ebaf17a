import fc from "fast-check";
import { expect, it } from "vitest";
import { freeSlug, mayBeSlug, slugOf } from "./slug.ts";

it.each([
  ["Electric Dreams", "electric-dreams"],
  ["DJ Nova", "dj-nova"],
  ["dj  nova", "dj-nova"],
  ["DJ-Nova", "dj-nova"],
  ["Wren & Sparrow", "wren-sparrow"],
  ["McBride's Band", "mcbrides-band"],
  ["../admin", "admin"],
  ["a/b", "a-b"],
  ["?x", "x"],
  ["%2e%2e", "2e-2e"],
  ["", "artist"],
  ["   ", "artist"],
  ["!!!", "artist"],
  ["Sigur Rós", "sigur-ros"],
  ["Ærø & Straße", "aero-strasse"],
  ["Земфира", "zemfira"],
  ["東京事変", "dongjingshibian"],
  ["🎸", "guitar"],
  ["\u202eevil", "evil"],
])("returns for %j the slug %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it("returns a slug for any name that is safe in an address and not reserved", () => {
  const names = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "grapheme", maxLength: 60 }));
  fc.assert(
    fc.property(names, (name) => {
      const slug = freeSlug(name, new Set());
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(90);
      expect(mayBeSlug(slug)).toBe(true);
    }),
  );
});

it("adds the lowest free suffix to reserved words and taken slugs", () => {
  expect(freeSlug("Featured", new Set())).toBe("featured-2");
  expect(freeSlug("Admin", new Set(["admin-2"]))).toBe("admin-3");
  expect(freeSlug("Rook", new Set(["rook", "rook-2", "rook-4"]))).toBe("rook-3");
});
