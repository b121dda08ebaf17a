/** A second calendar parser for comparison: ical.js, with the time zones that the file defines. */

import ICAL from "ical.js";
import { Temporal } from "temporal-polyfill";

type Options = { window: { from: Date; to: Date }; zone: string };
type Interval = { from: Date; to: Date };

/** Returns the busy times of a calendar by ical.js, in order. */
export function intervalsByIcalJs(text: string, { window, zone }: Options): Interval[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  ICAL.TimezoneService.reset();
  for (const definition of calendar.getAllSubcomponents("vtimezone"))
    ICAL.TimezoneService.register(new ICAL.Timezone(definition));
  const events = calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
  const instants = (time: ICAL.Time): Date => {
    if (time.zone !== ICAL.Timezone.localTimezone && time.zone !== null) return time.toJSDate();
    const wall = Temporal.PlainDateTime.from(time.toString().slice(0, 19));
    return new Date(wall.toZonedDateTime(zone).epochMilliseconds);
  };
  return events
    .filter((event) => !event.isRecurrenceException())
    .flatMap((event) => {
      const changes = events.filter((other) => other.isRecurrenceException() && other.uid === event.uid);
      for (const change of changes) event.relateException(change);
      return occurrencesOf(event, window.to).map(({ item, startDate, endDate }) => ({
        isFree: isFree(item.component),
        from: instants(startDate),
        to: instants(endDate),
      }));
    })
    .filter(({ isFree: free, from, to }) => !free && from < to && from < window.to && to > window.from)
    .map(({ from, to }) => ({ from, to }))
    .toSorted((one, other) => one.from.getTime() - other.from.getTime());
}

function occurrencesOf(event: ICAL.Event, to: Date) {
  if (!event.isRecurring()) return [{ item: event, startDate: event.startDate, endDate: event.endDate }];
  const found: { item: ICAL.Event; startDate: ICAL.Time; endDate: ICAL.Time }[] = [];
  const iterator = event.iterator();
  for (let next = iterator.next(); next && next.year <= to.getUTCFullYear(); next = iterator.next())
    found.push(event.getOccurrenceDetails(next));
  return found;
}

const textOf = (component: ICAL.Component, name: string) =>
  String(component.getFirstPropertyValue(name) ?? "").toUpperCase();
const isFree = (component: ICAL.Component) =>
  textOf(component, "status") === "CANCELLED" ||
  textOf(component, "transp") === "TRANSPARENT" ||
  textOf(component, "x-microsoft-cdo-busystatus") === "FREE";
