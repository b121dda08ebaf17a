/** How many artists may come to a place: it decides whether a search near it begins with the place or with the list's order. */
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Reader } from "#platform/db/index.ts";
import type { Place } from "../gazetteer/index.ts";
import { mayReach } from "../night.views.ts";

/** Of a million artists, reading so many takes as long as reading the list's order until a page of those who come is found. */
const few = 3_000;
/** The same for a search with words, of which fewer are left. */
const fewWithWords = 30_000;
const cacheMilliseconds = 10 * 60_000;
const known = new WeakMap<Reader, LRUCache<string, Promise<number>>>();

/** Counts at most every ten minutes. The answer only chooses between two plans for the same result. */
export async function areFewNear(reader: Reader, place: Place, { withWords }: { withWords: boolean }) {
  return (await artistsNear(reader, place)) < (withWords ? fewWithWords : few);
}

function artistsNear(reader: Reader, place: Place): Promise<number> {
  const places = known.get(reader) ?? new LRUCache({ max: 1_000, ttl: cacheMilliseconds });
  known.set(reader, places);
  const present = places.get(place.id);
  if (present) return present;
  const counted = count(reader, place);
  places.set(place.id, counted);
  counted.catch(() => places.delete(place.id));
  return counted;
}

async function count(reader: Reader, place: Place): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select from artists a where a.is_active and ${mayReach(place)} limit ${sql.lit(fewWithWords)}) near`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
}
