/** Dates and times of a calendar. A wall time is in ms as if its clock were UTC: rules repeat in wall times, and zones convert them to instants. */

import { dayMs } from "#platform/time/durations.rules.ts";
import { CalendarUnreadable, type Property } from "./content-lines.ts";

/** A value as written. `zone`: "utc", the TZID, or null for a floating time or a day. */
export type ParsedTime = Readonly<{ wall: number; isDay: boolean; zone: string | null }>;

const timePattern = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-4])([0-5]\d)([0-5]\d|60)?(Z)?)?$/;

export function readTime(text: string, tzid: string | undefined): ParsedTime | undefined {
  const match = timePattern.exec(text.trim().toUpperCase());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const isDay = match[4] === undefined;
  return { wall, isDay, zone: isDay ? null : match[7] ? "utc" : (tzid ?? null) };
}

/** Reads the single time of a property. Throws CalendarUnreadable for a text that is no time. */
export function requireTime({ name, value, parameters }: Property): ParsedTime {
  const time = readTime(value, parameters.get("TZID"));
  if (!time) throw new CalendarUnreadable(`An entry has a ${name} that we cannot read.`);
  return time;
}

/** A length: days and weeks follow the wall clock, the rest is exact (RFC 5545, 3.3.6). */
export type Length = Readonly<{ wallMs: number; exactMs: number }>;

const maxLengthMs = 100 * 366 * dayMs;

/** Returns undefined for a text that is no duration, or one of more than a hundred years. */
export function readDuration(text: string): Length | undefined {
  const match = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
    text.trim().toUpperCase(),
  );
  if (!match || /^[+-]?P$/.test(match[0])) return undefined;
  if (match[1] === "-") return { wallMs: 0, exactMs: 0 };
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0));
  const length = { wallMs: (weeks * 7 + days) * dayMs, exactMs: ((hours * 60 + minutes) * 60 + seconds) * 1_000 };
  return length.wallMs + length.exactMs > maxLengthMs ? undefined : length;
}

/** The end of the year 9999, in ms. Texts of dates have no later year. */
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Returns "20270710T203000Z", the format of rules. */
export const wallText = (wall: number): string =>
  new Date(Math.min(wall, lastMoment)).toISOString().replaceAll(/[-:]|\.\d+/g, "");
