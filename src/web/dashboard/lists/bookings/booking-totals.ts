import { formatMoney } from "#payments/money.rules.ts";

/** Several sums, one per currency, in one line. No sum at all is a zero of the given currency. */
export const formatSums = (sums: readonly { currency: string; amount: number }[], currency: string): string =>
  sums.length === 0 ? formatMoney(0, currency) : sums.map((sum) => formatMoney(sum.amount, sum.currency)).join(" + ");
