/** Calendar days and clock times in a zone. Days are strings YYYY-MM-DD, never a `Date` that a zone could shift. */
import { Temporal } from "temporal-polyfill";

/** The zone is one that this machine knows. */
export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** The text is a day of the calendar, YYYY-MM-DD; 30 February is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}

const instantOf = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime());
const formatTime = (time: Temporal.PlainTime) => time.toString({ smallestUnit: "minute" });

/** The calendar day at a moment in a zone. */
export const dayIn = (zone: string, at: Date): string =>
  instantOf(at).toZonedDateTimeISO(zone).toPlainDate().toString();

/** The clock time HH:MM at a moment in a zone. */
export const timeIn = (zone: string, at: Date): string =>
  formatTime(instantOf(at).toZonedDateTimeISO(zone).toPlainTime());

/** The day so many days later; negative for earlier. */
export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();

/** Days from one calendar day to another; negative when the second is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;

/** A day in words: "Saturday 13 February 2027". Fixed English, so that server and browser say the same. */
export function describeDay(day: string, options: { year?: boolean } = {}): string {
  const date = Temporal.PlainDate.from(day);
  const words = `${weekdays[date.dayOfWeek - 1]} ${date.day} ${months[date.month - 1]}`;
  return options.year === false ? words : `${words} ${date.year}`;
}

/** Monday first, as Temporal counts. */
export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
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
