/**
 * Calendar dates ("2027-02-13") and wall-clock times ("20:30") in words. They belong to a place, not to a zone: no Date
 * carries them. The names stand here because a server and a browser may disagree about a locale's punctuation.
 */

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

export type Day = Readonly<{ year: number; month: number; day: number }>;

/** The parts of a calendar date; undefined when the text is not one that exists. Years 1000 to 9999. */
export function readDay(text: string | null | undefined): Day | undefined {
  const found = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text ?? "");
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : undefined;
}

/** The date of its parts as text. */
export const dayText = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** How many days a month has; January is 1. */
export const daysIn = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** The weekday, Sunday is 0 (Sakamoto's rule). */
export function weekdayOf({ year, month, day }: Day): number {
  const early = month < 3 ? year - 1 : year;
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  return (early + Math.floor(early / 4) - Math.floor(early / 100) + Math.floor(early / 400) + shift + day) % 7;
}

/** "Saturday" for 6. */
export const weekdayName = (weekday: number): string => weekdays[weekday] ?? "";

/** "Saturday 13 February", with the year when it is asked for; text that is no date comes back as it is. */
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

/** "16 January" of "2027-01-16". */
export function formatDayAndMonth(text: string): string {
  const day = readDay(text);
  return day ? `${day.day} ${months[day.month - 1]}` : text;
}

/** "February 2027". */
export const formatMonth = ({ year, month }: Pick<Day, "year" | "month">): string => `${months[month - 1]} ${year}`;

/** "October 2026" of "2026-10-04". */
export function formatMonthOf(text: string): string {
  const day = readDay(text);
  return day ? formatMonth(day) : text;
}

/** The date so many days later, or earlier for a negative count. */
export function addDays(text: string, days: number): string {
  const start = readDay(text);
  if (!start) return text;
  let { year, month, day } = start;
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

/** Days from one date to another; negative when the second is earlier. */
export function daysBetween(from: string, to: string): number {
  const [first, second] = [readDay(from), readDay(to)];
  return first && second ? dayNumber(second) - dayNumber(first) : 0;
}

/** Counts the days of the calendar from a fixed one. */
function dayNumber({ year, month, day }: Day): number {
  const past = year - 1;
  const months = Array.from({ length: month - 1 }, (_, at) => daysIn(year, at + 1)).reduce(
    (sum, days) => sum + days,
    0,
  );
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) + months + day;
}

/** Today where the reader is. For a browser only: a page rendered for everybody does not know it. */
export function localToday(now = new Date()): string {
  return dayText({ year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() });
}

/** The calendar date and the time ("14:02") of a moment, where the reader is. */
export function localMoment(moment: string | Date): { day: string; time: string } {
  const at = new Date(moment);
  return {
    day: localToday(at),
    time: `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`,
  };
}
