/** Days ("2027-02-13") and wall-clock times ("20:30"), local to a town, so they are text, and a `Date` only inside arithmetic. Uses no library, because public pages must stay small. Instants of shows are computed in calendar/time.rules.ts. */

import { type Day, dayText, formatDay, months, readDay, utcOf } from "./days.rules.ts";
import { dayMs } from "./durations.rules.ts";
import { formatTimeZone } from "./time-zones.rules.ts";

export * from "./days.rules.ts";

function requireDay(text: string): Day {
  const day = readDay(text);
  if (!day) throw new RangeError(`${JSON.stringify(text)} is not a day of the calendar`);
  return day;
}

/** Returns the day that is `days` later, or earlier for a negative count. Throws RangeError if the text is no day. */
export function addDays(text: string, days: number): string {
  return dayAt(utcOf(requireDay(text)) + days * dayMs);
}

function dayAt(utcMs: number): string {
  const at = new Date(utcMs);
  return dayText({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() });
}

/** Returns the months from `back` before to `ahead` after the month of a day, YYYY-MM, in order. Throws RangeError if the text is no day. */
export function monthsAround(text: string, { back, ahead = 0 }: Readonly<{ back: number; ahead?: number }>): string[] {
  const { year, month } = requireDay(text);
  return Array.from({ length: back + ahead + 1 }, (_, at) =>
    dayAt(Date.UTC(year, month - 1 - back + at, 1)).slice(0, 7),
  );
}

/** Returns the days from one day to another, negative if the second is earlier. Throws RangeError if either is no day. */
export const daysBetween = (from: string, to: string): number =>
  (utcOf(requireDay(to)) - utcOf(requireDay(from))) / dayMs;

export const describeDay = (text: string): string => formatDay(text, { year: true });

/** "16 January" of "2027-01-16", short "16 Jan". */
export function formatDayAndMonth(text: string, options: { short?: boolean } = {}): string {
  const day = readDay(text);
  const month = day ? (months[day.month - 1] ?? "") : "";
  return day ? `${day.day} ${options.short ? month.slice(0, 3) : month}` : text;
}

export const formatMonth = ({ year, month }: Pick<Day, "year" | "month">): string => `${months[month - 1]} ${year}`;

export function formatMonthOf(text: string): string {
  const day = readDay(text);
  return day ? formatMonth(day) : text;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const fields = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-US", { ...fields, hourCycle: "h23", timeZone: zone });
  clocks.set(zone, made);
  return made;
}

/** Returns true for an IANA zone, such as Europe/Berlin. Offsets such as +01:00 are none. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false;
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

export const zoneOrUtc = (zone: string): string => (isTimeZone(zone) ? zone : "UTC");

function partsIn(zone: string, at: Date): Record<string, string> {
  return Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
}

export function dayIn(zone: string, at: Date): string {
  const { year = "", month = "", day = "" } = partsIn(zone, at);
  return `${year.padStart(4, "0")}-${month}-${day}`;
}

export function timeIn(zone: string, at: Date): string {
  const { hour = "", minute = "" } = partsIn(zone, at);
  return `${hour}:${minute}`;
}

/** Returns "Saturday 28 November 2026, 14:03 (US Central)". */
export const formatInstant = (at: Date, zone: string): string =>
  `${describeDay(dayIn(zone, at))}, ${timeIn(zone, at)} (${formatTimeZone(zone)})`;

/** Returns "14:07 (US Central)". */
export const describeTime = (zone: string, at: Date): string => `${timeIn(zone, at)} (${formatTimeZone(zone)})`;
