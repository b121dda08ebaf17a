import { addDays, dayIn, describeDay } from "#platform/time/calendar.rules.ts";

/** How far ahead an artist can be booked, in local days of the event's zone. */
export type NoticeLimits = Readonly<{ minimumNotice: number; maximumBookingDays: number }>;

export function bookableDays(limits: NoticeLimits, zone: string, now: Date): { first: string; last: string } {
  const today = dayIn(zone, now);
  return { first: addDays(today, limits.minimumNotice), last: addDays(today, limits.maximumBookingDays) };
}

export function outsideLimits(
  day: string,
  limits: NoticeLimits,
  zone: string,
  now: Date,
): { state: "too_soon" | "too_far"; message: string; first: string; last: string } | undefined {
  const { first, last } = bookableDays(limits, zone, now);
  const isPast = day < dayIn(zone, now);
  // Settings stored before both limits were checked together.
  if (first > last && !isPast)
    return { state: "too_soon", message: "This artist takes no bookings at the moment.", first, last };
  if (day < first) {
    const why = isPast
      ? `${describeDay(day)} has passed.`
      : `This artist needs ${limits.minimumNotice} ${limits.minimumNotice === 1 ? "day's" : "days'"} notice.`;
    const message = first > last ? why : `${why} The first date that can be booked is ${describeDay(first)}.`;
    return { state: "too_soon", message, first, last };
  }
  if (day > last) {
    const message = `This artist can be booked up to ${limits.maximumBookingDays} ${limits.maximumBookingDays === 1 ? "day" : "days"} ahead. The last date is ${describeDay(last)}.`;
    return { state: "too_far", message, first, last };
  }
  return undefined;
}
