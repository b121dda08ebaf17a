import { addDays, dayText, daysIn, readDay, weekdayOf } from "../../lib/format/dates.ts";
import { shiftMonth } from "../../lib/format/months.ts";

const dayCounts: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const monthCounts: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** Keys as in the WAI-ARIA date picker. Returns undefined for others. */
export function dayAfterKey(date: string, key: string, shift = false): string | undefined {
  const day = readDay(date);
  if (!day) return undefined;
  const days = dayCounts[key];
  if (days !== undefined) return addDays(date, days);
  const months = monthCounts[key];
  if (months !== undefined) {
    const month = shiftMonth(day, shift ? months * 12 : months);
    // The 31st becomes the last day of a shorter month.
    return dayText({ ...month, day: Math.min(day.day, daysIn(month.year, month.month)) });
  }
  const sinceMonday = (weekdayOf(day) + 6) % 7;
  if (key === "Home") return addDays(date, -sinceMonday);
  return key === "End" ? addDays(date, 6 - sinceMonday) : undefined;
}
