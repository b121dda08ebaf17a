/** How long a date is held while somebody pays, and the margin around a show. */

/** How long a checkout holds a date, and how often one person may do so (design, section 12 "Holding"). Minutes, but for `open`. */
export const holdLimits = {
  /** What screens say. */
  shownMinutes: 30,
  /** What the provider is told; its least is 30. */
  minutes: 31,
  /** The longest a hold outlives its checkout when the provider does not confirm the end. */
  graceMinutes: 5,
  /** Open holds of one browser, address or mailbox. */
  open: 2,
  /** Before the same person may hold the same date again. */
  renewalMinutes: 30,
} as const;

/** Travel, load-in and load-out around a show, on each side: the artist cannot be sold twice within it. */
export const bufferMinutes = 60;
