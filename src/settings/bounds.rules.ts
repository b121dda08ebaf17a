/** The bounds of every number setting, for the server's shapes and for the screens. */
export const bounds = {
  depositPercent: { min: 1, max: 100 }, // percent of the price
  commissionBps: { min: 0, max: 5000 }, // hundredths of a percent, at most half of the price
  taxBps: { min: 0, max: 5000 }, // hundredths of a percent of tax that a price includes, 0 is none
  minimumNotice: { min: 0, max: 365 }, // days before the event
  maximumBookingDays: { min: 1, max: 730 }, // days ahead
  bufferBefore: { min: 0, max: 720 }, // minutes
  bufferAfter: { min: 0, max: 720 }, // minutes
  holdDays: { min: 1, max: 14 }, // days
  challengeHours: { min: 24, max: 72 }, // hours
  mostOpenHolds: { min: 1, max: 50 }, // open holds of one promoter, at all artists together
  travelRadius: { min: 0, max: 1000 }, // miles
  travelSpeed: { min: 20, max: 150 }, // kilometers or miles per hour, as the artist chose
  defaultEventDuration: { min: 1, max: 24 }, // hours
} as const;
export type BoundedSetting = keyof typeof bounds;
