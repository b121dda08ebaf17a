/** Writes calendars as text (RFC 5545): the file of one show, the file in an email, and the feeds. */

import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { utcText, type ZoneTimes, zoneTimes } from "./time-zones.rules.ts";

export type CalendarEvent = Readonly<{
  uid: string;
  /** The SEQUENCE: higher after every change. */
  sequence: number;
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
  createdAt: Date;
  changedAt: Date;
  status: "tentative" | "confirmed" | "canceled";
  summary: string;
  location?: string;
  description?: string;
  url?: string;
}>;

export type CalendarMethod = "PUBLISH" | "REQUEST" | "CANCEL";
type Party = Readonly<{ name: string; email: string }>;

type CalendarOptions = Readonly<{
  /** None in an entry of a CalDAV server (RFC 4791, 4.1). */
  method?: CalendarMethod;
  feed?: Readonly<{ name: string; refreshMinutes: number }>;
  /** Sender and recipient of an invitation. RFC 5546 requires both for REQUEST and CANCEL. */
  invitation?: Readonly<{ organizer: Party; attendee: Party }>;
}>;

const statuses = { tentative: "TENTATIVE", confirmed: "CONFIRMED", canceled: "CANCELLED" } as const;

/** Returns the calendar's text. Events are in the zone of their venue, with one VTIMEZONE for each zone that an event uses. */
export function calendarText(events: readonly CalendarEvent[], options: CalendarOptions): string {
  const zones = new Map<string, ZoneTimes>();
  for (const [zone, inZone] of Map.groupBy(events, (event) => event.timeZone)) {
    const first = Math.min(...inZone.map((event) => event.startsAt.getTime()));
    const last = Math.max(...inZone.map((event) => event.endsAt.getTime()));
    zones.set(zone, zoneTimes(zone, new Date(first), new Date(last)));
  }
  const used = new Set<string>();
  const written = events.map((event) => joined(eventLines(event, options, { zones, used })));
  const head = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Stagedoor//Bookings//EN",
    "CALSCALE:GREGORIAN",
    ...(options.method ? [`METHOD:${options.method}`] : []),
    ...(options.feed ? feedLines(options.feed) : []),
    ...[...used].flatMap((zone) => zones.get(zone)?.component() ?? []),
  ];
  return `${joined(head)}${written.join("")}END:VCALENDAR\r\n`;
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${wrapped(line)}\r\n`).join("");

const feedLines = ({ name, refreshMinutes }: NonNullable<CalendarOptions["feed"]>) => [
  `NAME:${escaped(name)}`,
  `X-WR-CALNAME:${escaped(name)}`,
  `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`,
  `X-PUBLISHED-TTL:PT${refreshMinutes}M`,
];

type Zones = Readonly<{ zones: ReadonlyMap<string, ZoneTimes>; used: Set<string> }>;

function eventLines(event: CalendarEvent, { invitation }: CalendarOptions, zones: Zones): string[] {
  const { location, description, url, changedAt } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utcText(changedAt)}`,
    ...timeLines(event, zones),
    `SUMMARY:${escaped(event.summary)}`,
    ...(location === undefined ? [] : [`LOCATION:${escaped(location)}`]),
    ...(description === undefined ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...(url === undefined ? [] : [`URL:${url}`]),
    ...(invitation ? invitationLines(invitation) : []),
    `STATUS:${statuses[event.status]}`,
    `TRANSP:${event.status === "canceled" ? "TRANSPARENT" : "OPAQUE"}`,
    `CREATED:${utcText(event.createdAt)}`,
    `LAST-MODIFIED:${utcText(changedAt)}`,
    "END:VEVENT",
  ];
}

/** Returns start and end in the zone of the venue, or both in UTC if one of them is in an hour that clocks show twice. */
function timeLines({ startsAt, endsAt, timeZone }: CalendarEvent, { zones, used }: Zones): string[] {
  const zone = zones.get(timeZone);
  const [start, end] = [zone?.local(startsAt), zone?.local(endsAt)];
  if (start === undefined || end === undefined) return [`DTSTART:${utcText(startsAt)}`, `DTEND:${utcText(endsAt)}`];
  used.add(timeZone);
  return [`DTSTART;TZID=${timeZone}:${start}`, `DTEND;TZID=${timeZone}:${end}`];
}

const invitationLines = ({ organizer, attendee }: NonNullable<CalendarOptions["invitation"]>) => [
  `ORGANIZER;CN=${parameter(organizer.name)}:${calendarUser(organizer.email)}`,
  `ATTENDEE;CN=${parameter(attendee.name)};CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:${calendarUser(attendee.email)}`,
];
/** Retains "+", because calendars compare the address with the user's own. */
const calendarUser = (email: string): string => mailtoOf(email).replaceAll("%2B", "+");

// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n" };
const escaped = (text: string): string =>
  text.replaceAll(controls, "").replaceAll(/[\\;,\n]/g, (found) => escapes[found] ?? found);
/** Quotes a parameter, which cannot have a double quote (RFC 5545, 3.2). */
const parameter = (text: string): string =>
  `"${text.replaceAll('"', "'").replaceAll("\n", " ").replaceAll(controls, "")}"`;

const maxLineLength = 75;
const encoder = new TextEncoder();

/** Breaks a line after 75 bytes at most, never inside a character. */
function wrapped(line: string): string {
  if (line.length <= maxLineLength / 3) return line;
  if (/^[ -~]*$/.test(line))
    return [line.slice(0, maxLineLength), ...(line.slice(maxLineLength).match(/.{1,74}/g) ?? [])].join("\r\n ");
  const parts: string[] = [];
  let [part, used] = ["", 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (used + size > maxLineLength) {
      parts.push(part);
      [part, used] = ["", 1];
    }
    part += character;
    used += size;
  }
  return [...parts, part].join("\r\n ");
}
