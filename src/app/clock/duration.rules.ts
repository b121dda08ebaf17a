import { Temporal } from "temporal-polyfill";
import { dayMs } from "#platform/time/durations.rules.ts";

const maxDays = 366;
/** The maximum offset from the real time. Later dates are outside the range of cards, contracts and calendars. */
export const maxYearsAhead = 10;

/** Whole numbers of at most six digits. The sign is matched because it has its own message. */
const pattern =
  /^([+-]?)P(?=\d|T\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}W)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?$/;

export const durationMessages = {
  malformed: "advance must be an ISO 8601 duration in whole numbers, such as P28D, P1W or PT36H.",
  negative: "The clock moves forward only: a duration cannot be negative.",
  zero: "A duration of zero does not move the clock. One second is PT1S.",
  tooLong: `The clock moves by at most one year (P1Y) at a time.`,
} as const;

/** Returns the instant a duration after `from`, counted in days and months of UTC, or an error message. */
export function targetOf(advance: string, from: Date): { target: Date } | { message: string } {
  const match = pattern.exec(advance);
  if (!match) return { message: durationMessages.malformed };
  if (match[1] === "-") return { message: durationMessages.negative };
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO("UTC");
  const duration = Temporal.Duration.from(advance);
  if (duration.blank) return { message: durationMessages.zero };
  // Years of six digits would leave the calendar before the comparison.
  if (duration.years > 1 || duration.months > 12 || duration.weeks > 53) return { message: durationMessages.tooLong };
  const target = new Date(start.add(duration).epochMilliseconds);
  if (target.getTime() - from.getTime() > maxDays * dayMs) return { message: durationMessages.tooLong };
  return { target };
}

export const isTooFarAhead = (aheadMs: number): boolean => aheadMs > maxYearsAhead * 365.25 * dayMs;
