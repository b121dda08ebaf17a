/** The nights on which an artist plays. Without libraries, because public pages read the defaults. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** A night that differs from the weekly pattern: played on a closed weekday, or closed on an open one. */
export type NightException = { night: string; open: boolean };

/** The most nights that an artist blocks in one action, against a typing error in the year. */
export const maxBlockedNights = 366;

export const maxExceptions = 400;
/** The end of a night, HH:MM before noon. */
export const nightEndPattern = /^(0\d|1[01]):[0-5]\d$/;
