import { capitalized } from "#platform/text.rules.ts";
import {
  dayIn,
  formatDay,
  formatWeekdayDate,
  formatDayAndMonth,
  timeIn,
  zoneOrUtc,
} from "#platform/time/calendar.rules.ts";
import { currentTime } from "../clock.ts";
import { pageTime } from "../page-time.ts";

export * from "#platform/time/calendar.rules.ts";

/** Some browsers report a zone that they do not know themselves. */
const ownZone = zoneOrUtc(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns the viewer's time zone. Until a rendered page is hydrated, that of the show. */
export const viewerZone = (): string => pageTime()?.zone ?? ownZone;

export const localToday = (now = currentTime()): string => dayIn(viewerZone(), now);

/** Returns "Tue 1 Dec", with the year if it is not the current one. */
export const formatNight = (day: string): string =>
  formatDay(day, { short: true, year: day.slice(0, 4) !== localToday().slice(0, 4) });

export function localMoment(moment: string | Date): { day: string; time: string } {
  const at = new Date(moment);
  return { day: localToday(at), time: timeIn(viewerZone(), at) };
}

/** Returns "Tue 1 Dec, 18:00" in the viewer's time zone, with the year if it is not the current one. `year`: always with it. */
export function formatMoment(moment: string | Date, { year = false } = {}): string {
  const { day, time } = localMoment(moment);
  return `${year ? formatWeekdayDate(day) : formatNight(day)}, ${time}`;
}

/** Returns "today 18:00", or "Tue 1 Dec 18:00" for another day, in the viewer's time zone, with the year if it is not the current one. */
export function formatRelativeMoment(moment: string | Date): string {
  const { day, time } = localMoment(moment);
  return `${day === localToday() ? "today" : formatNight(day)} ${time}`;
}

export const formatMomentAlone = (moment: string | Date): string => capitalized(formatRelativeMoment(moment));

/** Returns "today 18:00, your time", or "Tue 1 Dec 18:00, your time" for another day. For deadlines, because the parties may be in different time zones. */
export const formatDeadline = (moment: string | Date): string =>
  `${formatRelativeMoment(moment)}, ${pageTime() ? "venue time" : "your time"}`;

export const formatShortDate = (day: string): string => formatWeekdayDate(day).split(" ").slice(1).join(" ");

/** Returns the day in the platform's time zone, as on receipts. For days without a time of day. */
export function platformDay(moment: string | Date): string {
  const zone = pageTime()?.platformZone ?? document.documentElement.dataset["timeZone"];
  return zone ? dayIn(zone, new Date(moment)) : localMoment(moment).day;
}

/** Returns "1 Dec 2026" in the platform's time zone. */
export const formatPlatformDate = (moment: string | Date): string => formatShortDate(platformDay(moment));

/** Returns "1 December" in the viewer's time zone. */
export const formatLocalDayAndMonth = (moment: string | Date): string => formatDayAndMonth(localMoment(moment).day);
