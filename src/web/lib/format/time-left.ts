import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../clock.ts";
import { dayIn, daysBetween, localToday } from "./dates.ts";

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"} left`;

type Span = Readonly<{ count: number; unit: "hour" | "day" }>;

/** Returns the time from one moment to a later one as rounded hours below two days, then as calendar days of the zone, by default the viewer's. */
export function spanBetween(from: Date, to: Date, zone?: string): Span {
  const ms = to.getTime() - from.getTime();
  if (ms < 48 * hourMs) return { count: Math.round(ms / hourMs), unit: "hour" };
  // A deadline at midnight belongs to the day that ends.
  const dayOf = (at: Date) => (zone ? dayIn(zone, at) : localToday(at));
  return { count: daysBetween(dayOf(new Date(from.getTime() - 1)), dayOf(new Date(to.getTime() - 1))), unit: "day" };
}

/** Returns "4 days left", below two days in hours, below two hours in minutes. */
export function timeLeft(end: string | Date, now: Date = currentTime()): string {
  const to = new Date(end);
  const ms = Math.max(0, to.getTime() - now.getTime());
  if (ms < 2 * hourMs) return counted(Math.floor(ms / minuteMs), "minute");
  const { count, unit } = spanBetween(now, to);
  return counted(count, unit);
}
