/** What the form can say about a date before anything is sent. The server decides again when the request arrives. */
import { readDay, shiftDay, weekdayOf, weekdayWord } from "../lib/dates.ts";

/** An artist's calendar as the profile tells it. Notice and advance in days. */
export type DateFacts = Readonly<{
  taken: readonly Readonly<{ date: string; state: "booked" | "hold" }>[];
  minimum_notice: number;
  maximum_booking_days: number;
}>;

export type DateAnswer =
  | Readonly<{ state: "none" | "free" }>
  | Readonly<{ state: "booked" | "hold"; nearest: readonly NearDate[] }>
  | Readonly<{ state: "early" | "late" | "past"; limit: string }>;

/** Another date with the reason why it is offered. */
export type NearDate = Readonly<{ date: string; why: string }>;

/** Answers a date (YYYY-MM-DD) as of `today`. Text that is no date yet is no answer. */
export function dateAnswer(date: string, facts: DateFacts, today: string): DateAnswer {
  if (!readDay(date)) return { state: "none" };
  const first = shiftDay(today, facts.minimum_notice);
  const last = shiftDay(today, facts.maximum_booking_days);
  if (date < today) return { state: "past", limit: first };
  if (date < first) return { state: "early", limit: first };
  if (date > last) return { state: "late", limit: last };
  const taken = facts.taken.find((one) => one.date === date);
  return taken ? { state: taken.state, nearest: nearestFree(date, facts, { first, last }) } : { state: "free" };
}

/** The day that is nearest, the nearest on the other side, and the same weekday: three dates that are free. */
function nearestFree(date: string, facts: DateFacts, limits: { first: string; last: string }): NearDate[] {
  const taken = new Set(facts.taken.map((one) => one.date));
  const isFree = (one: string) => one >= limits.first && one <= limits.last && !taken.has(one);
  const found: NearDate[] = [];
  const look = (shifts: readonly number[]) => {
    const shift = shifts.find(
      (by) => isFree(shiftDay(date, by)) && !found.some((one) => one.date === shiftDay(date, by)),
    );
    if (shift !== undefined) found.push({ date: shiftDay(date, shift), why: distanceWords(date, shift) });
  };
  const days = Array.from({ length: 60 }, (_, at) => at + 1);
  look(days);
  look(days.map((day) => -day));
  look([1, 2, 3, 4, 5, 6, 7, 8].flatMap((week) => [-7 * week, 7 * week]));
  if (found.length < 3) look(days);
  if (found.length < 3) look(days);
  return found;
}

function distanceWords(date: string, shift: number): string {
  const far = Math.abs(shift);
  const side = shift > 0 ? "after" : "before";
  const day = readDay(date);
  if (far === 1) return `the day ${side}`;
  if (far === 7 && day) return `the ${weekdayWord(weekdayOf(day))} ${side}`;
  if (far % 7 === 0) return `${far / 7} weeks ${side}`;
  return `${far} days ${side}`;
}
