/** The bounds of a profile. Pure; the browser reads them too. */

export const longestName = 120;
export const longestBio = 2_000;
/** Specialties and equipment: how many entries, and how long each. */
export const mostLines = 20;
export const longestLine = 80;
export const mostYears = 99;

/** A number to call, or nothing. Not checked further: extensions and local forms are all welcome. */
export const phonePattern = /^$|^\+?[\d(][\d\s()./-]{4,38}$/;
