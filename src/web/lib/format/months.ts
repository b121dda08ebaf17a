import { type Day, dayText, daysIn, readDay, weekdayOf } from "./dates.ts";

export type Month = Pick<Day, "year" | "month">;

export const monthOfText = (text: string): Month => readDay(text) ?? { year: 2000, month: 1 };

export const monthKey = ({ year, month }: Month): number => year * 12 + month;

export const shiftMonth = (month: Month, by: number): Month => {
  const key = monthKey(month) - 1 + by;
  return { year: Math.floor(key / 12), month: (key % 12) + 1 };
};

export const monthText = (month: Month): string => dayText({ ...month, day: 1 }).slice(0, 7);

export const weekdayColumns = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/** Monday first. Days of other months are undefined. */
export function weeksOf({ year, month }: Month): (string | undefined)[][] {
  const lead = (weekdayOf({ year, month, day: 1 }) + 6) % 7;
  const days = Array.from({ length: daysIn(year, month) }, (_, at) => dayText({ year, month, day: at + 1 }));
  const cells = [...Array.from({ length: lead }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => cells[week * 7 + day]),
  );
}
