import { Temporal } from "temporal-polyfill";
import { addDays, readDay, weekdayOf } from "#platform/time/calendar.rules.ts";
import { type NightException, weekdays } from "#settings/choices.rules.ts";
import type { ArtistSettings } from "#settings/rules.ts";
import { instantOf } from "./time.rules.ts";

export const assumedShow = { time: "20:00", minutes: 180 } as const;

type OpenNights = Pick<ArtistSettings, "openNights" | "nightExceptions">;
export type NightPattern = OpenNights & Pick<ArtistSettings, "nightEndsAt">;

export const nightStates = ["free", "on_hold", "taken", "closed"] as const;
export type NightState = (typeof nightStates)[number];

/** The states of a night for its artist. `begun`: only a later time than the assumed show's can be requested. `at_checkout`: a promoter is at the checkout. `on_hold`: it has a queue of holds. */
export const ownNightStates = [
  "free",
  "past",
  "begun",
  "too_soon",
  "too_far",
  "closed",
  "blocked",
  "external",
  "booked",
  "at_checkout",
  "on_hold",
] as const;
export type OwnNightState = (typeof ownNightStates)[number];

/** Returns the night that an instant belongs to: with an end at 06:00, 01:00 on Sunday is Saturday night. */
export function nightOf(at: Date, zone: string, nightEndsAt: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const day = local.toPlainDate().toString();
  return local.toPlainTime().toString() < nightEndsAt ? addDays(day, -1) : day;
}

export const eventDateOf = (night: string, time: string, nightEndsAt: string): string =>
  time < nightEndsAt ? addDays(night, 1) : night;

/** Returns the end of a night as an instant. Where clocks skip that time, it is the first instant after the gap. */
export const nightEnd = (night: string, zone: string, nightEndsAt: string): Date =>
  instantOf(`${addDays(night, 1)}T${nightEndsAt}`, zone);

/** Returns true if the artist plays on a night. An exception overrides the weekly pattern. */
export function isNightOpen(night: string, { openNights, nightExceptions }: OpenNights): boolean {
  const exception = nightExceptions.find((one) => one.night === night);
  if (exception) return exception.open;
  const day = readDay(night);
  return day !== undefined && openNights.some((weekday) => weekday === weekdays[weekdayOf(day)]);
}

export const isException = (night: string, pattern: OpenNights): boolean =>
  isNightOpen(night, pattern) !== isNightOpen(night, { ...pattern, nightExceptions: [] });

/** Returns the exceptions after a change of nights. A night that equals its weekday needs none. Drops those before `today`. */
export function exceptionsWith(
  pattern: OpenNights,
  { nights, open, today }: Readonly<{ nights: readonly string[]; open: boolean; today: string }>,
): NightException[] {
  const others = pattern.nightExceptions.filter(({ night }) => night >= today && !nights.includes(night));
  const weekly = { ...pattern, nightExceptions: [] };
  const added = [...new Set(nights)].filter((night) => isNightOpen(night, weekly) !== open);
  return [...others, ...added.map((night) => ({ night, open }))].toSorted((one, other) =>
    one.night < other.night ? -1 : 1,
  );
}
