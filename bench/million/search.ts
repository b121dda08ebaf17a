/** Measures uncached search with a million artists over HTTP. Loading takes minutes, so it runs only by name: npm run bench -- million */

import { artistSorts } from "#artists/rules.ts";
import { loadTestArtistsSql } from "#test/factories/load-test-data.ts";
import { startFixture } from "../fixture.ts";
import { atMost, type Figure, quantile } from "../report.ts";
import { bulkInsert } from "./bulk-insert.ts";

const million = 1_000_000;
const rounds = 5;
/** Common and rare names, genres, one and two characters, and words that no name contains. */
const searches = ["", "velvet", "rock", "velvet foxes", "mirento", "a", "qu", "zq", "no such words"];
const genres = ["", "jazz"];
const prices: readonly (readonly [minimum: string, maximum: string])[] = [
  ["", ""],
  ["100000", "110000"],
  ["", "150000"],
];
const dates = ["", "2031-05-17"];
const notCached = { authorization: "none" };

/** Measures 864 combinations several times. The targets apply to all together, and p95 of each alone is printed at the worst. */
export async function benchMillion(): Promise<Figure[]> {
  await using fixture = await startFixture(0);
  const settings = "alter index artists_name_ngrams alter column 1 set statistics 1000";
  await bulkInsert(fixture.database, ["artists"], loadTestArtistsSql(million), settings);
  await using product = await fixture.startProduct("web");
  const times = await measure(product.origin);
  const all = [...times.values()].flat();
  const worst = [...times].map(([query, of]) => ({ query, p50: quantile(of, 0.5) })).sort((a, b) => b.p50 - a.p50);
  for (const { query, p50 } of worst.slice(0, 10)) console.log(`  ${p50.toFixed(1).padStart(7)} ms  ${query}`);
  return [
    atMost("search at a million artists, p95", quantile(all, 0.95), 20, "ms", `${times.size} combinations over HTTP`),
    atMost("search at a million artists, p99", quantile(all, 0.99), 50, "ms", `worst: ${worst[0]?.query}`),
  ];
}

export async function measure(origin: string): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const query of combinations()) {
      const began = performance.now();
      const response = await fetch(`${origin}/api/artists?${query}`, { headers: notCached });
      await response.text();
      if (!response.ok) throw new Error(`${query}: ${response.status}`);
      if (round > 0) times.set(query, [...(times.get(query) ?? []), performance.now() - began]);
    }
  }
  return times;
}

function* combinations(): Generator<string> {
  for (const search of searches)
    for (const genre of genres)
      for (const [minPrice, maxPrice] of prices)
        for (const freeOn of dates)
          for (const sort of artistSorts)
            yield new URLSearchParams({ search, genre, minPrice, maxPrice, freeOn, sort, limit: "24" }).toString();
}
