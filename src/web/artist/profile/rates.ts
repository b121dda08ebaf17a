import { maxAmount } from "#platform/money.rules.ts";

export const areCents = (text: string): boolean => /^\s*0*[1-9]\d*\s*$/.test(text);

/** Returns a typed rate in cents, 0 to the largest amount. "1,500.00" and "1.500" are amounts, "150000" is cents, other text is 0. */
export function rateOf(text: string): number {
  const typed = text.replace(/[^\d.,]/g, "");
  const [, whole = "", fraction = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  const units = Number(whole.replace(/[.,]/g, ""));
  const cents = areCents(text) ? Number(text) : units * 100 + Number(fraction.padEnd(2, "0"));
  return Math.min(cents, maxAmount);
}

export const rateText = (cents: number): string =>
  (Math.min(cents, maxAmount) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
