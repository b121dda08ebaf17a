import { moveNights } from "#calendar/holds/index.ts";
import { rereadCalendars } from "#calendar/import/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { zoneOrUtc } from "#platform/time/calendar.rules.ts";

/** Moves the artist's calendar to another time zone. Call it under `lockQueues`, which is acquired before the lock of the artist's row. */
export async function moveCalendar(
  tx: Tx,
  artist: Readonly<{ id: string; time_zone: string }>,
  timeZone: string,
  now: Date,
): Promise<void> {
  const zones = { from: zoneOrUtc(artist.time_zone), to: zoneOrUtc(timeZone) };
  if (zones.from === zones.to) return;
  await moveNights(tx, artist.id, zones, now);
  await rereadCalendars(tx, artist.id);
}
