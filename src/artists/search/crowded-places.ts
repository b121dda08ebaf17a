/** To which places so many artists come that a page of them is found sooner in the list's order than by looking at all of them. */
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Reader } from "#platform/db/index.ts";
import type { Place } from "../gazetteer/index.ts";
import { mayReach } from "../night.views.ts";

/** Of a million artists, reading all of these takes as long as reading the list's order until 25 of them are found. */
const many = 3_000;
const cacheMilliseconds = 10 * 60_000;
const known = new WeakMap<Reader, LRUCache<string, Promise<boolean>>>();

/** Counts at most every ten minutes. The answer only chooses between two plans for the same result. */
export function isCrowded(reader: Reader, place: Place): Promise<boolean> {
  const places = known.get(reader) ?? new LRUCache({ max: 1_000, ttl: cacheMilliseconds });
  known.set(reader, places);
  const present = places.get(place.name);
  if (present) return present;
  const counted = count(reader, place);
  places.set(place.name, counted);
  counted.catch(() => places.delete(place.name));
  return counted;
}

async function count(reader: Reader, place: Place): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select from artists a where a.is_active and ${mayReach(place)} limit ${sql.lit(many)}) near`.execute(reader);
  return rows[0]?.count === many;
}
