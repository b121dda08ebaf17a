/** The bounds of every number setting (specification, section 5), for the server's shapes and for the screens. */
export const bounds = {
  /** Percent of the price. */
  depositPercent: { min: 1, max: 100 },
  /** Hundredths of a percent, at most half of the price. */
  commissionBps: { min: 0, max: 5000 },
  /** Hundredths of a percent of tax that a price includes. 0 is none. */
  taxBps: { min: 0, max: 5000 },
  /** Days before the event. */
  minimumNotice: { min: 0, max: 365 },
  /** Days ahead. */
  maximumBookingDays: { min: 1, max: 730 },
  /** Minutes. */
  bufferBefore: { min: 0, max: 720 },
  /** Minutes. */
  bufferAfter: { min: 0, max: 720 },
  /** Days. */
  holdDays: { min: 1, max: 14 },
  /** Hours. */
  challengeHours: { min: 24, max: 72 },
  /** Open holds of one promoter, at all artists together. */
  mostOpenHolds: { min: 1, max: 50 },
  /** Miles. */
  travelRadius: { min: 0, max: 1000 },
  /** Kilometers or miles per hour, as the artist chose. */
  travelSpeed: { min: 20, max: 150 },
  defaultEventDuration: { min: 1, max: 24 },
} as const;
export type BoundedSetting = keyof typeof bounds;
