/** Where the keys of a calendar lead, as the WAI-ARIA grid pattern and its date picker name them. */
import { addDays, dayText, daysIn, readDay, weekdayOf } from "../../lib/format/dates.ts";
import { shiftMonth } from "../../lib/format/months.ts";

const dayCounts: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const monthCounts: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/**
 * The day that a key leads to from a day (YYYY-MM-DD): arrows by a day or a week, Page Up and Page Down by a month, with Shift by
 * a year, Home and End to the week's Monday and Sunday. Undefined for every other key.
 */
export function dayAfterKey(date: string, key: string, shift = false): string | undefined {
  const day = readDay(date);
  if (!day) return undefined;
  const days = dayCounts[key];
  if (days !== undefined) return addDays(date, days);
  const months = monthCounts[key];
  if (months !== undefined) {
    const month = shiftMonth(day, shift ? months * 12 : months);
    // The 31st leads to the last day of a shorter month.
    return dayText({ ...month, day: Math.min(day.day, daysIn(month.year, month.month)) });
  }
  const sinceMonday = (weekdayOf(day) + 6) % 7;
  if (key === "Home") return addDays(date, -sinceMonday);
  return key === "End" ? addDays(date, 6 - sinceMonday) : undefined;
}
