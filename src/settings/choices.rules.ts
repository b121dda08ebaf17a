/** Choices and limits of settings. Without libraries, because pages read them. */

export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** A night that differs from the weekly pattern: played on a closed weekday, or closed on an open one. */
export type NightException = { night: string; open: boolean };

/** The most nights that an artist blocks in one action, against a typing error in the year. */
export const maxBlockedNights = 366;

export const maxExceptions = 400;
/** The end of a night, HH:MM before noon. */
export const nightEndPattern = /^(0\d|1[01]):[0-5]\d$/;

/** The unit of the speed at which an artist drives from one show to the next, for travel warnings. */
export const speedUnits = ["kmh", "mph"] as const;
type SpeedUnit = (typeof speedUnits)[number];

export const speedUnitNames: Record<SpeedUnit, string> = { kmh: "km/h", mph: "mph" };
export const distanceUnitNames: Record<SpeedUnit, string> = { kmh: "km", mph: "miles" };

export const contactMethods = ["email", "phone", "platform"] as const;

export const esignProviders = ["embedded", "docuseal", "docusign"] as const;
export type EsignProvider = (typeof esignProviders)[number];
export const keyedServices = ["docuseal", "docusign"] as const satisfies readonly EsignProvider[];
export type KeyedService = (typeof keyedServices)[number];
export const esignProviderNames: Record<EsignProvider, string> = {
  embedded: "Built-in signing",
  docuseal: "DocuSeal",
  docusign: "DocuSign",
};
