/** Reads iCalendar text (RFC 5545, 3.1) into components. Tolerates bare line ends, lower case and unknown names. */

export type Property = Readonly<{ name: string; parameters: ReadonlyMap<string, string>; value: string }>;
export type Component = Readonly<{ name: string; properties: Property[]; components: Component[] }>;

/** Why a file is unreadable. The message is for the artist who added the calendar. */
export class CalendarUnreadable extends Error {}

export const endIsMissing = "The calendar is not complete: its end is missing.";

/** Components that may block time, with their depth. Alarms, tasks and journals are skipped. */
const depths = new Map([
  ["VCALENDAR", 1],
  ["VEVENT", 2],
  ["VFREEBUSY", 2],
  ["VTIMEZONE", 2],
  ["STANDARD", 3],
  ["DAYLIGHT", 3],
]);
const readProperties = new Set(
  (
    "UID SUMMARY SEQUENCE STATUS TRANSP X-MICROSOFT-CDO-BUSYSTATUS DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID " +
    "FREEBUSY TZID TZOFFSETFROM TZOFFSETTO X-LIC-LOCATION X-WR-CALNAME"
  ).split(" "),
);

/** Returns the calendars of a text. `isCut`: the end of a calendar is missing after its last entry. Throws CalendarUnreadable if it is not a calendar, or if it ends within or before its first entry. */
export function readComponentsOf(text: string): { calendars: Component[]; isCut: boolean } {
  const root: Component = { name: "", properties: [], components: [] };
  const open: Component[] = [root];
  for (const line of unfoldedLines(text)) {
    const property = readLine(line);
    if (!property) continue;
    const { name, value } = property;
    const kind = value.trim().toUpperCase();
    if (name === "BEGIN") openComponent(open, kind);
    else if (name === "END") {
      // Some programs leave out the end of what is inside.
      const at = open.findLastIndex((component) => component.name === kind);
      if (at > 0) open.length = at;
    } else if (readProperties.has(name)) open.at(-1)?.properties.push(property);
  }
  const isCut = open.length > 1;
  const hasEntries = root.components.some(({ components }) => components.some(({ name }) => name !== "VTIMEZONE"));
  // What follows a cut would count as removed.
  if (isCut && (!hasEntries || open.some((component) => depths.get(component.name) === 2)))
    throw new CalendarUnreadable(endIsMissing);
  const calendars = root.components.filter((component) => component.name === "VCALENDAR");
  if (calendars.length === 0) throw new CalendarUnreadable("The address does not lead to a calendar.");
  return { calendars, isCut };
}

/** Opens a component, and ends those that it cannot be in. A skipped component has no parent. */
function openComponent(open: Component[], name: string): void {
  // A line of a description can begin with the word.
  if (!/^[\w-]+$/.test(name)) return;
  const component: Component = { name, properties: [], components: [] };
  const depth = depths.get(name);
  if (depth !== undefined) {
    open.length = Math.min(open.length, depth);
    open.at(-1)?.components.push(component);
  }
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
