/** Amounts that stand beside each other. Amounts are minor units of their currency. */
import { formatMoney, formatMoneyExact } from "#platform/money.rules.ts";

export type FormatAmount = (cents: number, currency: string) => string;

/** One notation for amounts that are read together: as soon as one has cents, all show them. */
export const amountFormat = (amounts: readonly number[]): FormatAmount =>
  amounts.some((cents) => cents % 100 !== 0) ? formatMoneyExact : formatMoney;

type Sum = Readonly<{ currency: string; amount: number }>;

/** "$1,500 + €200": each currency for itself, never added. No sum at all is a zero of the given currency. */
export function formatSums(
  sums: readonly Sum[],
  currency: string,
  format: FormatAmount = amountFormat(sums.map(({ amount }) => amount)),
): string {
  if (sums.length === 0) return format(0, currency);
  return sums.map((sum) => format(sum.amount, sum.currency)).join(" + ");
}
