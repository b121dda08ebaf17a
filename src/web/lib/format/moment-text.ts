import { formatDay, localMoment } from "./dates.ts";

/** Returns "Tue 1 Dec, 18:00" in the viewer's time zone. */
export function momentText(moment: string | Date): string {
  const { day, time } = localMoment(moment);
  return `${formatDay(day, { short: true })}, ${time}`;
}
