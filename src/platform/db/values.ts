export const typeIds = { int8: 20, date: 1082 } as const;

/** Reads an int8 as a number. Throws if a number cannot represent it exactly. */
export function asSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`the integer ${value} is too large to be handled exactly`);
  return number;
}

/** Returns a calendar date as YYYY-MM-DD. A Date would shift it by a time zone. */
export const asDay = (value: string): string => value;
