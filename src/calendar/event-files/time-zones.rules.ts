import { Temporal } from "temporal-polyfill";
import { minuteMs } from "#platform/time/durations.rules.ts";

/** A clock change of the zone: its instant, and the offset from UTC in ms before and after it. */
type Change = Readonly<{ at: number; before: number; after: number }>;

export type ZoneTimes = Readonly<{
  /** Returns the VTIMEZONE as lines: the change before the first event, all between, and the one after the last. */
  component(): string[];
  /** Returns an instant as "20270710T203000", or undefined in an hour that clocks show twice, which clients read differently. */
  local(at: Date): string | undefined;
}>;

const pair = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Returns "20270710T203000". Several times faster than toISOString with replacements: feeds write thousands. */
function digits(ms: number): string {
  const at = new Date(ms);
  const day = `${at.getUTCFullYear()}${pair(at.getUTCMonth() + 1)}${pair(at.getUTCDate())}`;
  return `${day}T${pair(at.getUTCHours())}${pair(at.getUTCMinutes())}${pair(at.getUTCSeconds())}`;
}
export const utcText = (at: Date): string => `${digits(at.getTime())}Z`;

const offsetOf = (at: Temporal.ZonedDateTime): number => at.offsetNanoseconds / 1_000_000;

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs;
  const seconds = Math.round((minutes % 1) * 60);
  const text = `${pair(Math.floor(minutes / 60))}${pair(Math.floor(minutes % 60))}${seconds ? pair(seconds) : ""}`;
  return `${offset < 0 ? "-" : "+"}${text}`;
}

/** Reads the zone's changes around instants from `first` to `last`. `local` accepts only these. */
export function zoneTimes(zone: string, first: Date, last: Date): ZoneTimes {
  const begin = Temporal.Instant.fromEpochMilliseconds(first.getTime()).toZonedDateTimeISO(zone);
  const changes = changesBetween(begin, last.getTime());
  const changeBefore = (at: number) => changes.findLast((change) => change.at <= at);
  return {
    component: () => componentLines(zone, changes, begin),
    local: (at) => {
      const moment = at.getTime();
      const change = changeBefore(moment);
      const offset = change?.after ?? changes[0]?.before ?? offsetOf(begin);
      return changes.some((one) => isRepeated(moment, one)) ? undefined : digits(moment + offset);
    },
  };
}

const isRepeated = (moment: number, { at, before, after }: Change): boolean =>
  moment >= at - (before - after) && moment < at + (before - after);

function changesBetween(begin: Temporal.ZonedDateTime, last: number): Change[] {
  const changes: Change[] = [];
  const add = (change: Temporal.ZonedDateTime) =>
    changes.push({
      at: change.epochMilliseconds,
      before: offsetOf(change.subtract({ nanoseconds: 1 })),
      after: offsetOf(change),
    });
  const previous = begin.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
  if (previous) add(previous);
  let next = begin.getTimeZoneTransition("next");
  while (next) {
    add(next);
    next = next.epochMilliseconds > last ? null : next.getTimeZoneTransition("next");
  }
  return changes;
}

function componentLines(zone: string, changes: readonly Change[], begin: Temporal.ZonedDateTime): string[] {
  const usual = Math.min(...[1, 7].map((month) => offsetOf(begin.with({ month, day: 1 }))));
  const offset = offsetOf(begin);
  const fixed = { name: "STANDARD", at: -offset, before: offset, after: offset };
  const observances = changes.map((change) => ({ ...change, name: change.after > usual ? "DAYLIGHT" : "STANDARD" }));
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${zone}`,
    ...(observances.length > 0 ? observances : [fixed]).flatMap(({ name, at, before, after }) => [
      `BEGIN:${name}`,
      // The change is written in the time that was valid before it.
      `DTSTART:${digits(at + before)}`,
      `TZOFFSETFROM:${offsetText(before)}`,
      `TZOFFSETTO:${offsetText(after)}`,
      `END:${name}`,
    ]),
    "END:VTIMEZONE",
  ];
}
