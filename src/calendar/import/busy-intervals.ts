import { dayMs } from "#platform/time/durations.rules.ts";
import {
  CalendarUnreadable,
  type Component,
  findProperty,
  propertiesOf,
  type Property,
  readComponentsOf,
  textOf,
} from "./content-lines.ts";
import { type Counter, maxRepetitions, startsOfRule } from "./recurrence.ts";
import { type Length, readDuration, readTime, requireTime, type ParsedTime } from "./times.ts";
import { ianaZone, utc, type Zone, zonesOf } from "./zones.ts";

/** One busy time. All repetitions of an entry share its UID. Entries without one share that of their title. */
export type BusyInterval = Readonly<{ uid: string; from: Date; to: Date }>;

/** An entry whose times could not be read. `day` is its date, if that can be read. `error` is unexpected, for the log. */
type UnreadEntry = Readonly<{
  uid: string;
  title: string | null;
  day: string | null;
  reason: string;
  error?: string | undefined;
}>;

/** `isCut`: the end of the file is missing, so an absent entry may still exist. */
export type CalendarContents = { intervals: BusyInterval[]; unread: UnreadEntry[]; isCut: boolean };

export type ReadingOptions = Readonly<{
  window: Readonly<{ from: Date; to: Date }>;
  /** The artist's zone, an IANA name, for days and times without a zone. */
  zone: string;
}>;

const maxEntries = 20_000;
const maxComponents = 100_000;

type Reading = Readonly<{
  from: number;
  to: number;
  zoneOf(time: ParsedTime): Zone;
  counter: Counter;
  readable: { count: number };
  unread: UnreadEntry[];
}>;

/** Returns the busy times of a calendar, first to last, and the entries that could not be read. Throws CalendarUnreadable with the reason if no entry can be read. */
export function readContents(text: string, { window, zone }: ReadingOptions): CalendarContents {
  const own = ianaZone(zone) ?? utc;
  const counter = { left: maxRepetitions };
  const unread: UnreadEntry[] = [];
  const readable = { count: 0 };
  const { calendars, isCut } = readComponentsOf(text);
  const intervals = calendars.flatMap((calendar) => {
    if (calendar.components.length > maxComponents) throw tooLarge();
    const named = zonesOf(calendar);
    const zoneOf = (time: ParsedTime): Zone => {
      if (time.zone === null) return own;
      const found = time.zone === "utc" ? utc : named(time.zone);
      if (!found)
        throw new CalendarUnreadable(
          `The calendar uses the time zone “${withoutControls(time.zone).slice(0, 60)}”, which we do not know.`,
        );
      return found;
    };
    const reading = { from: window.from.getTime(), to: window.to.getTime(), zoneOf, counter, readable, unread };
    return [...eventIntervals(calendar, reading), ...freeBusyIntervals(calendar, reading)];
  });
  const [first] = unread;
  if (first && readable.count === 0) throw new CalendarUnreadable(first.reason);
  if (intervals.length > maxEntries) throw tooLarge();
  return { intervals: intervals.toSorted((one, other) => one.from.getTime() - other.from.getTime()), unread, isCut };
}

function readEntry<T>(event: Component, { counter, readable, unread }: Reading, read: () => T): T | undefined {
  const { left } = counter;
  try {
    const result = read();
    readable.count++;
    return result;
  } catch (error) {
    counter.left = left;
    const isExpected = error instanceof CalendarUnreadable;
    const reason = isExpected ? error.message : "An entry has a value that we cannot read.";
    unread.push({ ...nameOf(event), reason, error: isExpected ? undefined : errorStack(error) });
    return undefined;
  }
}

const errorStack = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function nameOf(event: Component): Pick<UnreadEntry, "uid" | "title" | "day"> {
  const written = (textOf(event, "SUMMARY") ?? "").replaceAll(/\\[nN]/g, " ").replaceAll(/\\(.)/gsu, "$1");
  const title = withoutControls(written)
    .trim()
    .slice(0, 80)
    .replace(/\p{Cs}/u, "");
  const wall = readTime(findProperty(event, "DTSTART")?.value ?? "", undefined)?.wall;
  const day = wall === undefined ? null : new Date(wall).toISOString().slice(0, 10);
  return { uid: uidOf(event), title: title || null, day };
}

/** Some programs write no UID. Times do not identify an entry, because they may be what cannot be read. */
const uidOf = (entry: Component) => textOf(entry, "UID") || `no UID: ${textOf(entry, "SUMMARY") ?? ""}`;

const withoutControls = (text: string) => text.replaceAll(/\p{C}/gu, "");

const tooLarge = () => new CalendarUnreadable("The calendar has too many entries for us to read.");

function eventIntervals(calendar: Component, reading: Reading): BusyInterval[] {
  const events = calendar.components.filter((component) => component.name === "VEVENT");
  const series = Map.groupBy(events, (event) => textOf(event, "UID") ?? "");
  return [...series].flatMap(([uid, parts]) =>
    (uid === "" ? parts.map((part) => [part]) : [parts]).flatMap((same) => seriesIntervals(same, reading)),
  );
}

