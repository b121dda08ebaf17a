import { minuteMs } from "#platform/time/durations.rules.ts";

/** The length of a checkout's hold on a date, and its limits. In minutes, except `open`. */
export const holdLimits = {
  shownMinutes: 30,
  /** The length of the checkout: one minute more, because the provider rejects a checkout of less than 30 minutes by its own clock. */
  minutes: 31,
  graceMinutes: 5, // after the checkout, if the provider does not confirm its end
  open: 2,
  renewalMinutes: 30, // before the same user may hold the same date again
} as const;

/** Returns the displayed end of a hold: 30 minutes after its start. The provider's page ends a minute later. */
export const heldUntil = (expiresAt: Date): Date =>
  new Date(expiresAt.getTime() - (holdLimits.minutes - holdLimits.shownMinutes) * minuteMs);

/** Returns from when a user may hold a date again after their hold of it has ended, as the first whole minute. */
export const holdableAgainFrom = (endedAt: Date): Date =>
  new Date(Math.ceil(endedAt.getTime() / minuteMs + holdLimits.renewalMinutes) * minuteMs);

/** Who ended a hold. `checkout`: its checkout ended, `clock`: its time was over. */
export type HoldEndedBy = "checkout" | "artist" | "promoter" | "clock";

/** Returns the expiry before which holds are dead: five minutes of grace after the end of the checkout, without a confirmation. */
export const expiredHoldsBefore = (now: Date): Date => new Date(now.getTime() - holdLimits.graceMinutes * minuteMs);
