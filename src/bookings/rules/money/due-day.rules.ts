import { addDays, dayIn } from "#platform/time/calendar.rules.ts";

export const balanceDueDays = 28;

export function balanceDueDay(eventDate: string, zone: string, now: Date): string | null {
  const due = addDays(eventDate, -balanceDueDays);
  return due > dayIn(zone, now) ? due : null;
}
