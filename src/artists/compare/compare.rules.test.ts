import { expect, test } from "vitest";
import { bestOf, comparedSlugs, namedSlugs } from "./compare.rules.ts";

test.each([
  [[3, 1, 2], "least", 1],
  [[3, 1, 2], "most", 0],
  [[1, 1, 2], "least", undefined],
  [[1, undefined, 2], "least", 0],
  [[1, undefined], "least", undefined],
  [[], "most", undefined],
] as const)("returns for %j and %s the index %s", (values, best, index) => {
  expect(bestOf(values, best)).toBe(index);
});

test("returns at most four different valid slugs, of at most twelve named", () => {
  expect(comparedSlugs("a,b,a,<c>,,d-1,e,f")).toEqual(["a", "b", "d-1", "e"]);
  expect(namedSlugs("a,b,a,<c>,,d-1,e,f")).toEqual(["a", "b", "d-1", "e", "f"]);
  expect(namedSlugs(Array.from({ length: 20 }, (_, at) => `act-${at}`).join(","))).toHaveLength(12);
  expect(comparedSlugs(null)).toEqual([]);
});
