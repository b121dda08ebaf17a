/** How letters write money, days and moments. */

/** An amount in the currency's smallest unit. */
export type Money = { amount: number; currency: string };

/** Writes an amount with its sign and all its decimals: $375.00. */
export function money({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency: currency.toUpperCase() });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Writes a calendar date (YYYY-MM-DD) with its weekday: Saturday 13 February 2027. No zone can shift it. */
export const longDay = (day: string): string =>
  dayWith(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

/** Writes a calendar date for a subject line: Saturday 13 February. */
export const day = (date: string): string => dayWith(date, { weekday: "long", day: "numeric", month: "long" });

/** Writes a calendar date as short as it goes: 13 Feb. */
export const shortDay = (date: string): string => dayWith(date, { day: "numeric", month: "short" });

function dayWith(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" })
    .format(new Date(`${date.slice(0, 10)}T00:00:00Z`))
    .replaceAll(",", "");
}

/** Writes a moment in a zone, naming the zone: Saturday 28 November 2026, 14:03 (America/Chicago). */
export function moment(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone }).format(instant);
  return `${parts.replace(",", "").replace(" at ", ", ")} (${timeZone})`;
}

/** Puts any text on one line, cut to a length that a subject line can carry. */
export function oneLine(text: string, max = 160): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  const flat = text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029\s]+/g, " ").trim();
  return flat.length > max ? `${flat.slice(0, max - 1).trimEnd()}…` : flat;
}

/** The name to greet a person by, or undefined when it looks like an advertisement: strangers may type it, and we mail it. */
export function greetingName(name: string | null | undefined): string | undefined {
  const flat = oneLine(name ?? "", 80);
  return flat === "" || /[:/@<>]|www\.|\w\.\w{2}/i.test(flat) ? undefined : flat;
}
