/** Reads and formats days. Names are fixed English, because a server and a browser may differ in a locale's punctuation. */
export const months = [
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

/** Reads a day YYYY-MM-DD. Returns undefined if it does not exist. Years 1000 to 9999, which PostgreSQL stores too. */
export function readDay(text: string | null | undefined): Day | undefined {
  const found = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text ?? "");
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : undefined;
}

export const isDay = (text: string): boolean => readDay(text) !== undefined;

export const dayText = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Returns the day's midnight in UTC, in ms, for arithmetic: no clock changes in UTC. */
export const utcOf = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day);

export const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

export const weekdayOf = (day: Day): number => new Date(utcOf(day)).getUTCDay();

export const weekdayName = (weekday: number): string => weekdays[weekday] ?? "";

/** Returns "Saturday 13 February", optionally with the year, or short "Sat 13 Feb". Returns a text that is no day unchanged. */
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

/** Returns "Sat 13 Feb 2027", as a date field shows it. */
export const formatWeekdayDate = (day: string): string => formatDay(day, { short: true, year: true });
