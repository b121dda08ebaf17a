import { zoneOfLocation } from "#artists/gazetteer/index.ts";
import { assumedShow, eventDateOf } from "../night.rules.ts";
import { eventSpan } from "../time.rules.ts";

type HeldShow = Readonly<{
  night: string;
  time: string;
  location: string;
  artist: Readonly<{ time_zone: string }>;
  nightEndsAt: string;
}>;

/** For a time that clocks skip, returns the next. */
export const heldShow = ({ night, time, location, artist, nightEndsAt }: HeldShow) =>
  eventSpan({
    date: eventDateOf(night, time, nightEndsAt),
    time,
    zone: zoneOfLocation(location, artist),
    minutes: assumedShow.minutes,
  });
