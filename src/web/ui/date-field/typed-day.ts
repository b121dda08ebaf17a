import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { addDays, formatShortDate, localToday } from "../../lib/format/dates.ts";

/** Returns the day as YYYY-MM-DD, or undefined. Without a year it counts only if `isComplete`, as the next such day. */
export const readDay = (text: string, isComplete: boolean): string | undefined =>
  readTypedDay(text, isComplete ? localToday() : undefined);

export const unreadableMessage = (): string => `Enter a date such as ${formatShortDate(addDays(localToday(), 30))}.`;
