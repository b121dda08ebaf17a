export const maxNameLength = 120;
export const maxBioLength = 2_000;
export const maxLines = 20;
export const maxLineLength = 80;
export const maxYears = 99;

/** A phone number, or nothing. Extensions and local formats are valid. */
export const phonePattern = /^$|^\+?[\d(][\d\s()./-]{4,38}$/;
