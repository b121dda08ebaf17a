/** Days and times as the reader sees them: the calendar of the whole product, and the present where the reader is. */
import { dayText, formatDay } from "#platform/time/calendar.rules.ts";
import { currentTime } from "../clock.ts";

export * from "#platform/time/calendar.rules.ts";

/** Today where the reader is. For a browser only: a page rendered for everybody does not know it. */
export function localToday(now = currentTime()): string {
  return dayText({ year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() });
}

/** The calendar date and the time ("14:02") of a moment, where the reader is. */
export function localMoment(moment: string | Date): { day: string; time: string } {
  const at = new Date(moment);
  return {
    day: localToday(at),
    time: `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`,
  };
}

export const formatShortDate = (day: string): string =>
  formatDay(day, { short: true, year: true }).split(" ").slice(1).join(" ");
