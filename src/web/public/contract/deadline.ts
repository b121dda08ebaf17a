/** The end of the time for signing, in words. */
import { currentTime } from "../../lib/clock.ts";
import { dayIn, describeTime, formatDay } from "../../lib/format/dates.ts";

const minuteMs = 60_000;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"} left`;

/** Returns "4 days left", from two days down in hours, from two hours down in minutes. */
export function timeLeft(end: string, now: Date = currentTime()): string {
  const minutes = Math.max(0, Math.floor((new Date(end).getTime() - now.getTime()) / minuteMs));
  if (minutes >= 48 * 60) return counted(Math.floor(minutes / (24 * 60)), "day");
  return minutes >= 120 ? counted(Math.floor(minutes / 60), "hour") : counted(minutes, "minute");
}

/** Returns "Saturday 28 November, 14:03 (US Central)". */
export const endText = (end: string, zone: string): string =>
  `${formatDay(dayIn(zone, new Date(end)))}, ${describeTime(zone, new Date(end))}`;

export const signByText = (end: string, zone: string): string => `Sign by ${endText(end, zone)}`;
