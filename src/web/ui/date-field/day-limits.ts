/** The days that a calendar offers, separate from the calendar for pages that load it later. */

import { currentTime } from "../../lib/clock.ts";
import { addDays, dayIn, weekdayOf, readDay } from "../../lib/format/dates.ts";

/** `closed`: the artist does not play then. `off`: outside the bookable days. */
export type DayState = "free" | "hold" | "booked" | "closed" | "off";

/** `today` is in the zone of the limits. `hasStates`: the days belong to an artist, with states. */
export type DayLimits = Readonly<{
  today: string;
  first: string;
  last: string;
  hasStates: boolean;
  stateOf(date: string): DayState;
}>;

/** Returns today in the zone of an artist or a venue. Browser only. */
export const todayIn = (zone: string): string => dayIn(zone, currentTime());

export type ArtistDates = Readonly<{
  taken: readonly Readonly<{ date: string; state: "hold" | "booked" | "closed" }>[];
  minimum_notice: number;
  maximum_booking_days: number;
  time_zone: string;
}>;

export function artistLimits(artist: ArtistDates, today = todayIn(artist.time_zone)): DayLimits {
  const first = addDays(today, artist.minimum_notice);
  const last = addDays(today, artist.maximum_booking_days);
  const taken = new Map(artist.taken.map(({ date, state }) => [date, state]));
  const stateOf = (date: string) => taken.get(date) ?? (date < first || date > last ? "off" : "free");
  return { today, first, last, stateOf, hasStates: true };
}

const maxDaysAhead = 730;

export function comingDays(today: string): DayLimits {
  const last = addDays(today, maxDaysAhead);
  return {
    today,
    first: today,
    last,
    hasStates: false,
    stateOf: (date) => (date < today || date > last ? "off" : "free"),
  };
}

export function daysBetween(today: string, first: string, last: string): DayLimits {
  const limits = { today, first: first || "2000-01-01", last: last || "2099-12-31", hasStates: false };
  return { ...limits, stateOf: (date) => (date < limits.first || date > limits.last ? "off" : "free") };
}

export const firstFree = (limits: DayLimits): string | undefined => findFree(limits, () => true);

export const firstFreeWeekend = (limits: DayLimits): string | undefined =>
  findFree(limits, (date) => {
    const day = readDay(date);
    return day !== undefined && weekdayOf(day) >= 5;
  });

function findFree({ first, last, stateOf }: DayLimits, fits: (date: string) => boolean): string | undefined {
  for (let date = first; date <= last; date = addDays(date, 1)) if (stateOf(date) === "free" && fits(date)) return date;
  return undefined;
}
