/** The bounds of every number setting (specification, section 5), for the server's shapes and for the screens. */
export const bounds = {
  /** Percent of the price. */
  depositPercent: { least: 1, most: 100 },
  /** Hundredths of a percent, at most half of the price. */
  commissionBps: { least: 0, most: 5000 },
  /** Hundredths of a percent of tax that a price includes. 0 is none. */
  taxBps: { least: 0, most: 5000 },
  /** Days before the event. */
  minimumNotice: { least: 0, most: 365 },
  /** Days ahead. */
  maximumBookingDays: { least: 1, most: 730 },
  /** Minutes. */
  bufferBefore: { least: 0, most: 720 },
  /** Minutes. */
  bufferAfter: { least: 0, most: 720 },
  /** Days. */
  holdDays: { least: 1, most: 14 },
  /** Hours. */
  challengeHours: { least: 24, most: 72 },
  /** Open holds of one promoter, at all artists together. */
  mostOpenHolds: { least: 1, most: 50 },
  /** Miles. */
  travelRadius: { least: 0, most: 1000 },
  /** Kilometers or miles per hour, as the artist chose. */
  travelSpeed: { least: 20, most: 150 },
  defaultEventDuration: { least: 1, most: 24 },
} as const;
export type BoundedSetting = keyof typeof bounds;
