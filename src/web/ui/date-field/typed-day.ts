/** Reads what was typed into a date field. Loaded with its first use. */
import { readTypedDay } from "#platform/time/typed-day.rules.ts";
import { localToday } from "../../lib/format/dates.ts";

/** Returns the day as YYYY-MM-DD, or undefined. A day without a year counts only when it was typed in full: then it is the next such day. */
export const readDay = (text: string, isComplete: boolean): string | undefined =>
  readTypedDay(text, isComplete ? localToday() : undefined);
