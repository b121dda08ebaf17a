import { Temporal } from "temporal-polyfill";
import type { EventSpan } from "#calendar/time.rules.ts";
import { timeIn } from "#platform/time/calendar.rules.ts";

/** Returns the text about a change of clocks: which of two equal times begins the show, and when it ends. Empty for most shows. */
export function clockChangeText({ startsAt, endsAt }: EventSpan, zone: string): string {
  const [start, end] = [startsAt, endsAt].map((at) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const second = start.toPlainDateTime().toZonedDateTime(zone, { disambiguation: "later" });
  const time = timeIn(zone, startsAt);
  return [
    ...(second.offset === start.offset
      ? []
      : [` Clocks go back, so ${time} comes twice: this is the first one (UTC${start.offset}).`]),
    ...(start.offset === end.offset
      ? []
      : [` Clocks change during the show: it ends at ${timeIn(zone, endsAt)} (UTC${end.offset}).`]),
  ].join("");
}
