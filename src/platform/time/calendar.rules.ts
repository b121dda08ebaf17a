/**
 * The calendar of the whole product, for server and browser: days ("2027-02-13") and wall-clock times ("20:30"). They
 * belong to a place, so they travel as text and are never carried by a `Date`, which a zone could shift. Names of days and
 * months stand here in fixed English, because a server and a browser may disagree about a locale's punctuation. It needs no
 * library, so that public pages stay small; instants of shows are computed in calendar/time.rules.ts.
 */
import { formatTimeZone } from "./time-zones.rules.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** A day in its parts; January is month 1. */
export type Day = Readonly<{ year: number; month: number; day: number }>;

/** Reads a day YYYY-MM-DD; undefined when the text is not one that exists. Years 1000 to 9999, which PostgreSQL stores too. */
export function readDay(text: string | null | undefined): Day | undefined {
  const found = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text ?? "");
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : undefined;
}

/** Whether the text is a day of the calendar, YYYY-MM-DD; 30 February is not. */
export const isDay = (text: string): boolean => readDay(text) !== undefined;

/** Reads a day that is known to be one; throws RangeError for anything else. */
function requireDay(text: string): Day {
  const day = readDay(text);
  if (!day) throw new RangeError(`${JSON.stringify(text)} is not a day of the calendar`);
  return day;
}

export const dayText = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

export const daysIn = (year: number, month: number): number =>
  [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** The weekday, Sunday is 0 (Sakamoto's rule). */
export function weekdayOf({ year, month, day }: Day): number {
  const early = month < 3 ? year - 1 : year;
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  return (early + Math.floor(early / 4) - Math.floor(early / 100) + Math.floor(early / 400) + shift + day) % 7;
}

/** "Saturday" for 6. */
export const weekdayName = (weekday: number): string => weekdays[weekday] ?? "";

/** The day so many days later, or earlier for a negative count. Throws RangeError when the text is no day. */
export function addDays(text: string, days: number): string {
  let { year, month, day } = requireDay(text);
  day += days;
  while (day > daysIn(year, month)) {
    day -= daysIn(year, month);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
  while (day < 1) {
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
    day += daysIn(year, month);
  }
  return dayText({ year, month, day });
}

/** Returns the months from `back` before to `ahead` after the month of a day, YYYY-MM, in their order. Throws RangeError when the text is no day. */
export function monthsAround(text: string, { back, ahead = 0 }: Readonly<{ back: number; ahead?: number }>): string[] {
  const { year, month } = requireDay(text);
  return Array.from({ length: back + ahead + 1 }, (_, at) => {
    const count = year * 12 + month - 1 - back + at;
    return dayText({ year: Math.floor(count / 12), month: (count % 12) + 1, day: 1 }).slice(0, 7);
  });
}

/** Days from one day to another; negative when the second is earlier. Throws RangeError when either is no day. */
export const daysBetween = (from: string, to: string): number =>
  dayNumber(requireDay(to)) - dayNumber(requireDay(from));

/** Counts the days of the Gregorian calendar from a fixed one. */
function dayNumber({ year, month, day }: Day): number {
  const past = year - 1;
  const inYear = Array.from({ length: month - 1 }, (_, at) => daysIn(year, at + 1)).reduce((sum, one) => sum + one, 0);
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) + inYear + day;
}

/** "Saturday 13 February", with the year when it is asked for, or short "Sat 13 Feb"; text that is no day comes back as it is. */
export function formatDay(text: string, options: { year?: boolean; short?: boolean } = {}): string {
  const day = readDay(text);
  if (!day) return text;
  const weekday = weekdayName(weekdayOf(day));
  const month = months[day.month - 1] ?? "";
  const words = options.short
    ? `${weekday.slice(0, 3)} ${day.day} ${month.slice(0, 3)}`
    : `${weekday} ${day.day} ${month}`;
  return options.year ? `${words} ${day.year}` : words;
}

/** "Saturday 13 February 2027". */
export const describeDay = (text: string): string => formatDay(text, { year: true });

/** "16 January" of "2027-01-16", short "16 Jan". */
export function formatDayAndMonth(text: string, options: { short?: boolean } = {}): string {
  const day = readDay(text);
  const month = day ? (months[day.month - 1] ?? "") : "";
  return day ? `${day.day} ${options.short ? month.slice(0, 3) : month}` : text;
}

/** "February 2027". */
export const formatMonth = ({ year, month }: Pick<Day, "year" | "month">): string => `${months[month - 1]} ${year}`;

/** "October 2026" of "2026-10-04". */
export function formatMonthOf(text: string): string {
  const day = readDay(text);
  return day ? formatMonth(day) : text;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError when the zone is not one that this machine knows. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const fields = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-US", { ...fields, hourCycle: "h23", timeZone: zone });
  clocks.set(zone, made);
  return made;
}

/** Whether the text names an IANA zone, such as Europe/Berlin. Offsets such as +01:00 are none. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false;
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

function partsIn(zone: string, at: Date): Record<string, string> {
  return Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
}

/** The day of an instant in a zone. */
export function dayIn(zone: string, at: Date): string {
  const { year = "", month = "", day = "" } = partsIn(zone, at);
  return `${year.padStart(4, "0")}-${month}-${day}`;
}

/** The clock time HH:MM of an instant in a zone. */
export function timeIn(zone: string, at: Date): string {
  const { hour = "", minute = "" } = partsIn(zone, at);
  return `${hour}:${minute}`;
}

/** "Saturday 28 November 2026, 14:03 (US Central)": an instant in a zone, which is always named. */
export const formatInstant = (at: Date, zone: string): string =>
  `${describeDay(dayIn(zone, at))}, ${timeIn(zone, at)} (${formatTimeZone(zone)})`;

/** "14:07 (US Central)": the clock time of an instant of today, with its zone named. */
export const describeTime = (zone: string, at: Date): string => `${timeIn(zone, at)} (${formatTimeZone(zone)})`;
