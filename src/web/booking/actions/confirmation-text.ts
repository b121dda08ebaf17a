import { holdLimits } from "#bookings/rules.ts";
import { formatDay } from "../../lib/format/dates.ts";

/** Returns the consequences of confirming a show, before the confirmation. */
export const confirmShowText = (artist: string): string =>
  `Confirm that ${artist} performed. The held payment is released to the artist, typically within 2-7 business days. You can no longer cancel the booking.`;

/** Returns the consequences of releasing the promoter's own hold. `open` is false after the end of its checkout. */
export const releaseHoldText = (artist: string, date: string, open = true): string =>
  `${open ? `The checkout for ${artist} is canceled and ${formatDay(date)} is` : `${formatDay(date)} with ${artist} is`} available to others immediately. Nothing is charged. Your request is saved. You can hold the date again after ${holdLimits.renewalMinutes} minutes if it is still available.`;
