/** A calendar client that processes emailed files by RFC 5546: requests add and move an entry, cancellations remove it. */

import ICAL from "ical.js";

type Entry = { sequence: number; stamp: number; isCanceled: boolean; from: Date; to: Date; summary: string };

/** Returns a client with an empty calendar. `receive` throws for a file that a client would refuse. */
export function calendarClient() {
  const entries = new Map<string, Entry>();
  const receive = (text: string): void => {
    const calendar = new ICAL.Component(ICAL.parse(text));
    ICAL.TimezoneService.reset();
    for (const zone of calendar.getAllSubcomponents("vtimezone"))
      ICAL.TimezoneService.register(new ICAL.Timezone(zone));
    const method = String(calendar.getFirstPropertyValue("method"));
    for (const component of calendar.getAllSubcomponents("vevent")) {
      const event = new ICAL.Event(component);
      const stamp = component.getFirstPropertyValue("dtstamp") as ICAL.Time | null;
      // RFC 5546, 3.2.2 and 3.2.5: the required properties of both methods.
      const missing = ["organizer", "attendee", "dtstamp", "uid"].filter((name) => !component.getFirstProperty(name));
      if (missing.length > 0 || !stamp) throw new Error(`${method} without ${missing.join(", ")}`);
      const known = entries.get(event.uid);
      const [sequence, at] = [event.sequence, stamp.toJSDate().getTime()];
      // RFC 5546, 2.1.5: the higher SEQUENCE wins. With equal ones the later DTSTAMP wins.
      if (known && (known.sequence > sequence || (known.sequence === sequence && known.stamp > at))) continue;
      const isCanceled = method === "CANCEL";
      if (!isCanceled && method !== "REQUEST") throw new Error(`a client does not know the method ${method}`);
      const [from, to] = [event.startDate.toJSDate(), event.endDate.toJSDate()];
      entries.set(event.uid, { sequence, stamp: at, isCanceled, from, to, summary: event.summary });
    }
  };
  const entriesNow = () =>
    [...entries.values()]
      .filter(({ isCanceled }) => !isCanceled)
      .map(({ from, to, summary }) => ({ from, to, summary }));
  return { receive, entriesNow };
}
