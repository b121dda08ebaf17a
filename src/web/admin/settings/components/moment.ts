import { formatDay, localMoment, localToday } from "../../../lib/format/dates.ts";

/** Returns "today, 11:20" or "Mon 2 Nov, 11:20" in local time. */
export function shownMoment(at: string | Date): string {
  const { day, time } = localMoment(at);
  return `${day === localToday() ? "today" : formatDay(day, { short: true })}, ${time}`;
}
