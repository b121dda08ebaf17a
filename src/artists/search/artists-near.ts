import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Reader } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import type { Place } from "../gazetteer/index.ts";
import { mayReach } from "../night.views.ts";

/** At a million artists, reading this many takes as long as reading the list until a page is full. */
const few = 3_000;
/** With search words fewer artists match, and filling a page takes longer. */
const maxTextMatches = 30_000;
const cacheMilliseconds = 10 * minuteMs;
const known = new WeakMap<Reader, LRUCache<string, Promise<number>>>();

/** Returns whether few artists come to a place. Counted at most every ten minutes, because both plans find the same artists. */
export async function hasFewArtistsNear(
  reader: Reader,
  place: Place,
  { withWords }: { withWords: boolean },
): Promise<boolean> {
  return (await artistsNear(reader, place)) < (withWords ? maxTextMatches : few);
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
    from (select from artists a where a.is_active and ${mayReach(place)} limit ${sql.lit(maxTextMatches)}) near`.execute(
    reader,
  );
  return rows[0]?.count ?? 0;
}
