export const longestName = 120;
export const longestBio = 2_000;
export const mostLines = 20;
export const longestLine = 80;
export const mostYears = 99;

/** A phone number, or nothing. Extensions and local formats are valid. */
export const phonePattern = /^$|^\+?[\d(][\d\s()./-]{4,38}$/;
