/** How both engines hand over the types that JavaScript has no safe word for. */

export const typeIds = { int8: 20, date: 1082 } as const;

/** Reads an int8 as a number; refuses one that a number cannot hold exactly. */
export function asSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`the integer ${value} is too large to be handled exactly`);
  return number;
}

/** Leaves a calendar date as YYYY-MM-DD: a Date would shift it by a zone. */
export const asDay = (value: string): string => value;
