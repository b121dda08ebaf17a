/** A column is a night, from the end of the previous night to its own end, in the artist's time zone. */

import type { CalendarEntry } from "../../../lib/api/artist/calendar.ts";
import { addDays, dayIn, daysBetween, readDay, timeIn, weekdayOf } from "../../../lib/format/dates.ts";

/** Times are minutes since midnight of the night's date: 20:30 is 1230, 01:00 in the same night is 1500. `entries` is one entry, or the holds of one time. */
export type Block = Readonly<{
  entries: readonly CalendarEntry[];
  from: number;
  to: number;
  lane: number;
  lanes: number;
}>;

export type NightColumn = Readonly<{ night: string; allNight: readonly CalendarEntry[]; blocks: readonly Block[] }>;

type Zone = Readonly<{ zone: string; nightEndsAt: string }>;

const day = 1440;
/** The shortest drawn length in minutes. The text of a shorter entry needs the space. */
const minMinutes = 60;
const minHours = { first: 14, last: 26 };

export const mondayOf = (date: string): string => {
  const read = readDay(date);
  return read ? addDays(date, -((weekdayOf(read) + 6) % 7)) : date;
};

export const daysOfWeek = (monday: string): string[] => Array.from({ length: 7 }, (_, at) => addDays(monday, at));

const minutesOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
};

/** Returns the local clock time in minutes since midnight of the night's date. On daylight saving days this differs from the elapsed minutes. */
export const clockMinutes = (at: Date, night: string, zone: string): number =>
  daysBetween(night, dayIn(zone, at)) * day + minutesOf(timeIn(zone, at));

export function nightColumn(
  entries: readonly CalendarEntry[],
  night: string,
  { zone, nightEndsAt }: Zone,
): NightColumn {
  const first = minutesOf(nightEndsAt);
  const last = first + day;
  const timesOf = (entry: CalendarEntry) => ({
    from: clockMinutes(new Date(entry.starts_at), night, zone),
    to: clockMinutes(new Date(entry.ends_at), night, zone),
  });
  const own = entries.filter((entry) => entry.night <= night && night <= entry.last_night);
  const isAllNight = (entry: CalendarEntry) => {
    const { from, to } = timesOf(entry);
    return (from <= first && to >= last) || (entry.kind === "external" && from % day === 0 && to % day === 0);
  };
  const timed = own
    .filter((entry) => !isAllNight(entry))
    .map((entry) => {
      const { from, to } = timesOf(entry);
      const begins = Math.max(from, first);
      // In a repeated hour, an entry's local end can be before its start.
      return { entry, from: begins, to: Math.max(Math.min(to, last), begins + minMinutes) };
    });
  const groups = Map.groupBy(timed, ({ entry, from }) => (entry.hold ? `holds at ${from}` : entry.id));
  const blocks = [...groups.values()].map((group) => ({
    entries: group.map(({ entry }) => entry),
    from: Math.min(...group.map(({ from }) => from)),
    to: Math.max(...group.map(({ to }) => to)),
  }));
  return { night, allNight: own.filter(isAllNight), blocks: inLanes(blocks) };
}

function inLanes(blocks: readonly Omit<Block, "lane" | "lanes">[]): Block[] {
  const placed: (Omit<Block, "lanes"> & { cluster: number })[] = [];
  let cluster = 0;
  let clusterEnd = 0;
  for (const block of blocks.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    if (block.from >= clusterEnd) cluster += 1;
    clusterEnd = Math.max(clusterEnd, block.to);
    const beside = placed.filter((one) => one.cluster === cluster && one.to > block.from).map(({ lane }) => lane);
    const lane = Array.from({ length: beside.length + 1 }, (_, at) => at).find((at) => !beside.includes(at)) ?? 0;
    placed.push({ ...block, lane, cluster });
  }
  return placed.map(({ cluster: own, ...block }) => ({
    ...block,
    lanes: Math.max(...placed.filter((one) => one.cluster === own).map(({ lane }) => lane)) + 1,
  }));
}

/** Returns the first and last full hour that a week needs, at least 14 to 26 (02:00). */
export function hoursOf(columns: readonly NightColumn[]): { first: number; last: number } {
  const blocks = columns.flatMap((column) => column.blocks);
  return {
    first: Math.min(minHours.first, ...blocks.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(minHours.last, ...blocks.map(({ to }) => Math.ceil(to / 60))),
  };
}
