/** The wall times of a rule. node-ical applies RFC 5545 to them in UTC, without zones. */

import { sync } from "node-ical";
import { dayMs } from "#platform/time/durations.rules.ts";
import { CalendarUnreadable } from "./content-lines.ts";
import { readTime, wallText } from "./times.ts";

export const maxRepetitions = 100_000;

/** node-ical stops after 10,000 steps per call: rules that repeat within a day are read in parts of this many days. */
const partDays: Readonly<Record<string, number>> = { SECONDLY: 0.1, MINUTELY: 5, HOURLY: 200 };

export type Counter = { left: number };
type Window = Readonly<{ from: number; to: number }>;

/** Returns the starts of a rule in a window of wall times. `untilWall` converts an UNTIL in UTC to the wall time of the entry's zone. */
export function startsOfRule(
  rule: string,
  start: number,
  { from, to }: Window,
  more: { counter: Counter; untilWall: (moment: number) => number },
): number[] {
  const clean = withUntil(rule, more.untilWall);
  const repeated = repeatedBy(clean, start);
  const frequency = /(?:^|;)FREQ=(\w+)/.exec(clean)?.[1] ?? "";
  const step = (partDays[frequency] ?? Number.POSITIVE_INFINITY) * dayMs;
  const starts: number[] = [];
  for (let at = Math.max(from, start); at < to; at += step) {
    const part = between(repeated, at, Math.min(at + step, to));
    more.counter.left -= part.length;
    if (more.counter.left < 0) throw tooMany();
    starts.push(...part);
    if (step === Number.POSITIVE_INFINITY) break;
  }
  return starts;
}

const tooMany = () =>
  new CalendarUnreadable(`The calendar repeats entries more than ${maxRepetitions.toLocaleString("en-US")} times.`);

type Repeated = ReturnType<typeof repeatedBy>;

function repeatedBy(rule: string, start: number) {
  const text = [
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "UID:rule",
    `DTSTART:${wallText(start)}`,
    `RRULE:${rule}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");
  const event = parsed(text);
  if (!event?.rrule) throw unknownRule();
  return event.rrule;
}

function parsed(text: string) {
  try {
    return Object.values(sync.parseICS(text)).find((one) => one?.type === "VEVENT");
  } catch {
    throw unknownRule();
  }
}

const unknownRule = () => new CalendarUnreadable("An entry repeats by a rule that we cannot read.");

function between(rule: Repeated, from: number, to: number): number[] {
  try {
    return rule.between(new Date(from - 1), new Date(to), false).map((date) => date.getTime());
  } catch (error) {
    if (error instanceof Error && /iterations/i.test(error.message)) throw tooMany();
    throw unknownRule();
  }
}

/** Converts UNTIL to a wall time: an instant in UTC by `untilWall`, a day to its end. */
function withUntil(rule: string, untilWall: (moment: number) => number): string {
  const clean = rule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .replace(/;+$/, "");
  return clean.replace(/(^|;)UNTIL=([^;]*)/, (_match, before: string, value: string) => {
    const until = readTime(value, undefined);
    if (!until) throw unknownRule();
    const wall = until.isDay ? until.wall + dayMs - 1_000 : until.zone === "utc" ? untilWall(until.wall) : until.wall;
    return `${before}UNTIL=${wallText(wall)}`;
  });
}
