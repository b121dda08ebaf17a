import { rowsOf, type Reader } from "#platform/db/index.ts";
import type { ArtistSettings } from "#settings/rules.ts";
import { withBuffer } from "../time.rules.ts";
import { heldShow } from "./held-show.ts";

type Held = Readonly<{
  id: string;
  artist_id: string;
  artist: Readonly<{ time_zone: string }>;
  event_time: string;
  event_location: string;
  settings: ArtistSettings;
  nights: readonly Readonly<{ night: string; state: string }>[];
}>;

export const busyKey = (holdId: string, night: string): string => `${holdId} ${night}`;

/** Returns the keys of active nights whose show, with travel and set-up, overlaps an entry of the artist's other calendars. */
export async function findBusyNights(reader: Reader, holds: readonly Held[]): Promise<ReadonlySet<string>> {
  const shows = holds.flatMap((hold) =>
    hold.nights.flatMap(({ night, state }) => {
      const { nightEndsAt } = hold.settings;
      const show = heldShow({ ...hold, night, time: hold.event_time, location: hold.event_location, nightEndsAt });
      if (state !== "active" || "missing" in show) return [];
      return { key: busyKey(hold.id, night), artist_id: hold.artist_id, ...withBuffer(show, hold.settings) };
    }),
  );
  if (shows.length === 0) return new Set();
  const rows = await rowsOf<{ key: string }>(reader)`
    select s.key
    from jsonb_to_recordset(${JSON.stringify(shows)}::jsonb) as s(key text, artist_id uuid, "from" timestamptz, "to" timestamptz)
    where exists (
      select 1 from date_reservations r
      where r.artist_id = s.artist_id and r.kind = 'external' and r.during && tstzrange(s."from", s."to"))`;
  return new Set(rows.map(({ key }) => key));
}
