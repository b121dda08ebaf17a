import { oneLine } from "#delivery/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { formatDay, formatDayAndMonth, describeDay } from "#platform/time/calendar.rules.ts";

export type Money = { amount: number; currency: string };

/** "$375", with cents only where they are not zero, as on the screens. */
export const money = ({ amount, currency }: Money): string => formatMoney(amount, currency);

/** "Saturday 13 February 2027" of a calendar date (YYYY-MM-DD). */
export const longDay = (date: string): string => describeDay(date.slice(0, 10));

/** "Saturday 13 February", for a subject line. */
export const day = (date: string): string => formatDay(date.slice(0, 10));

/** "13 Feb", as short as it goes. */
export const shortDay = (date: string): string => formatDayAndMonth(date.slice(0, 10), { short: true });

/** The name to greet a person by, or undefined when it looks like an advertisement: strangers may type it, and we mail it. */
export function greetingName(name: string | null | undefined): string | undefined {
  const flat = oneLine(name ?? "", 80);
  return flat === "" || /[:/@<>]|www\.|\w\.\w{2}/i.test(flat) ? undefined : flat;
}
