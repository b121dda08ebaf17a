import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { addDays, formatShortDate, localToday } from "../../lib/format/dates.ts";
import { type DayLimits, comingDays } from "./day-limits.ts";

/** Returns the day as YYYY-MM-DD, or undefined. Without a year it counts only if `isComplete`, as the next such day of the limits. */
export const readDay = (
  text: string,
  isComplete: boolean,
  limitsOf: (today: string) => DayLimits = comingDays,
): string | undefined => readTypedDay(text, isComplete ? limitsOf(localToday()).today : undefined);

export const unreadableMessage = (): string => `Enter a date such as ${formatShortDate(addDays(localToday(), 30))}.`;
