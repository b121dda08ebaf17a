/** Compares search over ten thousand artists with the naive rule: the same results, and the speed. */

import { sql } from "kysely";
import { type ArtistListInput } from "#artists/api.ts";
import { searchArtists } from "#artists/index.ts";
import { artistsInBench, type BenchFixture } from "./fixture.ts";
import { atLeast, atMost, type Figure, quantile } from "./report.ts";

const words = ["a", "lu", "night", "jazz", "rock", "the", "velvet", "zz", "ing", "blue", "no such words at all", "ö"];

/** Searches "name or genre contains the words, in any case and with or without accents" without an index. */
async function naive(stage: BenchFixture, text: string): Promise<string[]> {
  const term = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await sql<{ id: string }>`
    select id from artists where is_active
      and (without_accents(name) like without_accents(${term}) or without_accents(genre) like without_accents(${term}))
    order by booked_count desc, id desc limit 24`.execute(stage.database.db);
  return rows.map((row) => row.id);
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

const now = new Date();

export async function benchSearch(stage: BenchFixture): Promise<Figure[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let differing = 0;
  for (let round = 0; round < 20; round++) {
    for (const text of words) {
      const input: ArtistListInput = { search: text, limit: 24 };
      const [plain, slow] = await timed(() => naive(stage, text));
      const [found, quick] = await timed(() => searchArtists(stage.database.db, input, now));
      if (found.rows.map((row) => row.id).join() !== plain.join()) differing++;
      if (round > 1) {
        ours.push(quick);
        theirs.push(slow);
      }
    }
  }
  const note = `${artistsInBench} artists`;
  return [
    atMost("search answers that differ from the naive rule", differing, 0, "answers", note),
    atMost("search p95", quantile(ours, 0.95), 10, "ms", note),
    atLeast("search p95 against the naive rule", quantile(theirs, 0.95) / quantile(ours, 0.95), 1, "times"),
  ];
}
