/** Compares typed, displayed and written times of shows around every clock change of every IANA zone from 2026 to 2036. */

import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { intervalsByIcalJs } from "#test/harness/calendars/ical-js.ts";
import { eventSpan } from "../time.rules.ts";
import { calendarText } from "./calendar-file.rules.ts";
import { busyEvent } from "./show-event.rules.ts";

const [first, last] = ["2026-01-01T00:00Z", "2037-01-01T00:00Z"].map((text) => Temporal.Instant.from(text));

/** A clock change: the local times just before and just after it. */
type Change = { before: Temporal.PlainDateTime; after: Temporal.PlainDateTime };

function changesOf(zone: string): Change[] {
  const changes: Change[] = [];
  let at = first?.toZonedDateTimeISO(zone).getTimeZoneTransition("next");
  while (at && last && at.epochMilliseconds < last.epochMilliseconds) {
    const offset = at.subtract({ nanoseconds: 1 }).offsetNanoseconds;
    changes.push({
      before: at.toPlainDateTime().add({ nanoseconds: offset - at.offsetNanoseconds }),
      after: at.toPlainDateTime(),
    });
    at = at.getTimeZoneTransition("next");
  }
  return changes;
}

const dayOf = (wall: Temporal.PlainDateTime) => wall.toPlainDate().toString();
const timeOf = (wall: Temporal.PlainDateTime) => wall.toPlainTime().toString({ smallestUnit: "minute" });
const middle = ({ before, after }: Change) => before.add({ minutes: before.until(after).total("minutes") / 2 });

function displayed(zone: string, at: Date): string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return format.format(at).replace(" ", "T");
}

const writtenStart = (text: string) => /DTSTART;TZID=[^:]+:(\d{8}T\d{4})/.exec(text)?.[1];

function checkShow(zone: string, wall: Temporal.PlainDateTime): void {
  const [date, time] = [dayOf(wall), timeOf(wall)];
  const span = eventSpan({ date, time, zone, minutes: 180 });
  if ("missing" in span) throw new Error(`${zone}: ${span.missing.message}`);
  const { startsAt, endsAt } = span;
  expect(displayed(zone, startsAt), zone).toBe(`${date}T${time}`);
  const show = { starts_at: startsAt, ends_at: endsAt, created_at: startsAt, updated_at: startsAt };
  const event = busyEvent({ ...showTexts, ...show, time_zone: zone }, zone);
  const text = calendarText([event], { method: "PUBLISH" });
  const window = { from: new Date(startsAt.getTime() - dayMs), to: new Date(endsAt.getTime() + dayMs) };
  expect(intervalsByIcalJs(text, { window, zone }), `${zone} ${date} ${time}\n${text}`).toEqual([
    { from: startsAt, to: endsAt },
  ]);
  const written = writtenStart(text);
  if (written) expect(written, zone).toBe(`${date}T${time}`.replaceAll(/[-:]/g, ""));
  else expect(text, zone).toContain(`DTSTART:${startsAt.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`);
}

const showTexts = {
  id: "s",
  number: "SD-1",
  version: 1,
  status: "contract_signed",
  event_type: "Concert",
  promoter_name: "",
  venue_name: "",
  venue_address: "",
};

test(
  "retains the local time of a show in, before and over every clock change, on screens and in feeds",
  { timeout: 300_000 },
  () => {
    let [gaps, overlaps] = [0, 0];
    for (const zone of Intl.supportedValuesOf("timeZone"))
      for (const change of changesOf(zone)) {
        const isGap = Temporal.PlainDateTime.compare(change.before, change.after) < 0;
        const wall = middle(change);
        if (isGap) {
          gaps++;
          const span = eventSpan({ date: dayOf(wall), time: timeOf(wall), zone, minutes: 180 });
          if (!("missing" in span)) throw new Error(`${zone}: ${wall.toString()} was accepted`);
          const { nextValid } = span.missing;
          expect(nextValid, zone).toEqual({ date: dayOf(change.after), time: timeOf(change.after) });
          checkShow(zone, change.after);
        } else {
          overlaps++;
          checkShow(zone, wall);
        }
        // A set that begins on the evening before and ends after the change.
        checkShow(zone, change.before.subtract({ minutes: 150 }));
      }
    expect(Math.min(gaps, overlaps)).toBeGreaterThan(1000);
  },
);
