/** The zones of calendars: IANA, Windows, with a path before them, as an offset, or defined only in the file. */

import { Temporal } from "temporal-polyfill";
import { findIana } from "windows-iana";
import { minuteMs, dayMs } from "#platform/time/durations.rules.ts";
import { CalendarUnreadable, type Component, propertiesOf, textOf } from "./content-lines.ts";
import { maxRepetitions, startsOfRule } from "./recurrence.ts";
import { readTime } from "./times.ts";

/** Converts wall times to instants, and back. A missing hour counts by the offset before it, a repeated one is the earlier (RFC 5545, 3.3.5). */
export type Zone = Readonly<{ momentOf(wall: number): number; wallOf(moment: number): number }>;

export const utc: Zone = { momentOf: (wall) => wall, wallOf: (moment) => moment };

const fixedZone = (offset: number): Zone => ({
  momentOf: (wall) => wall - offset,
  wallOf: (moment) => moment + offset,
});

const known = new Map<string, Zone | undefined>();

export function ianaZone(name: string): Zone | undefined {
  if (!known.has(name)) known.set(name, makeIanaZone(name));
  return known.get(name);
}

function makeIanaZone(name: string): Zone | undefined {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    return undefined;
  }
  const offsets = new Map<number, number>();
  /** Offsets are cached by quarter hour, because zones since 1972 change only at a quarter of an hour. */
  const offsetAt = (moment: number): number => {
    const quarter = Math.floor(moment / 900_000);
    const found = offsets.get(quarter);
    if (found !== undefined) return found;
    const at = Temporal.Instant.fromEpochMilliseconds(quarter * 900_000).toZonedDateTimeISO(name);
    const offset = Math.round(at.offsetNanoseconds / 1_000_000);
    offsets.set(quarter, offset);
    return offset;
  };
  return zoneBy(offsetAt);
}

function zoneBy(offsetAt: (moment: number) => number): Zone {
  return {
    wallOf: (moment) => moment + offsetAt(moment),
    momentOf: (wall) => {
      const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
      const fits = [before, after]
        .map((offset) => wall - offset)
        .filter((moment) => moment + offsetAt(moment) === wall);
      return fits.length > 0 ? Math.min(...fits) : wall - before;
    },
  };
}

export function zonesOf(calendar: Component): (tzid: string) => Zone | undefined {
  const found = new Map<string, Zone | undefined>();
  const definitions = new Map(
    calendar.components
      .filter((component) => component.name === "VTIMEZONE")
      .map((component) => [unquoted(textOf(component, "TZID") ?? ""), component]),
  );
  return (tzid) => {
    const name = unquoted(tzid);
    if (!found.has(name)) found.set(name, zoneNamed(name, definitions.get(name)));
    return found.get(name);
  };
}

const unquoted = (tzid: string) => tzid.trim().replaceAll(/^"|"$/g, "");

function zoneNamed(name: string, definition: Component | undefined): Zone | undefined {
  const location = definition && textOf(definition, "X-LIC-LOCATION");
  return (
    namedZone(name) ??
    (location ? namedZone(location) : undefined) ??
    (definition ? definedZone(definition) : undefined) ??
    offsetZone(name)
  );
}

/** "Europe/Berlin", "W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin", "/citadel.org/20250101_1/America/Indiana/Knox". */
function namedZone(name: string): Zone | undefined {
  if (/^(?:UTC|GMT|Z|Etc\/UTC)$/i.test(name)) return utc;
  const windows = findIana(name)[0];
  if (windows) return ianaZone(windows);
  const parts = name.split("/").filter((part) => part !== "");
  const names = name.startsWith("/") ? parts.map((_part, at) => parts.slice(at).join("/")) : [name];
  for (const one of names) {
    // Bare offsets and abbreviations such as "EST" and "+02:00" are defined by the file.
    const zone = one.includes("/") || /^[A-Z][a-z]+$/.test(one) ? ianaZone(one) : undefined;
    if (zone) return zone;
  }
  return undefined;
}

/** "GMT+0200", "UTC-05:30", "(UTC+01:00) Amsterdam, Berlin". */
function offsetZone(name: string): Zone | undefined {
  const match = /^\(?(?:UTC|GMT)([+-])(\d{1,2}):?(\d{2})?\)?/i.exec(name);
  if (!match) return /^[A-Z]{3,4}(?:[A-Z]{3})?$/.test(name) ? ianaZone(name) : undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return fixedZone((match[1] === "-" ? -1 : 1) * minutes * minuteMs);
}

type Observance = Readonly<{ from: number; to: number; start: number; rules: string[]; dates: number[] }>;

function definedZone(definition: Component): Zone | undefined {
  const observances = definition.components.map(readObservance).filter((one) => one !== undefined);
  if (observances.length === 0) return undefined;
  const changes = changesOf(observances)?.toSorted((one, other) => one.at - other.at);
  if (!changes) return undefined;
  const first = observances.toSorted((one, other) => one.start - other.start)[0]?.from ?? 0;
  return zoneBy((moment) => changes.findLast((change) => change.at <= moment)?.offset ?? first);
}

function readObservance(component: Component): Observance | undefined {
  const [from, to] = [readOffset(textOf(component, "TZOFFSETFROM")), readOffset(textOf(component, "TZOFFSETTO"))];
  const start = readTime(textOf(component, "DTSTART") ?? "", undefined);
  if (from === undefined || to === undefined || !start) return undefined;
  const dates = propertiesOf(component, "RDATE")
    .flatMap(({ value }) => value.split(","))
    .map((text) => readTime(text, undefined)?.wall);
  return {
    from,
    to,
    start: start.wall,
    rules: propertiesOf(component, "RRULE").map(({ value }) => value),
    dates: dates.filter((wall) => wall !== undefined),
  };
}

function changesOf(observances: readonly Observance[]) {
  try {
    return observances.flatMap(onsetsOf);
  } catch (error) {
    if (error instanceof CalendarUnreadable) return undefined;
    throw error;
  }
}

function onsetsOf({ from, to, start, rules, dates }: Observance): { at: number; offset: number }[] {
  const window = { from: Math.max(start, Date.UTC(1970)), to: Date.UTC(2100) };
  const counter = { left: maxRepetitions };
  const untilWall = (moment: number) => moment + from;
  // Outlook begins its zones in 1601: the rule is read from 1970.
  const begin = start < Date.UTC(1970) && rules.length > 0 ? sameTimeIn1970(start) : start;
  const repeated = rules.flatMap((rule) => startsOfRule(rule, begin, window, { counter, untilWall }));
  return [start, ...dates, ...repeated].map((wall) => ({ at: wall - from, offset: to }));
}

function sameTimeIn1970(wall: number): number {
  const at = new Date(wall);
  return Date.UTC(1970, at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds());
}

function readOffset(text: string | undefined): number | undefined {
  const match = /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(text ?? "");
  if (!match) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2).map((part) => Number(part ?? 0));
  return (match[1] === "-" ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}
