/** Blocks the night of a show that its artist cannot perform. */
import type { Reader, Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { artistSettings } from "#settings/index.ts";
import { nightEnd, nightOf } from "../night.rules.ts";
import { insertBlockedTime } from "../store.ts";
import { checkoutsIn, freeTimesIn } from "../views.ts";
import { requireHoldArtist } from "./holds.views.ts";
import { releaseQueue, zoneOfArtist } from "./queue.ts";

type Show = Readonly<{ artist_id: string; starts_at: Date }>;

async function nightOfShow(reader: Reader, { artist_id, starts_at }: Show) {
  const artist = await requireHoldArtist(reader, artist_id);
  const { nightEndsAt } = await artistSettings(reader, artist_id);
  const zone = zoneOfArtist(artist);
  const night = nightOf(starts_at, zone, nightEndsAt);
  const time = { from: nightEnd(addDays(night, -1), zone, nightEndsAt), to: nightEnd(night, zone, nightEndsAt) };
  return { artist, night, time };
}

/** Returns the bookings whose checkout holds a part of the night of a show. */
export const checkoutsOfNight = async (reader: Reader, show: Show): Promise<string[]> =>
  checkoutsIn(reader, show.artist_id, (await nightOfShow(reader, show)).time);

/** Blocks the night of a canceled show except other booked shows, and releases its holds, under the lock of the queues. Throws a conflict (409) while a checkout is open. */
export async function blockNightOf(tx: Tx, show: Show, note: string, now: Date): Promise<void> {
  const { artist, night, time } = await nightOfShow(tx, show);
  await releaseQueue(tx, { artist, night }, now);
  if ((await checkoutsIn(tx, artist.id, time)).length > 0)
    throw new Problem("conflict", "A promoter is at the checkout for this night. Try again in a minute.");
  for (const free of await freeTimesIn(tx, artist.id, time))
    await insertBlockedTime(tx, { artistId: artist.id, ...free, note, now });
}
