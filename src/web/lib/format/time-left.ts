import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../clock.ts";

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"} left`;

/** Returns a time of at least an hour, in ms, as whole hours below two days, then as whole days, each rounded. */
export const roundedTime = (ms: number): Readonly<{ count: number; unit: "hour" | "day" }> =>
  ms < 48 * hourMs
    ? { count: Math.round(ms / hourMs), unit: "hour" }
    : { count: Math.round(ms / (24 * hourMs)), unit: "day" };

/** Returns "4 days left", below two days in hours, below two hours in minutes. */
export function timeLeft(end: string | Date, now: Date = currentTime()): string {
  const ms = Math.max(0, new Date(end).getTime() - now.getTime());
  if (ms < 2 * hourMs) return counted(Math.floor(ms / minuteMs), "minute");
  const { count, unit } = roundedTime(ms);
  return counted(count, unit);
}
