/** Reads iCalendar text (RFC 5545, 3.1) into components. Tolerates bare line ends, lower case and unknown names. */

export type Property = Readonly<{ name: string; parameters: ReadonlyMap<string, string>; value: string }>;
export type Component = Readonly<{ name: string; properties: Property[]; components: Component[] }>;

/** Why a file is unreadable. The message is for the artist who added the calendar. */
export class CalendarUnreadable extends Error {}

/** Components that may block time. Alarms, tasks and journals are skipped. */
const readComponents = new Set(["VCALENDAR", "VEVENT", "VFREEBUSY", "VTIMEZONE", "STANDARD", "DAYLIGHT"]);
const readProperties = new Set(
  (
    "UID SUMMARY SEQUENCE STATUS TRANSP X-MICROSOFT-CDO-BUSYSTATUS DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID " +
    "FREEBUSY TZID TZOFFSETFROM TZOFFSETTO X-LIC-LOCATION X-WR-CALNAME"
  ).split(" "),
);
const deepest = 8;

/** Returns the calendars of a text. Throws CalendarUnreadable if it is not a calendar, or not a whole one. */
export function readComponentsOf(text: string): Component[] {
  const root: Component = { name: "", properties: [], components: [] };
  const open: Component[] = [root];
  let skipped = 0;
  for (const line of unfoldedLines(text)) {
    const property = readLine(line);
    if (!property) continue;
    const { name, value } = property;
    const kind = value.trim().toUpperCase();
    if (name === "BEGIN") {
      if (skipped > 0 || !readComponents.has(kind) || open.length > deepest) skipped++;
      else openComponent(open, kind);
    } else if (name === "END") {
      if (skipped > 0) skipped--;
      else if (open.length > 1) open.pop();
    } else if (skipped === 0 && readProperties.has(name)) open.at(-1)?.properties.push(property);
  }
  // What follows a cut would count as removed.
  if (open.length > 1) throw new CalendarUnreadable("The calendar is not complete: its end is missing.");
  const calendars = root.components.filter((component) => component.name === "VCALENDAR");
  if (calendars.length === 0) throw new CalendarUnreadable("The address does not lead to a calendar.");
  return calendars;
}

function openComponent(open: Component[], name: string): void {
  const component: Component = { name, properties: [], components: [] };
  open.at(-1)?.components.push(component);
  open.push(component);
}

/** Yields whole lines. A line that begins with a space or tab continues the one before it. */
function* unfoldedLines(text: string): Generator<string> {
  let line = "";
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const part = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    at = end + 1;
    if (part.startsWith(" ") || part.startsWith("\t")) {
      line += part.slice(1);
      continue;
    }
    if (line !== "") yield line;
    line = part;
  }
  if (line !== "") yield line;
}

const parameterPattern = /;([\w-]+)=("[^"]*"|[^;:"]*)(?:,(?:"[^"]*"|[^;:",]*))*/y;

/** Reads NAME;PARAMETER=value:value. A quoted parameter may include ; and :. */
function readLine(line: string): Property | undefined {
  const [head = ""] = /^[\w-]+/.exec(line) ?? [];
  if (head === "") return undefined;
  let at = head.length;
  const parameters = new Map<string, string>();
  while (line[at] === ";") {
    parameterPattern.lastIndex = at;
    const match = parameterPattern.exec(line);
    if (!match) return undefined;
    parameters.set((match[1] ?? "").toUpperCase(), (match[2] ?? "").replaceAll('"', ""));
    at += match[0].length;
  }
  if (line[at] !== ":") return undefined;
  return { name: head.toUpperCase(), parameters, value: line.slice(at + 1) };
}

export const findProperty = (component: Component, name: string): Property | undefined =>
  component.properties.find((property) => property.name === name);
export const propertiesOf = (component: Component, name: string): Property[] =>
  component.properties.filter((property) => property.name === name);
export const textOf = (component: Component, name: string): string | undefined =>
  findProperty(component, name)?.value.trim();
