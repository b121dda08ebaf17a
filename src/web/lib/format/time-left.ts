import { minuteMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../clock.ts";

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"} left`;

/** Returns "4 days left", below two days in hours, below two hours in minutes. */
export function timeLeft(end: string | Date, now: Date = currentTime()): string {
  const minutes = Math.max(0, Math.floor((new Date(end).getTime() - now.getTime()) / minuteMs));
  if (minutes >= 48 * 60) return counted(Math.floor(minutes / (24 * 60)), "day");
  return minutes >= 120 ? counted(Math.floor(minutes / 60), "hour") : counted(minutes, "minute");
}
