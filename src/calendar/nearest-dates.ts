import type { Reader } from "#platform/db/index.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import type { DateLimits } from "./decision.rules.ts";
import { isNightOpen, nightOf } from "./night.rules.ts";
import { outsideLimits } from "./notice.rules.ts";
import { type Buffer, eventSpan, nearbyDays, withBuffer } from "./time.rules.ts";
import { busyTimes } from "./views.ts";

const searchedDays = 32;

type Near = {
  artist: Readonly<{ id: string }>;
  date: string;
  edge?: string;
  time: string;
  zone: string;
  minutes: number;
  limits: DateLimits & Buffer;
  now: Date;
};

export async function nearestFree(reader: Reader, near: Near): Promise<{ date: string; reason: string }[]> {
  const { artist, date, time, zone, minutes, limits, now } = near;
  const around = (days: number) =>
    new Date(Date.parse(`${addDays(date, days)}T12:00:00Z`) + Math.sign(days) * minutes * minuteMs);
  const busy = await busyTimes(
    reader,
    { artistId: artist.id, nightEndsAt: limits.nightEndsAt },
    { from: around(-searchedDays), to: around(searchedDays) },
    now,
  );
  const free: { date: string; reason: string }[] = [];
  const days = [...(near.edge ? [{ date, reason: near.edge }] : []), ...nearbyDays(date)];
  for (const day of days) {
    if (free.length === 3) break;
    if (outsideLimits(day.date, limits, zone, now)) continue;
    const span = eventSpan({ date: day.date, time, zone, minutes });
    if ("missing" in span || span.startsAt <= now) continue;
    if (!isNightOpen(nightOf(span.startsAt, zone, limits.nightEndsAt), limits)) continue;
    const wanted = withBuffer(span, limits);
    if (!busy.some((one) => one.from < wanted.to && wanted.from < one.to)) free.push(day);
  }
  return free;
}
