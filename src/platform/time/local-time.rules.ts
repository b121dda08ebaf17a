import { dayIn, timeIn } from "./calendar.rules.ts";
import { dayMs } from "./durations.rules.ts";

/** Returns the instant of a local time YYYY-MM-DDTHH:MM, for browsers (servers: `instantOf`). A time that exists twice is the earlier one. One that clocks skip is as much later as they go forward. */
export function localInstant(local: string, zone: string): Date {
  const wall = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${dayIn(zone, new Date(ms))}T${timeIn(zone, new Date(ms))}Z`) - ms;
  const before = wall - offsetAt(wall - dayMs);
  const after = wall - offsetAt(wall + dayMs);
  return new Date([before, after].find((ms) => ms + offsetAt(ms) === wall) ?? before);
}
