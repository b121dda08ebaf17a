/** On which nights an artist plays. Without libraries, because public pages read the defaults. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** A night that differs from the weekly pattern: played although its weekday is closed, or closed although it is open. */
export type NightException = { night: string; open: boolean };

/** The most exceptions that are stored: about a year of single nights. */
export const mostExceptions = 400;
/** A night ends before noon, HH:MM. */
export const nightEndPattern = /^(0\d|1[01]):[0-5]\d$/;
