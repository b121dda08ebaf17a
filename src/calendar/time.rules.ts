/** The event's instant: a local date and time in the zone of its venue. Dates are strings, never shifted by a zone. */

import { Temporal } from "temporal-polyfill";
import { addDays, describeDay, readDay, weekdayName, weekdayOf } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import type { ArtistSettings } from "#settings/rules.ts";

export type EventSpan = Readonly<{ startsAt: Date; endsAt: Date }>;

/** A local time that clocks skip, and the next one that exists. */
export type MissingTime = Readonly<{ nextValid: { date: string; time: string }; message: string }>;

const dateOf = (at: Temporal.ZonedDateTime, minutes: number) => new Date(at.add({ minutes }).epochMilliseconds);
const timeText = (time: Temporal.PlainTime) => time.toString({ smallestUnit: "minute" });

/** Returns the instants of a show. An hour that exists twice is the earlier one. For a missing one, returns the next. Lengths are real minutes. */
export function eventSpan(event: {
  date: string;
  time: string;
  zone: string;
  minutes: number;
}): EventSpan | { missing: MissingTime } {
  const wall = Temporal.PlainDateTime.from(`${event.date}T${event.time}`);
  const start = wall.toZonedDateTime(event.zone, { disambiguation: "earlier" });
  if (!start.toPlainDateTime().equals(wall)) return { missing: missingTime(wall, start) };
  return { startsAt: dateOf(start, 0), endsAt: dateOf(start, event.minutes) };
}

/** `before` is the instant of the missing time by the offset before the change. */
function missingTime(wall: Temporal.PlainDateTime, before: Temporal.ZonedDateTime): MissingTime {
  const next = (before.getTimeZoneTransition("next") ?? before).toPlainDateTime();
  const date = next.toPlainDate().toString();
  const time = timeText(next.toPlainTime());
  const sameDay = wall.toPlainDate().equals(next.toPlainDate());
  return {
    nextValid: { date, time },
    message:
      `${timeText(wall.toPlainTime())} does not exist on ${describeDay(wall.toPlainDate().toString())} in ${before.timeZoneId}: clocks go forward. ` +
      `The next valid time is ${time}${sameDay ? "" : ` on ${describeDay(date)}`}.`,
  };
}

/** Returns the instant of a local time YYYY-MM-DDTHH:MM. A time that exists twice is the earlier one. One that clocks skip is the first instant after the gap. */
export function instantOf(local: string, zone: string): Date {
  const wall = Temporal.PlainDateTime.from(local);
  const at = wall.toZonedDateTime(zone, { disambiguation: "earlier" });
  const isSkipped = !at.toPlainDateTime().equals(wall);
  return dateOf((isSkipped && at.getTimeZoneTransition("next")) || at, 0);
}

const localTextOf = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" });

type Span = Readonly<{ from: Date; to: Date }>;

/** Returns the same days in another zone, at the same local time. Undefined if the time does not consist of whole days, from one local time to the same on a later day. */
export function sameDaysIn({ from, to }: Span, zones: Readonly<{ from: string; to: string }>): Span | undefined {
  const [first = "", last = ""] = [from, to].map((at) => localTextOf(at, zones.from));
  // If clocks skip the time on one day, only the other day has it.
  for (const time of [first, last].map((text) => text.slice(10))) {
    const [start, end] = [first, last].map((text) => text.slice(0, 10) + time) as [string, string];
    if (+instantOf(start, zones.from) === +from && +instantOf(end, zones.from) === +to)
      return { from: instantOf(start, zones.to), to: instantOf(end, zones.to) };
  }
  return undefined;
}

/** Returns the instant at which a local day begins in a zone. If clocks skip midnight, the first instant that exists. */
export const dayStart = (zone: string, day: string): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);

export type Buffer = Pick<ArtistSettings, "bufferBefore" | "bufferAfter">;

/** Returns the reserved time of a show: itself, and travel and set-up on both sides. */
export const withBuffer = (span: EventSpan, buffer: Buffer): { from: Date; to: Date } => ({
  from: new Date(span.startsAt.getTime() - buffer.bufferBefore * minuteMs),
  to: new Date(span.endsAt.getTime() + buffer.bufferAfter * minuteMs),
});

/** Returns alternative days, the nearest first, each with its position relative to the requested one. */
export function nearbyDays(day: string): { date: string; reason: string }[] {
  const read = readDay(day);
  const weekday = read ? weekdayName(weekdayOf(read)) : "";
  const near = (days: number, side: "after" | "before") => ({
    date: addDays(day, side === "after" ? days : -days),
    reason: nearReason(days, side, weekday),
  });
  return Array.from({ length: 30 }, (_, index) => index + 1).flatMap((days) => [
    near(days, "after"),
    near(days, "before"),
  ]);
}

function nearReason(days: number, side: "after" | "before", weekday: string): string {
  if (days === 1) return `the day ${side}`;
  if (days === 7) return `the ${weekday} ${side}`;
  if (days === 14) return `two ${weekday}s ${side}`;
  return `${days} days ${side}`;
}

export const spanOf = (booking: Readonly<{ starts_at: Date; ends_at: Date }>): EventSpan => ({
  startsAt: booking.starts_at,
  endsAt: booking.ends_at,
});
