import { formatDay, localMoment, localToday } from "../../../lib/format/dates.ts";

/** "today, 11:20" or "Mon, Nov 2, 11:20". */
export function shownMoment(at: string | Date): string {
  const { day, time } = localMoment(at);
  return `${day === localToday() ? "today" : formatDay(day, { short: true })}, ${time}`;
}
