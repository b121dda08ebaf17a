import { maxAmount } from "#platform/money.rules.ts";

/** An amount with a currency's sign, such as $, A$ or kr, or its code such as EUR, before or after it. */
const amountPattern =
  /^(?:\p{L}{1,3}(?=\p{Sc})|\p{L}{2,3}(?=\s)|\p{Lu}{3}(?=\d))?[^\d\p{L}]*\d[\d.,'\s]*(?:(?<=\s)\p{L}{2,3}\.?|\p{Lu}{3}|kr\.?|[^\d\p{L}]*)$/u;

export const isDigitsOnly = (text: string): boolean => /^\s*0*[1-9]\d*\s*$/.test(text);

/** Returns why a text is no rate, or undefined. Text without a digit is 0. */
export function rateProblem(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  if (/^\D*[-\u2212\u2013]/.test(text)) return "Enter an amount of 0 or more.";
  if (!amountPattern.test(text.trim())) return "Enter an amount such as 1,500.00.";
  return unlimitedRateOf(text) > maxAmount ? `Enter at most ${rateText(maxAmount)}.` : undefined;
}

/** Returns a rate in cents, at most the largest amount. "1,500.00" and "1.500" are amounts, "150000" is cents, other text is 0. */
export const rateOf = (text: string): number => Math.min(unlimitedRateOf(text), maxAmount);

function unlimitedRateOf(text: string): number {
  const typed = text.replace(/[^\d.,]/g, "");
  const [, whole = "", fraction = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(typed) ?? [];
  const units = Number(whole.replace(/[.,]/g, ""));
  return isDigitsOnly(text) ? Number(text) : units * 100 + Number(fraction.padEnd(2, "0"));
}

export const rateText = (cents: number): string =>
  (Math.min(cents, maxAmount) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A rate below this, in cents, is confirmed before it is saved: "1500" may be meant as 1,500.00. */
export const leastUnconfirmedRate = 5_000;

const unusualBelowCents = 10_000;

/** Returns the likely amount in cents if a rate is about 100 times smaller or larger than the stored one, or without one is low and of digits alone. */
export function likelyRate(cents: number, stored: number, fromDigits: boolean): number | undefined {
  if (cents === 0) return undefined;
  if (stored === 0) return fromDigits && cents >= 100 && cents < unusualBelowCents ? cents * 100 : undefined;
  const isFar = cents * 20 <= stored || cents >= stored * 20;
  const meant = cents < stored ? cents * 100 : Math.round(cents / 100);
  return isFar && meant * 10 >= stored && meant <= stored * 10 ? meant : undefined;
}
