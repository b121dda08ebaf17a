import { hasRow, rowsOf, type Reader } from "#platform/db/index.ts";
import type { ArtistSettings } from "#settings/rules.ts";
import { withBuffer } from "../time.rules.ts";
import { isLive, type Range, rangeOf } from "../views.ts";
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

/** Returns true if anything else of the artist than the queue of a night takes a part of `needed`. */
export const isNeededElsewhere = (
  reader: Reader,
  { artistId, night }: Readonly<{ artistId: string; night: string }>,
  needed: Range,
  now: Date,
): Promise<boolean> =>
  hasRow(reader)`
    select 1 from date_reservations r where artist_id = ${artistId}::uuid and during && ${rangeOf(needed)} and ${isLive(now)}
      and not exists (select 1 from hold_nights n where n.artist_id = r.artist_id and n.night = ${night}::date and n.state = 'active'
        and (n.id = r.hold_night_id or n.booking_id = r.booking_id)) limit 1`;
