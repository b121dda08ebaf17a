import { formatMoneyExact } from "#platform/money.rules.ts";

export const formatSignedMoney = (cents: number, currency: string): string =>
  `${cents < 0 ? "−\u00a0" : ""}${formatMoneyExact(Math.abs(cents), currency)}`;
