import { zoneOfLocation } from "#artists/gazetteer/index.ts";
import { zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { assumedShow, eventDateOf, nightOf } from "../night.rules.ts";
import { type Buffer, eventSpan, withBuffer } from "../time.rules.ts";

type HeldShow = Readonly<{
  night: string;
  time: string;
  location: string;
  artist: Readonly<{ time_zone: string }>;
  nightEndsAt: string;
}>;

/** Returns the night of an artist in which the event of a hold begins. For a time that clocks skip, `missing` has the next. */
export function nightOfHold(hold: HeldShow): { night: string } | { missing: { message: string } } {
  const show = heldShow(hold);
  if ("missing" in show) return show;
  return { night: nightOf(show.startsAt, zoneOrUtc(hold.artist.time_zone), hold.nightEndsAt) };
}

/** For a time that clocks skip, returns the next. */
export const heldShow = ({ night, time, location, artist, nightEndsAt }: HeldShow) =>
  eventSpan({
    date: eventDateOf(night, time, nightEndsAt),
    time,
    zone: zoneOfLocation(location, artist),
    minutes: assumedShow.minutes,
  });

/** Returns the time that the event of a hold needs, with travel and set-up. Undefined for a time that clocks skip. */
export function timeOfHold(hold: HeldShow, buffer: Buffer): { from: Date; to: Date } | undefined {
  const show = heldShow(hold);
  return "missing" in show ? undefined : withBuffer(show, buffer);
}
