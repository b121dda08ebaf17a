/** Formats amounts that are displayed side by side, in minor units of their currency. */

import { formatMoney, formatMoneyExact } from "#platform/money.rules.ts";

export type FormatAmount = (cents: number, currency: string) => string;

/** Returns one format for amounts read together: all show cents if one has cents. */
export const amountFormat = (amounts: readonly number[]): FormatAmount =>
  amounts.some((cents) => cents % 100 !== 0) ? formatMoneyExact : formatMoney;

type Sum = Readonly<{ currency: string; amount: number }>;

/** Returns "$1,500 + €200": each currency separately, never added, and none that is 0 beside another. Without an amount, a zero of the given currency. */
export function formatSums(
  sums: readonly Sum[],
  currency: string,
  format: FormatAmount = amountFormat(sums.map(({ amount }) => amount)),
): string {
  const shown = Array.from(
    Map.groupBy(sums, (sum) => sum.currency),
    ([code, parts]) => ({
      currency: code,
      amount: parts.reduce((all, { amount }) => all + amount, 0),
    }),
  ).filter(({ amount }) => amount !== 0);
  if (shown.length === 0) return format(0, sums[0]?.currency ?? currency);
  const isSigned = shown.some(({ amount }) => amount < 0);
  return shown.map((sum) => format(sum.amount, sum.currency)).join(isSigned ? " and " : " + ");
}

/** Returns the cents of an entered amount such as "120.50", "120,50" or "1,120.50", or undefined for other text. */
export function parseCents(text: string): number | undefined {
  const typed = text.trim();
  const isGrouped = /^\d{1,3},\d{3}(\.\d{1,2})?$/.test(typed);
  if (!isGrouped && !/^\d{1,6}([.,]\d{1,2})?$/.test(typed)) return undefined;
  return Math.round(Number(typed.replace(",", isGrouped ? "" : ".")) * 100);
}

export const formatSignedMoney = (cents: number, currency: string, format: FormatAmount = formatMoneyExact): string =>
  `${cents < 0 ? "−\u00a0" : ""}${format(Math.abs(cents), currency)}`;
