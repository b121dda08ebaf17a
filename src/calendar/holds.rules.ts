/** How long a checkout holds a date, and how often one person may do so (design, section 12 "Holding"). Minutes, but for `open`. */
export const holdLimits = {
  shownMinutes: 30,
  /** The length of the checkout: one minute more, because the provider refuses a checkout that ends in less than 30 minutes by its own clock. */
  minutes: 31,
  /** The longest a hold outlives its checkout when the provider does not confirm the end. */
  graceMinutes: 5,
  open: 2,
  /** Before the same person may hold the same date again. */
  renewalMinutes: 30,
} as const;

/** Returns the end of a hold as people read it: 30 minutes after it began. The provider's page ends a minute later. */
export const heldUntil = (expiresAt: Date): Date =>
  new Date(expiresAt.getTime() - (holdLimits.minutes - holdLimits.shownMinutes) * 60_000);

/** Who ended a hold; `checkout`: its checkout ended, `clock`: its time was over. */
export type HoldEndedBy = "checkout" | "artist" | "promoter" | "clock";

/** A hold lives until its checkout ends, and five minutes longer while nobody has confirmed that. */
export const deadHoldsBefore = (now: Date): Date => new Date(now.getTime() - holdLimits.graceMinutes * 60_000);
