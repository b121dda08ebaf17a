import { dayIn, describeTime, formatDay } from "../../lib/format/dates.ts";

/** Returns "Saturday 28 November, 14:03 (US Central)". */
export const endText = (end: string, zone: string): string =>
  `${formatDay(dayIn(zone, new Date(end)))}, ${describeTime(zone, new Date(end))}`;

export const signByText = (end: string, zone: string): string => `Sign by ${endText(end, zone)}`;
