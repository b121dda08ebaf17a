import { formatMoneyExact } from "#platform/money.rules.ts";
import type { FormatAmount } from "./amounts.ts";

export const formatSignedMoney = (cents: number, currency: string, format: FormatAmount = formatMoneyExact): string =>
  `${cents < 0 ? "−\u00a0" : ""}${format(Math.abs(cents), currency)}`;