function seriesIntervals(parts: readonly Component[], reading: Reading): BusyInterval[] {
  const [changed, masters] = [parts.filter(isChange), newest(parts.filter((part) => !isChange(part)))];
  const changes = changesOf(changed, reading);
  const repeated = masters.flatMap(
    (master) => readEntry(master, reading, () => repetitionsOf(master, changes, reading)) ?? [],
  );
  const single = [...changes.values()].flatMap(({ spans }) => spans);
  return parts[0] ? intervalsOf(uidOf(parts[0]), [...repeated, ...single], reading) : [];
}

/** Some programs write an entry without an end until the year 9999. The limits are the years of nights (calendar/api.ts). */
const [earliest, latest] = [Date.UTC(2000), Date.UTC(2100)];

function intervalsOf(uid: string, spans: readonly Span[], reading: Reading): BusyInterval[] {
  return spans
    .filter(({ from, to }) => from < to && from < reading.to && reading.from < to)
    .map(({ from, to }) => ({ uid, from: new Date(Math.max(from, earliest)), to: new Date(Math.min(to, latest)) }));
}

const isChange = (event: Component) => findProperty(event, "RECURRENCE-ID") !== undefined;
const sequenceOf = (event: Component) => Number(textOf(event, "SEQUENCE") ?? 0) || 0;

/** Returns the masters with the highest SEQUENCE, because a file may have an older version of the same entry. */
function newest(masters: readonly Component[]): Component[] {
  const highest = Math.max(...masters.map(sequenceOf));
  return masters.filter((master) => sequenceOf(master) === highest);
}

/** `day` is the wall day of a RECURRENCE-ID without a time, which some programs write for a series with times. */
type Change = Readonly<{ spans: Span[]; moment: number; day: number | undefined; future: Shift | null }>;
type Shift = Readonly<{ byMs: number; lengthMs: number; isFree: boolean }>;

/** Leaves out a change that cannot be read, so the repetition that it changes still blocks its time. */
function changesOf(events: readonly Component[], reading: Reading): Map<number, Change> {
  const changes = new Map<number, Change>();
  for (const event of events.toSorted((one, other) => sequenceOf(one) - sequenceOf(other))) {
    const change = readEntry(event, reading, () => changeOf(event, reading));
    if (change) changes.set(change.moment, change);
  }
  return changes;
}

function changeOf(event: Component, reading: Reading): Change {
  const property = findProperty(event, "RECURRENCE-ID") as Property;
  const replaced = requireTime(property);
  const moment = momentOf(replaced, reading);
  const day = replaced.isDay ? replaced.wall : undefined;
  const isFuture = property.parameters.get("RANGE")?.toUpperCase() === "THISANDFUTURE";
  return { spans: singleSpan(event, reading), moment, day, future: isFuture ? shiftOf(event, moment, reading) : null };
}

function shiftOf(event: Component, moment: number, reading: Reading): Shift {
  const start = requireStart(event);
  const from = momentOf(start, reading);
  return { byMs: from - moment, lengthMs: endOf(event, start, reading)(start.wall) - from, isFree: isFree(event) };
}

const momentOf = (time: ParsedTime, reading: Reading): number => reading.zoneOf(time).momentOf(time.wall);

/** Returns true for an entry that blocks no time: transparent, canceled, or shown as free by Outlook. */
function isFree(event: Component): boolean {
  return (
    textOf(event, "STATUS")?.toUpperCase() === "CANCELLED" ||
    textOf(event, "TRANSP")?.toUpperCase() === "TRANSPARENT" ||
    textOf(event, "X-MICROSOFT-CDO-BUSYSTATUS")?.toUpperCase() === "FREE"
  );
}

type Span = { from: number; to: number };

function requireStart(event: Component): ParsedTime {
  const start = findProperty(event, "DTSTART");
  if (!start) throw new CalendarUnreadable("An entry has no start.");
  return requireTime(start);
}

function singleSpan(event: Component, reading: Reading): Span[] {
  if (isFree(event)) return [];
  const start = requireStart(event);
  return [{ from: momentOf(start, reading), to: endOf(event, start, reading)(start.wall) }];
}

function repetitionsOf(event: Component, changes: ReadonlyMap<number, Change>, reading: Reading): Span[] {
  if (isFree(event)) return [];
  const start = requireStart(event);
  const zone = reading.zoneOf(start);
  const end = endOf(event, start, reading);
  const maxMs = Math.max(end(start.wall) - zone.momentOf(start.wall), 0) + dayMs;
  const window = { from: zone.wallOf(reading.from - maxMs), to: zone.wallOf(reading.to) + dayMs };
  const rule = { counter: reading.counter, untilWall: (moment: number) => zone.wallOf(moment) };
  const walls = (name: string) =>
    propertiesOf(event, name).flatMap(({ value }) => startsOfRule(value, start.wall, window, rule));
  const excluded = excludedBy(event, start, reading);
  const except = new Set(walls("EXRULE"));
  const starts = new Set([start.wall, ...walls("RRULE")].filter((wall) => !except.has(wall)));
  const futures = [...changes.values()]
    .filter((change) => change.future)
    .toSorted((one, other) => one.moment - other.moment);
  const spans = [...starts].map((wall) => ({ wall, from: zone.momentOf(wall), to: end(wall) }));
  const dates = datesOf(event, start, reading, end);
  const days = new Set([...changes.values()].map(({ day }) => day));
  const dayOf = ({ wall }: { wall: number }) => Math.floor(wall / dayMs) * dayMs;
  const all = [...spans, ...dates];
  // A day names an occurrence only if it is the one of that day.
  const isChanged = (span: Span & { wall: number }) =>
    changes.has(span.from) ||
    (days.has(dayOf(span)) && all.filter((other) => dayOf(other) === dayOf(span)).length === 1);
  const rest = all.filter((span) => !excluded(span) && !isChanged(span));
  if (rest.length > maxEntries) throw new CalendarUnreadable("An entry repeats too often for us to read.");
  return rest.flatMap((span) => shifted(span, futures));
}

