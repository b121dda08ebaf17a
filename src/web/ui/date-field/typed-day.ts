import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { addDays, formatShortDate, localToday } from "../../lib/format/dates.ts";
import { type DayLimits, comingDays } from "./day-limits.ts";

/** Returns the day as YYYY-MM-DD, or undefined. Without a year it counts only if `isComplete`, as the next such day of the limits, or the last one if they include the past. */
export function readDay(
  text: string,
  isComplete: boolean,
  limitsOf: (today: string) => DayLimits = comingDays,
): string | undefined {
  const { today, first, last } = limitsOf(localToday());
  const yearBefore = addDays(last < today ? last : today, -364);
  const earliest = first >= today ? today : first > yearBefore ? first : yearBefore;
  return readTypedDay(text, isComplete ? earliest : undefined);
}

export const unreadableMessage = (): string => `Enter a date such as ${formatShortDate(addDays(localToday(), 30))}.`;
