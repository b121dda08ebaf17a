/** The characters and pairs of characters that are so common in names that scanning is faster than an index. */

import { rowsOf, type Reader } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";

export type CommonNgrams = { has(ngram: string): boolean };

const everything: CommonNgrams = { has: () => true };
const cacheMilliseconds = 10 * minuteMs;
const known = new WeakMap<Reader, { until: number; ngrams: Promise<CommonNgrams> }>();

/** Reads the planner's statistics, at most every ten minutes, to choose between scanning (25 / share rows) and fetching matches (share x rows). */
export function commonNgrams(reader: Reader): Promise<CommonNgrams> {
  const now = performance.now();
  const present = known.get(reader);
  if (present && present.until > now) return present.ngrams;
  const ngrams = readFigures(reader);
  known.set(reader, { until: now + cacheMilliseconds, ngrams });
  ngrams.catch(() => known.delete(reader));
  return ngrams;
}

async function readFigures(reader: Reader): Promise<CommonNgrams> {
  const rows = await rowsOf<{ ngrams: string[]; shares: number[]; names: number }>(reader)`
    select s.most_common_elems::text::text[] as ngrams, s.most_common_elem_freqs::float8[] as shares, c.reltuples::float8 as names
    from pg_stats s, pg_class c
    where s.schemaname = current_schema() and s.tablename = 'artists_name_ngrams' and s.most_common_elems is not null
      and c.oid = 'artists'::regclass`;
  const [figures] = rows;
  if (!figures || figures.names < 1) return everything;
  const enough = Math.sqrt(25 / figures.names);
  return new Set(figures.ngrams.filter((_, index) => (figures.shares[index] ?? 0) >= enough));
}