function shifted(span: Span, futures: readonly Change[]): Span[] {
  const future = futures.findLast((change) => change.moment <= span.from)?.future;
  if (!future) return [span];
  const from = span.from + future.byMs;
  return future.isFree ? [] : [{ from, to: from + future.lengthMs }];
}

/** Returns the end of a repetition by its start, from DTEND, DURATION, a number of days, a whole day, or the start itself. */
function endOf(event: Component, start: ParsedTime, reading: Reading): (wall: number) => number {
  const zone = reading.zoneOf(start);
  const written = findProperty(event, "DTEND");
  if (written) {
    const end = requireTime(written);
    if (start.isDay) return (wall) => zone.momentOf(wall + Math.max(end.wall - start.wall, dayMs));
    const exactMs = momentOf(end, reading) - momentOf(start, reading);
    return (wall) => zone.momentOf(wall) + exactMs;
  }
  const text = textOf(event, "DURATION");
  const duration: Length | undefined =
    text === undefined ? { wallMs: start.isDay ? dayMs : 0, exactMs: 0 } : readDuration(text);
  if (!duration) throw new CalendarUnreadable("An entry has a DURATION that we cannot read.");
  return (wall) => zone.momentOf(wall + duration.wallMs) + duration.exactMs;
}

function excludedBy(event: Component, start: ParsedTime, reading: Reading): (span: Span & { wall: number }) => boolean {
  const moments = new Set<number>();
  const days = new Set<number>();
  for (const { value, parameters } of propertiesOf(event, "EXDATE"))
    for (const text of value.split(",")) {
      const time = readTime(text, parameters.get("TZID"));
      if (!time) throw new CalendarUnreadable("An entry has an EXDATE that we cannot read.");
      if (time.isDay) days.add(time.wall);
      else moments.add(start.isDay ? Number.NaN : momentOf(time, reading));
      if (start.isDay && !time.isDay) days.add(Math.floor(time.wall / dayMs) * dayMs);
    }
  return ({ from, wall }) => moments.has(from) || days.has(Math.floor(wall / dayMs) * dayMs);
}

function datesOf(
  event: Component,
  start: ParsedTime,
  reading: Reading,
  end: (wall: number) => number,
): (Span & { wall: number })[] {
  const zone = reading.zoneOf(start);
  return propertiesOf(event, "RDATE").flatMap(({ value, parameters }) =>
    value.split(",").map((text) => {
      const [first = "", last] = text.split("/");
      const time = readTime(first, parameters.get("TZID"));
      const unreadable = new CalendarUnreadable("An entry has an RDATE that we cannot read.");
      if (!time) throw unreadable;
      const from = momentOf(time, reading);
      const wall = zone.wallOf(from);
      const to = last === undefined ? end(wall) : periodEnd(time, last, parameters.get("TZID"), reading);
      if (to === undefined) throw unreadable;
      return { wall, from, to };
    }),
  );
}

function periodEnd(start: ParsedTime, last: string, tzid: string | undefined, reading: Reading): number | undefined {
  const duration = readDuration(last);
  if (duration) return reading.zoneOf(start).momentOf(start.wall + duration.wallMs) + duration.exactMs;
  const end = readTime(last, tzid);
  return end && momentOf(end, reading);
}

/** Reads VFREEBUSY, which some servers send instead of entries: every period that is not free. */
function freeBusyIntervals(calendar: Component, reading: Reading): BusyInterval[] {
  return calendar.components
    .filter((component) => component.name === "VFREEBUSY")
    .flatMap((component) => {
      const spans = readEntry(component, reading, () => periodsOf(component, reading)) ?? [];
      return intervalsOf(uidOf(component), spans, reading);
    });
}

const periodsOf = (component: Component, reading: Reading): Span[] =>
  propertiesOf(component, "FREEBUSY")
    .filter(({ parameters }) => parameters.get("FBTYPE")?.toUpperCase() !== "FREE")
    .flatMap(({ value }) => value.split(","))
    .map((period) => {
      const [first = "", last = ""] = period.split("/");
      const time = readTime(first, undefined);
      const to = time && periodEnd(time, last, undefined, reading);
      if (!time || to === undefined) throw new CalendarUnreadable("A busy time cannot be read.");
      return { from: momentOf(time, reading), to };
    });
