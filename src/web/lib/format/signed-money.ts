import { formatMoneyExact } from "#platform/money.rules.ts";

/** Returns "$155.00", and "− $155.00" for a negative amount in cents. */
export const formatSignedMoney = (cents: number, currency: string): string =>
  `${cents < 0 ? "−\u00a0" : ""}${formatMoneyExact(Math.abs(cents), currency)}`;
