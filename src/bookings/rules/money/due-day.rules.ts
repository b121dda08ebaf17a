import { addDays, dayIn } from "#platform/time/calendar.rules.ts";

export const balanceDueDays = 28;

export function balanceDueDay(eventDate: string, zone: string, now: Date): string | null {
  const due = addDays(eventDate, -balanceDueDays);
  return due > dayIn(zone, now) ? due : null;
}

/** Returns the last day to pay a balance before it is overdue, by its schedule once it has one. Null if it is due immediately or the day has passed. */
export function payDayOf(
  { event_date: eventDate, time_zone: zone }: Readonly<{ event_date: string; time_zone: string }>,
  schedule: Readonly<{ due_day: string | null }> | undefined,
  now: Date,
): string | null {
  if (!schedule) return balanceDueDay(eventDate, zone, now);
  const { due_day: day } = schedule;
  return day !== null && day >= dayIn(zone, now) ? day : null;
}
